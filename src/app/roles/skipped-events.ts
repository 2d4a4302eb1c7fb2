import { eventRegistry } from '../../events/event-registry.js';
import { TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import type { Engines } from '../../platform/engines/engines.js';
import { StartRefused } from '../../platform/kernel/start-refused.js';
import { EventCodec } from '../../platform/log/event-codec.js';
import { atRevision, type EventStore, UnreadableEvent } from '../../platform/log/event-store.js';

/** The codec of this log, without the events that were passed over. @throws EventStoreUnavailable */
export const openCodec = async ({ eventStore, contentKeys }: Pick<Engines, 'eventStore' | 'contentKeys'>) =>
  new EventCodec(contentKeys, eventRegistry, await skippedPlaces(eventStore));

/** Reads the places of the events that were passed over. @throws EventStoreUnavailable */
export async function skippedPlaces(eventStore: Pick<EventStore, 'readStream'>): Promise<Set<string>> {
  const events = await eventStore.readStream(TRANSPARENCY_STREAM);
  return new Set(
    events
      .filter(({ type }) => type === 'EventSkipped')
      .flatMap(({ data: { stream, revision } }) =>
        typeof stream === 'string' && typeof revision === 'number' ? [atRevision({ stream, revision })] : [],
      ),
  );
}

/** Refuses a start because of an event that cannot be read, and says how to pass it over. Other errors stay as they are. */
export const refusedIfUnreadable = (error: unknown): unknown =>
  error instanceof UnreadableEvent ? refusedForUnreadable(error.message, atRevision(error.event)) : error;

export const refusedForUnreadable = (message: string, place: string): StartRefused =>
  new StartRefused(
    `${message}. Restore the log from a backup. To go on without this event, start with --skip ${place} (docs/operations.md)`,
  );
