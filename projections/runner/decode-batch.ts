import { ContentKeysUnavailable } from '../../src/platform/content-keys/content-keys.js';
import { DocumentStoreUnavailable, DocumentsUnusable } from '../../src/platform/documents/document-store.js';
import { type EventPlace, placeOf, type Recorded } from '../../src/platform/kernel/event.js';
import type { Position } from '../../src/platform/kernel/position.js';
import type { EventCodec } from '../../src/platform/log/event-codec.js';
import { EventStoreUnavailable, type StoredEvent } from '../../src/platform/log/event-store.js';

interface UndecodableEvent {
  readonly event: StoredEvent;
  readonly error: unknown;
}

/** A range of the log, decoded once for all projections. */
export interface DecodedBatch {
  readonly events: readonly Recorded[];
  /** Events with altered content or a future version. Only projections that handle their type fail. */
  readonly undecodable: readonly UndecodableEvent[];
}

/** @throws errors that isTransient() recognizes: try again later */
export async function decodeBatch(codec: EventCodec, stored: readonly StoredEvent[]): Promise<DecodedBatch> {
  try {
    return { events: await codec.decode(stored), undecodable: [] };
  } catch (error) {
    if (isTransient(error)) throw error;
  }
  const events: Recorded[] = [];
  const undecodable: UndecodableEvent[] = [];
  for (const event of stored) {
    try {
      events.push(...(await codec.decode([event])));
    } catch (error) {
      if (isTransient(error)) throw error;
      undecodable.push({ event, error });
    }
  }
  return { events, undecodable };
}

/** The error says that an engine is away: the same work will succeed later. */
export const isTransient = (error: unknown): boolean =>
  (error instanceof DocumentStoreUnavailable && !(error instanceof DocumentsUnusable)) ||
  error instanceof EventStoreUnavailable ||
  error instanceof ContentKeysUnavailable;

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
