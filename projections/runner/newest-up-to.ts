import { type EventPlace, placeOf } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';
import type { DecodedBatch } from './decode-batch.js';

/** The newest event that there is at the end or before it, as far as one is known. */
export function newestUpTo(
  end: Position,
  known: readonly (EventPlace | undefined)[],
  { events, undecodable }: DecodedBatch,
): EventPlace | undefined {
  const isThere = ({ position }: EventPlace): boolean => position <= end;
  const last = [events.findLast(isThere), undecodable.findLast(({ event }) => isThere(event))?.event];
  const [newest] = [...known, ...last]
    .filter((place) => place !== undefined)
    .filter(isThere)
    .sort((a, b) => b.position - a.position);
  // Without what is in it: it may be kept for long.
  return newest && placeOf(newest);
}
