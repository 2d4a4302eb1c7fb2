// @ts-check
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { EventStoreDBClient } from '@eventstore/db-client';
import { MongoClient } from 'mongodb';
import { EventStoreDbEventStore } from '../../dist/src/event-store/eventstoredb/eventstoredb-event-store.js';
import { Connection } from '../driver/connection.js';
import { Child, freePort } from './child.js';

/** How long MongoDB may take to drop the database, milliseconds. */
const PATIENCE = 15_000;
/** How long EventStoreDB's client may take to say farewell, milliseconds. */
const FAREWELL = 2000;
const STAND_IN = fileURLToPath(new URL('../../test/support/eventstoredb/stand-in.js', import.meta.url));

/** What the MongoDB adapter asks of its writes, too. */
const DURABLE = /** @type {const} */ ({ w: 'majority', journal: true });

/**
 * The servers that are measured, and a client of each as its maker provides it: what can be reached without Annals.
 *
 * @typedef {object} Engines
 * @property {string} about which servers they are
 * @property {Child | null} standIn for EventStoreDB; null: a server that somebody else has started
 * @property {EventStoreDBClient} eventStore
 * @property {import('mongodb').Db} documents
 * @property {string} streamPrefix of the streams of Annals
 * @property {string} bareStream a stream that is none of Annals'
 * @property {Readonly<Record<string, string>>} environment that tells a process of Annals of them
 * @property {import('../data/seed.js').Settings['distributed']} settings
 * @property {() => Promise<void>} close takes away what was made there
 */

/**
 * @param {string} directory for what stands in
 * @param {(line: string) => void} say
 * @returns {Promise<Engines>}
 * @throws Error where MONGODB_URL is not set
 */
export async function openEngineServers(directory, say) {
  const { MONGODB_URL: mongodb, EVENTSTORE_URL } = process.env;
  if (!mongodb) throw new Error('--engines needs MONGODB_URL: a replica set, which may be of one');
  const run = `annals-bench-${randomBytes(4).toString('hex')}`;
  const mongodbUrl = withDatabase(mongodb, run);
  const mongo = new MongoClient(mongodbUrl, {
    writeConcern: DURABLE,
    serverSelectionTimeoutMS: 10_000,
    // What a server remembers of a bare client's writes, so that it can repeat them, is in the way of the others'.
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
      // It waits for ever for a stream that has ended before.
      await Promise.race([eventStore.dispose(), pause(FAREWELL)]);
      await standIn?.kill();
      if (!standIn) say(`EventStoreDB keeps the streams ${streamPrefix}… and bare-${run}: delete them there`);
    },
  };
}

/** @param {string} folder */
async function startStandIn(folder) {
  const port = await freePort();
  const child = new Child('the stand-in for EventStoreDB', port, [STAND_IN, '--folder', folder, '--port', `${port}`]);
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

/** @param {string} url */
async function eventStoreVersion(url) {
  const store = await EventStoreDbEventStore.open({ url, streamPrefix: '', readOnly: true });
  try {
    return `EventStoreDB ${store.engineVersion()}`;
  } finally {
    await store.close();
  }
}

/** @param {MongoClient} client */
async function mongodbVersion(client) {
  const { version, secantusVersion } = await client.db('admin').command({ buildInfo: 1 });
  return secantusVersion === undefined
    ? `MongoDB ${version}`
    : `MongoDB ${version} as SecantusDB ${secantusVersion} says it`;
}

/** @param {string} server @param {string} name of a database */
function withDatabase(server, name) {
  const [, hosts, query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(server) ?? [];
  if (hosts === undefined) throw new Error('MONGODB_URL is no address of MongoDB');
  return `${hosts}/${name}${query}`;
}
