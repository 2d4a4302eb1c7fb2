import { ORGANIZATION_STREAM } from '../../events/organization/organization.events.js';
import { logOfKeys } from '../../platform/content-keys/log-of-keys.js';
import { SqliteContentKeys } from '../../platform/content-keys/sqlite/sqlite-content-keys.js';
import type { EventStore } from '../../platform/log/event-store.js';
import { SqliteEventStore } from '../../platform/log/sqlite/sqlite-event-store.js';

/** Reads the id of a log: of the event that created the organization, which no other log has. null: there is none yet. */
export async function logIdOf(eventStore: Pick<EventStore, 'readStream'>): Promise<string | null> {
  const [created] = await eventStore.readStream(ORGANIZATION_STREAM, { limit: 1 });
  return created?.id ?? null;
}

/** Reads the ids of the logs that `log.sqlite` and `keys.sqlite` of a folder each belong to. A server may be running there. */
export const idsIn = {
  async log(directory: string): Promise<string | null> {
    const log = await SqliteEventStore.openReadOnly(directory);
    return logIdOf(log).finally(() => log.close());
  },
  async keys(directory: string): Promise<string | null> {
    const keys = await SqliteContentKeys.openReadOnly(directory);
    return logOfKeys(keys).finally(() => keys.close());
  },
};
