import { ORGANIZATION_STREAM } from '../../events/organization/organization.events.js';
import {
  type CollectionSpec,
  type DocumentDatabase,
  DuplicateKey,
  type StoredDocument,
} from '../../platform/documents/document-store.js';
import type { EngineSettings } from '../../platform/engines/engine-settings.js';
import type { Engines } from '../../platform/engines/engines.js';
import { START } from '../../platform/kernel/position.js';
import { StartRefused } from '../../platform/kernel/start-refused.js';

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
 * Makes sure that log and documents belong together on servers that may hold other organizations. Embedded, both are in
 * one folder, and documents that do not fit are built anew.
 */
export class OrganizationIdentity {
  constructor(
    private readonly engines: Engines,
    private readonly settings: EngineSettings,
  ) {}

  /** Checks log and documents, before anything is written. @throws StartRefused */
  async check(): Promise<void> {
    if (!this.settings.distributed) return;
    // The log's own event is read last: another process may be about to create the organization.
    const known = await this.withIdentity((database) => this.known(database));
    const head = await this.engines.eventStore.head();
    const log = await this.logId();
    if (log === null && head > START) {
      throw new StartRefused(
        'EVENTSTORE_URL names a log that holds events of another program: choose another server, or a --stream-prefix',
      );
    }
    this.compare(known, log);
  }

  /** Checks documents and keys alone, for a log that may be an unfinished copy. @throws StartRefused */
  async checkDocuments(): Promise<void> {
    if (!this.settings.distributed) return;
    const known = await this.withIdentity((database) => this.known(database));
    this.compare(known, await this.logId());
  }

  /** Stores that the documents belong to the organization, once it exists. @throws StartRefused */
  async claim(): Promise<void> {
    if (!this.settings.distributed) return;
    const log = await this.logId();
    if (log === null) return;
    await this.withIdentity(async (database) => {
      const identity: IdentityDocument = { _id: 'organization', format: FORMAT, log };
      try {
        await database.collection<IdentityDocument>('identity').insertOne(identity);
      } catch (error) {
        if (!(error instanceof DuplicateKey)) throw error;
        this.compare(await this.known(database), log);
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

  private known(database: DocumentDatabase): Promise<IdentityDocument | null> {
    return database.collection<IdentityDocument>('identity').findOne({ _id: 'organization' });
  }

  private async withIdentity<T>(work: (database: DocumentDatabase) => Promise<T>): Promise<T> {
    const database = await this.engines.documentStore.database(IDENTITY_DATABASE);
    try {
      await database.ensure(collections);
      return await work(database);
    } finally {
      await database.close();
    }
  }

  private async logId(): Promise<string | null> {
    const [created] = await this.engines.eventStore.readStream(ORGANIZATION_STREAM, { limit: 1 });
    return created?.id ?? null;
  }
}
