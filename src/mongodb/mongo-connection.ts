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
import { AwakeTimer } from '../kernel/awake-time.js';
import { StartRefused } from '../kernel/start-refused.js';
import { within } from '../kernel/within.js';
import { NoAnswer } from './mongo-failure.js';
import { databaseOf } from './mongo-url.js';
import { refusalOf } from './refused-connection.js';

export interface MongoTimeouts {
  /** How long a server is looked for, when connecting and later: ms. */
  readonly findServer?: number;
  /** How long one call may take, retries included: ms. */
  readonly call?: number;
}

/** The wire version of MongoDB 8.0: from then on, one command writes to several collections. */
const WRITES_TOGETHER_SINCE = 25;

/** What each item of a batch may take besides. */
const MS_EACH = 5;

/** Acknowledged is on the disks of a majority: what a change of primary cannot take back. */
export const DURABLE = { w: 'majority', journal: true } as const;

/**
 * One process's connection to MongoDB, shared by the adapters: each of them leaves it to whoever opened it. Everything
 * is read from the primary and written to the majority, whatever the address says.
 */
export class MongoConnection {
  private constructor(
    private readonly client: MongoClient,
    private readonly url: string,
    /** The database that the address names. */
    readonly database: Db,
    /** `MongoDB 8.0.4` */
    readonly engineVersion: string,
    /** A replica set or a sharded cluster: it has transactions and change streams. */
    readonly hasTransactions: boolean,
    /** One command can write to several collections: `bulkWrite`. */
    readonly writesTogether: boolean,
    /** How long one call may take where it is not told otherwise: ms. */
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
      const [hello, { version }] = await within(asked, call, () => new NoAnswer(`nothing for ${call} ms`));
      const hasTransactions = typeof hello.setName === 'string' || hello.msg === 'isdbgrid';
      const writesTogether = Number(hello.maxWireVersion) >= WRITES_TOGETHER_SINCE;
      const engine = `MongoDB ${version}`;
      return new MongoConnection(client, url, client.db(name), engine, hasTransactions, writesTogether, call);
    } catch (error) {
      await client?.close();
      throw await refusalOf(error, url);
    }
  }

  /**
   * Notes which format a part of the database has, where nobody has before; with that, that it may be read and written.
   *
   * @throws StartRefused where it is a newer one, or access is denied
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
      if (!known) await this.call(() => formats.updateOne({ _id: part }, { $setOnInsert: { version } }, options));
    });
  }

  /** Whether somebody has ever noted the format of this part. @throws StartRefused */
  async hasFormat(part: string): Promise<boolean> {
    const formats = this.database.collection<{ _id: string }>('formats');
    return this.starting(async () => (await this.call(() => formats.findOne({ _id: part }))) !== null);
  }

  /** What must succeed for a process to start. @throws StartRefused */
  async starting<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw await refusalOf(error, this.url);
    }
  }

  /** Whoever asks for one ends it. Everything is read from the primary: it needs no word of what was written before. */
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
   * One call of the driver, with a timer of our own: a server that accepts and never answers ends no call by itself.
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

  /** How long a call that writes so many may take: ms. */
  batchTimeout(size: number): number {
    return this.callTimeout + size * MS_EACH;
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
