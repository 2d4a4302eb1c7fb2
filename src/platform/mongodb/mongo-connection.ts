import {
  type AnyClientBulkWriteModel,
  type ClientBulkWriteOptions,
  type ClientBulkWriteResult,
  type ClientSession,
  type Db,
  type Document,
  MongoClient,
  ReadPreference,
} from 'mongodb';
import { AwakeTimer, withTimeout } from '../kernel/awake-time.js';
import { StartRefused } from '../kernel/start-refused.js';
import { NoAnswer } from './mongo-failure.js';
import { databaseOf } from './mongo-url.js';
import { refusalOf } from './refused-connection.js';

export interface MongoTimeouts {
  /** Longest search for a server, when connecting and later: ms. */
  readonly findServer?: number;
  /** Longest time for a call, retries included: ms. */
  readonly call?: number;
}

/** The wire version of MongoDB 8.0, the first in which one command writes to several collections. */
const WRITES_TOGETHER_SINCE = 25;

/** Additional time for each write of a batch. */
const MS_EACH = 5;

const NO_REPLICA_SET =
  'MONGODB_URL names a MongoDB server without a replica set, and so without transactions: start it with --replSet rs0, then run rs.initiate() once in mongosh (a replica set of one member is enough).';

/** Replica sets and sharded clusters have transactions and change streams. */
const hasTransactions = (hello: Document): boolean => typeof hello.setName === 'string' || hello.msg === 'isdbgrid';

/** Acknowledged writes are on the disks of a majority: no change of primary takes them back. */
export const DURABLE = { w: 'majority', journal: true } as const;

/**
 * A process's connection to MongoDB, shared by the adapters, which never close it. All reads go to the primary and all
 * writes to the majority, whatever the address says.
 */
export class MongoConnection {
  private constructor(
    private readonly client: MongoClient,
    private readonly url: string,
    /** The database that the address names. */
    readonly database: Db,
    /** `MongoDB 8.0.4` */
    readonly engineVersion: string,
    /** One command can write to several collections: `bulkWrite`. */
    readonly writesTogether: boolean,
    /** Longest time for a call without a timeout of its own: ms. */
    readonly callTimeout: number,
  ) {}

  /** @throws StartRefused */
  static async open(url: string, timeouts: MongoTimeouts = {}): Promise<MongoConnection> {
    const { findServer = 10_000, call = 10_000 } = timeouts;
    const name = databaseOf(url);
    let client: MongoClient | undefined;
    try {
      client = new MongoClient(url, {
        appName: 'annals',
        serverSelectionTimeoutMS: findServer,
        connectTimeoutMS: findServer,
        waitQueueTimeoutMS: call,
        writeConcern: DURABLE,
        readPreference: ReadPreference.primary,
        ignoreUndefined: true,
      });
      await client.connect();
      const admin = client.db('admin');
      const asked = Promise.all([admin.command({ hello: 1 }), admin.command({ buildInfo: 1 })]);
      const [hello, { version }] = await withTimeout(asked, call, () => new NoAnswer(`nothing for ${call} ms`));
      if (!hasTransactions(hello)) throw new StartRefused(NO_REPLICA_SET);
      const writesTogether = Number(hello.maxWireVersion) >= WRITES_TOGETHER_SINCE;
      const engine = `MongoDB ${version}`;
      return new MongoConnection(client, url, client.db(name), engine, writesTogether, call);
    } catch (error) {
      await client?.close();
      throw await refusalOf(error, url);
    }
  }

  /**
   * Records the format of a part of the database unless it is recorded. An earlier format becomes this one. Shows that the
   * database may be read and written.
   *
   * @throws StartRefused if a newer format is recorded, or access is denied
   */
  async claimFormat(part: string, version: number): Promise<void> {
    const formats = this.database.collection<{ _id: string; version: number }>('formats');
    await this.starting(async () => {
      const known = await this.call(() => formats.findOne({ _id: part }));
      if (known && known.version > version) {
        throw new StartRefused(
          `the database ${this.database.databaseName} of MONGODB_URL was written by a newer version of Annals (${part}: ${known.version}, not ${version}): start that one.`,
        );
      }
      const options = { upsert: true };
      if (known?.version !== version)
        await this.call(() => formats.updateOne({ _id: part }, { $max: { version } }, options));
    });
  }

  /** Whether the format of this part was ever recorded. @throws StartRefused */
  async hasFormat(part: string): Promise<boolean> {
    const formats = this.database.collection<{ _id: string }>('formats');
    return this.starting(async () => (await this.call(() => formats.findOne({ _id: part }))) !== null);
  }

  /** Runs work that must succeed for a process to start. @throws StartRefused */
  async starting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw await refusalOf(error, this.url);
    }
  }

  /** Starts a session, to be ended by the caller. Reads go to the primary: causal consistency adds nothing. */
  startSession(): ClientSession {
    return this.client.startSession({ causalConsistency: false });
  }

  bulkWrite(
    writes: readonly AnyClientBulkWriteModel<Document>[],
    options: ClientBulkWriteOptions,
  ): Promise<ClientBulkWriteResult> {
    return this.client.bulkWrite(writes, options);
  }

  /**
   * Makes a call of the driver with a timer: the driver waits for ever for a server that accepts and never answers.
   *
   * @param timeout ms
   * @throws NoAnswer, or what the driver throws
   */
  async call<T>(work: () => Promise<T>, timeout = this.callTimeout): Promise<T> {
    let timer: AwakeTimer | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = new AwakeTimer(timeout, () => reject(new NoAnswer(`MongoDB has not answered for ${timeout} ms`)));
    });
    try {
      return await Promise.race([work(), silence]);
    } finally {
      timer?.clear();
    }
  }

  /** Longest time for a call that writes so many documents: ms. */
  batchTimeout(size: number): number {
    return this.callTimeout + size * MS_EACH;
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
