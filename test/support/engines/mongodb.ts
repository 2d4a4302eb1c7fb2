import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { MongoConnection, type MongoTimeouts } from '../../../src/platform/mongodb/mongo-connection.js';
import { TcpProxy } from '../outside/tcp-proxy.js';
import { type Shortfalls, shortfallsOf } from './document-store-shortfalls.js';
import { addressIn, behindProxy } from './mongodb/address.js';
import { MongodbProxy } from './mongodb/mongodb-proxy.js';
import type { MongodbRules } from './mongodb/rules.js';

/** URL of MongoDB for tests; undefined if there is none. */
export const MONGODB_URL = process.env.MONGODB_URL || undefined;

/** `describe` for tests that need MongoDB. Without it they are skipped, and name the variable to set. */
export function describeMongodb(name: string, tests: () => void): void {
  if (MONGODB_URL) describe(name, tests);
  else describe.skip(`skipped: set MONGODB_URL (${name})`, tests);
}

/** Whether the tests' MongoDB writes to several collections in one command, as since 8.0. Without a server: no. */
export async function serverWritesTogether(): Promise<boolean> {
  if (!MONGODB_URL) return false;
  const connection = await MongoConnection.open(MONGODB_URL);
  await connection.close();
  return connection.writesTogether;
}

/** Known shortfalls of the tests' MongoDB, if it is a stand-in. */
export async function shortfallsOfServer(): Promise<Shortfalls> {
  if (!MONGODB_URL) return {};
  const connection = await MongoConnection.open(MONGODB_URL);
  const buildInfo = await connection.database.admin().buildInfo();
  await connection.close();
  return shortfallsOf(buildInfo);
}

export interface OwnDatabase {
  readonly name: string;
  /** URL of a database that nobody else uses. */
  readonly url: string;
  connect(timeouts?: MongoTimeouts): Promise<MongoConnection>;
  /** Closes the connections. */
  close(): Promise<void>;
  /** Removes the database, and closes the connections. */
  remove(): Promise<void>;
}

export function ownDatabase(server = MONGODB_URL, name = `annals-test-${randomBytes(6).toString('hex')}`): OwnDatabase {
  if (!server) throw new Error('set MONGODB_URL');
  const url = withDatabase(server, name);
  const opened: MongoConnection[] = [];
  // A stand-in in Python is slow on a busy machine.
  const connect = async (timeouts: MongoTimeouts = { findServer: 30_000, call: 60_000 }) => {
    const connection = await MongoConnection.open(url, timeouts);
    opened.push(connection);
    return connection;
  };
  const close = async () => {
    await Promise.all(opened.splice(0).map((connection) => connection.close()));
  };
  const remove = async () => {
    // A server for the tests alone is removed with its databases.
    if (!process.env.MONGODB_DISPOSABLE) await (await connect()).database.dropDatabase();
    await close();
  };
  return { name, url, connect, close, remove };
}

export function withDatabase(server: string, name: string): string {
  const [, hosts = '', query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(server) ?? [];
  return `${hosts}/${name}${query}`;
}

/** The tests' server behind a proxy that can disturb connections. The driver keeps to the proxy's address. */
export async function disturbedServer(): Promise<{ readonly proxy: TcpProxy; readonly server: string }> {
  const address = addressIn(MONGODB_URL ?? '');
  const proxy = await TcpProxy.to(address.host, address.port);
  return { proxy, server: behindProxy(address, proxy.port) };
}

/** The tests' server behind rules of the test's own, instead of the rules that hold for all tests. */
export const mongodbWith = (rules: MongodbRules): Promise<MongodbProxy> =>
  MongodbProxy.start(process.env.MONGODB_BARE_URL || MONGODB_URL || '', rules);
