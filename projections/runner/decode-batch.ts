import { ContentKeysUnavailable } from '../../src/content-keys/content-keys.js';
import { DocumentStoreUnavailable, DocumentsUnusable } from '../../src/document-store/document-store.js';
import type { EventCodec } from '../../src/event-codec/event-codec.js';
import { EventStoreUnavailable, type StoredEvent } from '../../src/event-store/event-store.js';
import type { Recorded } from '../../src/kernel/event.js';

export interface UndecodableEvent {
  readonly event: StoredEvent;
  readonly error: unknown;
}

/** One stretch of the log, decoded once for every projection. */
export interface DecodedBatch {
  readonly events: readonly Recorded[];
  /** Events that cannot be read: altered words, a version from the future. They fail only who handles their type. */
  readonly undecodable: readonly UndecodableEvent[];
}

/** @throws what isPassing() recognises: try again later */
export async function decodeBatch(codec: EventCodec, stored: readonly StoredEvent[]): Promise<DecodedBatch> {
  try {
    return { events: await codec.decode(stored), undecodable: [] };
  } catch (error) {
    if (isPassing(error)) throw error;
  }
  const events: Recorded[] = [];
  const undecodable: UndecodableEvent[] = [];
  for (const event of stored) {
    try {
      events.push(...(await codec.decode([event])));
    } catch (error) {
      if (isPassing(error)) throw error;
      undecodable.push({ event, error });
    }
  }
  return { events, undecodable };
}

/** An engine is away: the same work will succeed later. */
export const isPassing = (error: unknown): boolean =>
  (error instanceof DocumentStoreUnavailable && !(error instanceof DocumentsUnusable)) ||
  error instanceof EventStoreUnavailable ||
  error instanceof ContentKeysUnavailable;
