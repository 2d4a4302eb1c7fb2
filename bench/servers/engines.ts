import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { type Db, MongoClient } from 'mongodb';
import type { DistributedSettings } from '../../src/platform/engines/engines.js';
import { EventStoreDbEventStore } from '../../src/platform/log/eventstoredb/eventstoredb-event-store.js';
import { Connection } from '../driver/connection.js';
import { inRepository } from '../root.js';
import { Child, freePort } from './child.js';

/** Milliseconds that MongoDB may take to drop the database. */
const PATIENCE = 15_000;
/** Milliseconds that EventStoreDB's client may take to close. */
const FAREWELL = 2000;
/** The stand-in is part of the tests, which are not built: the script compiles it. */
const STAND_IN = [inRepository('scripts/run.js'), 'test/support/engines/eventstoredb/stand-in.ts'];

/** The write concern of the MongoDB adapter. */
const DURABLE = { w: 'majority', journal: true } as const;

/** The measured servers, with each maker's own client: the figures of these need no Annals. */
export interface Engines {
  /** The servers' names and versions. */
  readonly about: string;
  /** The stand-in for EventStoreDB; null if EVENTSTORE_URL names a server. */
  readonly standIn: Child | null;
  readonly eventStore: EventStoreDBClient;
  readonly documents: Db;
  /** The prefix of Annals' streams. */
  readonly streamPrefix: string;
  /** A stream for the bare client. */
  readonly bareStream: string;
  /** Environment of a process of Annals that is to use them. */
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: DistributedSettings;
  /** Removes from the servers everything that was made there, as far as they can. */
  readonly close: () => Promise<void>;
}

/**
 * @param directory a folder for the stand-in
 * @throws Error if MONGODB_URL is not set
 */
export async function openEngineServers(directory: string, say: (line: string) => void): Promise<Engines> {
  const { MONGODB_URL: mongodb, EVENTSTORE_URL } = process.env;
  if (!mongodb) throw new Error('--engines needs MONGODB_URL: a replica set, which may be of one');
  const run = `annals-bench-${randomBytes(4).toString('hex')}`;
  const mongodbUrl = withDatabase(mongodb, run);
  const mongo = new MongoClient(mongodbUrl, {
    writeConcern: DURABLE,
    serverSelectionTimeoutMS: 10_000,
    // Retryable writes would make the server keep a record of each, which slows the other clients down.
    retryWrites: false,
  });
  await mongo.connect();

  const standIn = EVENTSTORE_URL ? null : await startStandIn(join(directory, 'eventstoredb'));
  if (standIn) say('EVENTSTORE_URL is not set: what stands in for EventStoreDB in the tests is measured');
  const eventStoreUrl = EVENTSTORE_URL || `esdb://127.0.0.1:${standIn?.port}?tls=false`;
  const eventStore = EventStoreDBClient.connectionString(eventStoreUrl);
  const streamPrefix = `${run}.`;
  const about = `${await eventStoreVersion(eventStoreUrl)}${standIn ? ' as a stand-in says it' : ''}, ${await mongodbVersion(mongo)}`;
  say(about);
  return {
    about,
    standIn,
    eventStore,
    documents: mongo.db(),
    streamPrefix,
    bareStream: `bare-${run}`,
    environment: { EVENTSTORE_URL: eventStoreUrl, MONGODB_URL: mongodbUrl, ANNALS_STREAM_PREFIX: streamPrefix },
    settings: { eventStoreUrl, streamPrefix, mongodbUrl },
    async close() {
      const isDropped = mongo.db().dropDatabase();
      isDropped.catch(() => {});
      const isLate = pause(PATIENCE, false, { ref: false });
      if (!(await Promise.race([isDropped, isLate]))) say(`MongoDB keeps the database ${run}: drop it there`);
      await mongo.close(true);
      // The client waits for ever for a stream that has already ended.
      await Promise.race([eventStore.dispose(), pause(FAREWELL)]);
      await standIn?.kill();
      if (!standIn) say(`EventStoreDB keeps the streams ${streamPrefix}… and bare-${run}: delete them there`);
    },
  };
}

async function startStandIn(folder: string) {
  const port = await freePort();
  const child = new Child('the stand-in for EventStoreDB', port, [
    ...STAND_IN,
    '--folder',
    folder,
    '--port',
    `${port}`,
  ]);
  await child.ready(async () => {
    try {
      (await Connection.open(port)).close();
      return true;
    } catch {
      return false;
    }
  }, 30);
  return child;
}

async function eventStoreVersion(url: string) {
  const store = await EventStoreDbEventStore.open({ url, streamPrefix: '', readOnly: true });
  try {
    return `EventStoreDB ${store.engineVersion()}`;
  } finally {
    await store.close();
  }
}

async function mongodbVersion(client: MongoClient) {
  const { version, secantusVersion } = await client.db('admin').command({ buildInfo: 1 });
  return secantusVersion === undefined
    ? `MongoDB ${version}`
    : `MongoDB ${version} as SecantusDB ${secantusVersion} says it`;
}

/** @param name of a database */
function withDatabase(server: string, name: string) {
  const [, hosts, query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(server) ?? [];
  if (hosts === undefined) throw new Error('MONGODB_URL is no address of MongoDB');
  return `${hosts}/${name}${query}`;
}
