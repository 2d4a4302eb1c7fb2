import { type Collection, MongoClient, type MongoClientOptions } from 'mongodb';
import { DURABLE } from '../../src/platform/mongodb/mongo-connection.js';
import type { MongodbProxy } from '../support/engines/mongodb/mongodb-proxy.js';
import type { MongodbRules } from '../support/engines/mongodb/rules.js';
import { mongodbWith, ownDatabase } from '../support/engines/mongodb.js';

export const MB = 1_000_000;

export interface Thing {
  readonly _id: number;
  readonly text: string;
}

/** A client of the driver at a proxy with rules of its own. */
export interface OwnClient {
  readonly proxy: MongodbProxy;
  readonly client: MongoClient;
  readonly things: Collection<Thing>;
}

/** Runs `work` with a client, on a database with an empty collection. */
export async function withClient(
  rules: MongodbRules,
  work: (own: OwnClient) => Promise<void>,
  options: MongoClientOptions = {},
): Promise<void> {
  const proxy = await mongodbWith(rules);
  const database = ownDatabase(proxy.url);
  const client = new MongoClient(proxy.url, { writeConcern: DURABLE, ...options });
  try {
    const things = await client.db(database.name).createCollection<Thing>('things');
    await work({ proxy, client, things });
  } finally {
    await client.close();
    await database.remove();
    await proxy.stop();
  }
}

export const thingsOf = (count: number, size: number, from = 0): Thing[] =>
  Array.from({ length: count }, (_, n) => ({ _id: from + n, text: 'x'.repeat(size) }));

export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it succeeded');
}
