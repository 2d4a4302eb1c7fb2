import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineSettingsOf } from '../../src/app/config/engine-settings-of.js';
import type { DocumentStore } from '../../src/platform/documents/document-store.js';
import { MongoDocumentStore } from '../../src/platform/documents/mongodb/mongo-document-store.js';
import { SqliteDocumentStore } from '../../src/platform/documents/sqlite/sqlite-document-store.js';
import { type EngineSettings } from '../../src/platform/engines/engine-settings.js';
import { type AllDocuments, documentsIn } from './documents.js';
import { ownDatabase } from './mongodb.js';

/** Engines that nobody else uses, over any number of starts of whoever runs on them. */
export interface OwnEngines {
  readonly dataDirectory: string;
  /** Tells a process of them. */
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: EngineSettings;
  /** What all projections have made; no server may run. */
  documents(): Promise<AllDocuments>;
  /** What an operator may do at any time while no server runs. */
  removeDocuments(): Promise<void>;
  /** The streams in EventStoreDB stay, under a prefix that is not used again: nothing there is freed before a scavenge. */
  remove(): Promise<void>;
}

/** Keeps a process from engines that it would find in an inherited environment. */
export const EMBEDDED = { EVENTSTORE_URL: '', MONGODB_URL: '', ANNALS_STREAM_PREFIX: '' } as const;

/** Embedded, but where `npm run test:engines` runs the tests on EventStoreDB and MongoDB. */
export async function ownEngines(): Promise<OwnEngines> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'annals-'));
  return isShared() ? distributed(dataDirectory) : embedded(dataDirectory);
}

/** Whether they are engines that several processes could use at once. */
export const isShared = (): boolean => process.env.TEST_ENGINES === 'distributed';

/** Removes them whatever happens. */
export async function withOwnEngines<T>(work: (engines: OwnEngines) => Promise<T>): Promise<T> {
  const engines = await ownEngines();
  return work(engines).finally(() => engines.remove());
}

function embedded(dataDirectory: string): OwnEngines {
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
      // First through the store, which ends the transactions of processes that were killed: a drop waits for them.
      await removeDocuments();
      await database.remove();
      await removeDirectory(dataDirectory);
    },
  };
}

const removeDirectory = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 });
