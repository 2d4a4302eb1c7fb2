import { ORGANIZATION_STREAM } from '../../events/organization/organization.events.js';
import { claimKeys, logOfKeys } from '../../platform/content-keys/content-keys.js';
import { SqliteContentKeys } from '../../platform/content-keys/sqlite/sqlite-content-keys.js';
import {
  type CollectionSpec,
  type DocumentDatabase,
  DuplicateKey,
  type StoredDocument,
} from '../../platform/documents/document-store.js';
import { inDatabase } from '../../platform/documents/in-database.js';
import type { EngineSettings, Engines } from '../../platform/engines/engines.js';
import { START } from '../../platform/kernel/position.js';
import { StartRefused } from '../../platform/kernel/start-refused.js';
import type { EventStore } from '../../platform/log/event-store.js';
import { SqliteEventStore } from '../../platform/log/sqlite/sqlite-event-store.js';
import { foreignKeys, refuseStrangeKeys } from './foreign-keys.js';

interface IdentityDocument extends StoredDocument {
  readonly _id: 'organization';
  /** Version of the data beside the log; raised when older programs cannot use them. */
  readonly format: number;
  /** Id of the event that created the organization: no other log has it. */
  readonly log: string;
}

export const IDENTITY_DATABASE = 'annals';
const FORMAT = 1;
const collections: Readonly<Record<string, CollectionSpec>> = { identity: {} };

/**
 * Makes sure that log, keys and documents belong together. On servers that may hold other organizations, the documents
 * name their log, as the keys always do. Embedded, documents that do not fit are built anew.
 */
export class OrganizationIdentity {
  constructor(
    private readonly engines: Engines,
    private readonly settings: EngineSettings,
  ) {}

  /** Checks log, documents and keys, before anything is written. @throws StartRefused */
  async check(): Promise<void> {
    // The log's own event is read last: another process may be about to create the organization.
    const known = await this.known();
    const ofKeys = await logOfKeys(this.engines.contentKeys);
    const head = this.settings.distributed ? await this.engines.eventStore.head() : START;
    const log = await logIdOf(this.engines.eventStore);
    if (log === null && head > START) {
      throw new StartRefused(
        'EVENTSTORE_URL names a log that holds events of another program: choose another server, or a --stream-prefix',
      );
    }
    this.compare(known, log);
    await this.compareKeys(ofKeys, log);
  }

  /** Checks documents and keys alone, for a log that may be an unfinished copy. @throws StartRefused */
  async checkDocuments(): Promise<void> {
    const known = await this.known();
    const ofKeys = await logOfKeys(this.engines.contentKeys);
    const log = await logIdOf(this.engines.eventStore);
    this.compare(known, log);
    await this.compareKeys(ofKeys, log);
  }

  /** Stores that documents and keys belong to the organization, once it exists. @throws StartRefused */
  async claim(): Promise<void> {
    const log = await logIdOf(this.engines.eventStore);
    if (log === null) return;
    const { contentKeys } = this.engines;
    await this.compareKeys((await logOfKeys(contentKeys)) ?? (await claimKeys(contentKeys, log)), log);
    if (!this.settings.distributed) return;
    await this.withIdentity(async (database) => {
      const identity: IdentityDocument = { _id: 'organization', format: FORMAT, log };
      try {
        await database.collection<IdentityDocument>('identity').insertOne(identity);
      } catch (error) {
        if (!(error instanceof DuplicateKey)) throw error;
        this.compare(await knownIn(database), log);
      }
    });
  }

  private compare(known: IdentityDocument | null, log: string | null): void {
    if (known === null) return;
    if (known.format > FORMAT) {
      throw new StartRefused('MONGODB_URL names a database of a newer Annals: install that version, or newer');
    }
    if (known.log !== log) {
      throw new StartRefused(
        'MONGODB_URL names a database of another organization than the log: choose the one that belongs to it, or a new one',
      );
    }
  }

  /** @param ofKeys null: no server has stored yet whose keys they are */
  private async compareKeys(ofKeys: string | null, log: string | null): Promise<void> {
    if (ofKeys === log) return;
    if (ofKeys !== null) throw new StartRefused(await foreignKeys({ ofKeys, log }, this.engines, this.settings));
    await refuseStrangeKeys(this.engines, this.settings);
  }

  private async known(): Promise<IdentityDocument | null> {
    return this.settings.distributed ? this.withIdentity(knownIn) : null;
  }

  private withIdentity<T>(work: (database: DocumentDatabase) => Promise<T>): Promise<T> {
    return inDatabase(this.engines.documentStore, IDENTITY_DATABASE, collections, work);
  }
}

const knownIn = (database: DocumentDatabase): Promise<IdentityDocument | null> =>
  database.collection<IdentityDocument>('identity').findOne({ _id: 'organization' });

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
