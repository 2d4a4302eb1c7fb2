import { randomBytes } from 'node:crypto';
import { describe } from '@jest/globals';
import { MongoConnection, type MongoTimeouts } from '../../src/platform/mongodb/mongo-connection.js';
import { type Shortfalls, shortfallsOf } from './document-store-shortfalls.js';
import { TcpProxy } from './tcp-proxy.js';

/** Where the tests find MongoDB; nothing where nobody has said so. */
export const MONGODB_URL = process.env.MONGODB_URL || undefined;

/** Tests that need MongoDB; without one they are skipped, and say what to set. */
export function describeMongodb(name: string, tests: () => void): void {
  if (MONGODB_URL) describe(name, tests);
  else describe.skip(`skipped: set MONGODB_URL (${name})`, tests);
}

/** What is known to be otherwise where the tests' server only stands in for MongoDB. */
export async function shortfallsOfServer(): Promise<Shortfalls> {
  if (!MONGODB_URL) return {};
  const connection = await MongoConnection.open(MONGODB_URL);
  const buildInfo = await connection.database.admin().buildInfo();
  await connection.close();
  return shortfallsOf(buildInfo);
}

export interface OwnDatabase {
  readonly name: string;
  /** The address of a database that nobody else uses. */
  readonly url: string;
  connect(timeouts?: MongoTimeouts): Promise<MongoConnection>;
  /** Closes what was opened. */
  close(): Promise<void>;
  /** Removes the database, and closes what was opened. */
  remove(): Promise<void>;
}

export function ownDatabase(server = MONGODB_URL, name = `annals-test-${randomBytes(6).toString('hex')}`): OwnDatabase {
  if (!server) throw new Error('set MONGODB_URL');
  const url = withDatabase(server, name);
  const opened: MongoConnection[] = [];
  // A server in Python, on a machine with much else to do, takes its time.
  const connect = async (timeouts: MongoTimeouts = { findServer: 30_000, call: 60_000 }) => {
    const connection = await MongoConnection.open(url, timeouts);
    opened.push(connection);
    return connection;
  };
  const close = async () => {
    await Promise.all(opened.splice(0).map((connection) => connection.close()));
  };
  const remove = async () => {
    // A server that is there for the tests alone takes its databases with it.
    if (!process.env.MONGODB_DISPOSABLE) await (await connect()).database.dropDatabase();
    await close();
  };
  return { name, url, connect, close, remove };
}

export function withDatabase(server: string, name: string): string {
  const [, hosts = '', query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(server) ?? [];
  return `${hosts}/${name}${query}`;
}

/** The server that the tests use, behind a line that they can disturb; the driver takes the address as it is given. */
export async function disturbedServer(): Promise<{ readonly proxy: TcpProxy; readonly server: string }> {
  const [, host = '', port = '27017'] = /^mongodb:\/\/(?:[^@/]*@)?([^:,/?]+)(?::(\d+))?/.exec(MONGODB_URL ?? '') ?? [];
  const proxy = await TcpProxy.to(host, Number(port));
  const credentials = /\/\/([^@/]*@)/.exec(MONGODB_URL ?? '')?.[1] ?? '';
  return { proxy, server: `mongodb://${credentials}127.0.0.1:${proxy.port}/?directConnection=true` };
}
