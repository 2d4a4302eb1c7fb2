import type { EventPlace } from '../kernel/event.js';
import type { EventStore } from './event-store.js';

/** Tells whether the log has this event at this place. @throws EventStoreUnavailable */
export async function isThere(
  eventStore: Pick<EventStore, 'readStream'>,
  { stream, revision, id, position }: EventPlace,
): Promise<boolean> {
  // Reads two events, so that the log answers rather than a memory of it.
  const [found] = await eventStore.readStream(stream, { from: revision, limit: 2 });
  return found?.id === id && found.position === position;
}
