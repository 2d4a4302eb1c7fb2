import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineSettingsOf } from '../../../src/app/config/config.js';
import type { DocumentStore } from '../../../src/platform/documents/document-store.js';
import { MongoDocumentStore } from '../../../src/platform/documents/mongodb/mongo-document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import type { EngineSettings } from '../../../src/platform/engines/engines.js';
import { type AllDocuments, documentsIn } from '../projections/documents.js';
import { ownDatabase } from './mongodb.js';

/** Engines of one test. They outlive any number of servers. */
export interface OwnEngines {
  readonly dataDirectory: string;
  /** Environment of a process that uses them. */
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: EngineSettings;
  /** Reads the documents of all projections. No server may run. */
  documents(): Promise<AllDocuments>;
  /** Removes all documents, as an operator may. No server may run. */
  removeDocuments(): Promise<void>;
  /** Removes them. Streams in EventStoreDB stay, under a prefix that is not used again. */
  remove(): Promise<void>;
}

/** Keeps a process from engines of an inherited environment. */
export const EMBEDDED = { EVENTSTORE_URL: '', MONGODB_URL: '', ANNALS_STREAM_PREFIX: '' } as const;

/**
 * An answer waits as long as a busy machine needs: a spec reads its own writes however slow the machine is. For servers that
 * keep documents: an answer of another waits in vain while no process does.
 */
export const PATIENT = { ANNALS_ANSWER_WAIT_MS: '60000' } as const;

/** No message comes amid what a spec counts when it adds people. Specs about the greeting turn it on. */
export const UNGREETED = { ANNALS_WELCOME_MESSAGES: 'false' } as const;

/** Makes engines: embedded ones, or EventStoreDB and MongoDB in `npm run test:engines`. */
export async function ownEngines(): Promise<OwnEngines> {
  return isShared() ? distributed(await newDirectory()) : embeddedEngines();
}

const newDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'annals-'));

/** Tells whether several processes can share the engines. */
export const isShared = (): boolean => process.env.TEST_ENGINES === 'distributed';

/** Runs `work` with engines, and removes them in any case. */
export async function withOwnEngines<T>(work: (engines: OwnEngines) => Promise<T>): Promise<T> {
  const engines = await ownEngines();
  return work(engines).finally(() => engines.remove());
}

/** Makes embedded engines in any case: for specs of their files. */
export async function embeddedEngines(): Promise<OwnEngines> {
  const dataDirectory = await newDirectory();
  return {
    dataDirectory,
    environment: { ...EMBEDDED, ANNALS_DATA_DIR: dataDirectory },
    settings: { dataDirectory },
    async documents() {
      const store = await SqliteDocumentStore.open(dataDirectory);
      return documentsIn(store).finally(() => store.close());
    },
    removeDocuments: () => rm(join(dataDirectory, 'documents'), { recursive: true }),
    remove: () => removeDirectory(dataDirectory),
  };
}

function distributed(dataDirectory: string): OwnEngines {
  const eventStoreUrl = process.env.EVENTSTORE_URL ?? '';
  const streamPrefix = `t${randomBytes(6).toString('hex')}.`;
  const database = ownDatabase();
  const withStore = async <T>(work: (store: DocumentStore) => Promise<T>): Promise<T> => {
    const store = await MongoDocumentStore.open(await database.connect());
    return work(store).finally(() => store.close());
  };
  const removeDocuments = () =>
    withStore(async (store) => {
      for (const name of await store.databases()) await store.dropDatabase(name);
    });
  return {
    dataDirectory,
    environment: {
      EVENTSTORE_URL: eventStoreUrl,
      MONGODB_URL: database.url,
      ANNALS_STREAM_PREFIX: streamPrefix,
      ANNALS_DATA_DIR: dataDirectory,
    },
    settings: engineSettingsOf({ dataDirectory, eventStoreUrl, streamPrefix, mongodbUrl: database.url }),
    documents: () => withStore(documentsIn),
    removeDocuments,
    async remove() {
      // The store first ends transactions of killed processes, for which a drop would wait.
      await removeDocuments();
      await database.remove();
      await removeDirectory(dataDirectory);
    },
  };
}

const removeDirectory = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 });
