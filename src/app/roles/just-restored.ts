import type { EventQueueEvent } from '../../events/event-queues/event-queues.events.js';
import { TRANSPARENCY_STREAM, type TransparencyEvent } from '../../events/transparency/transparency.events.js';
import type { EventStore } from '../../platform/log/event-store.js';

const PAGE = 500;
/** What is appended before a restored log serves. */
const AFTERWARDS: ReadonlySet<string> = new Set<(EventQueueEvent | TransparencyEvent)['type']>([
  'QueueExpired',
  'BackupRestored',
  'DeletedKeysFound',
  'EventSkipped',
  'LogSignerChanged',
  'MissingKeysAccepted',
  'RestoredLogAccepted',
]);

/** Tells whether `annals restore` has made this log, and no server has served it since. @throws EventStoreUnavailable */
export async function isJustRestored(eventStore: Pick<EventStore, 'readStream' | 'readAll'>): Promise<boolean> {
  const restored = (await eventStore.readStream(TRANSPARENCY_STREAM)).findLast(({ type }) => type === 'BackupRestored');
  if (!restored) return false;
  for (let after = restored.position; ; ) {
    const page = await eventStore.readAll({ after, limit: PAGE });
    if (page.events.some(({ type }) => !AFTERWARDS.has(type))) return false;
    if (page.caughtUp) return true;
    after = page.position;
  }
}
