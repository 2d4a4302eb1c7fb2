import { type EventPlace, placeOf } from '../../src/platform/kernel/event.js';
import type { Position } from '../../src/platform/kernel/position.js';
import type { DecodedBatch } from './decode-batch.js';

/** The newest known event at or before the end. */
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
  // Leaves the event's data out: the place may be kept for long.
  return newest && placeOf(newest);
}
