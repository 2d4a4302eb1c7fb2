import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { checkedName, type DocumentDatabase, type DocumentStore, type StoredCheckpoint } from '../document-store.js';
import { DatabaseRecords } from './database-records.js';
import type { Tally } from './document-query.js';
import { partsOf } from './layout.js';
import { asUnavailable, MongoDocumentDatabase } from './mongo-document-database.js';
import { sendTogether, WriteGroup } from './write-group.js';
import { WriterSession } from './writer-session.js';

const FORMAT = 1;
/** Longest time for dropping a collection, which waits for its open transactions: ms. */
const DROP_BOUND = 120_000;

/** Documents in one database of MongoDB, shared by any number of processes. */
export class MongoDocumentStore implements DocumentStore {
  private readonly opened = new Map<string, Promise<MongoDocumentDatabase>>();
  private readonly records: DatabaseRecords;
  private readonly tally: Tally;
  private readonly group: WriteGroup;

  private constructor(
    private readonly connection: MongoConnection,
    explains: boolean,
  ) {
    this.records = new DatabaseRecords(connection);
    this.tally = { examined: 0, returned: 0, explains };
    this.group = new WriteGroup(connection, this.records, (writes, session) =>
      sendTogether(connection, this.records, writes, session),
    );
  }

  /**
   * @param options `explains`: the server explains every query besides, for `rowsExamined`
   * @throws StartRefused
   */
  static async open(connection: MongoConnection, { explains = false } = {}): Promise<MongoDocumentStore> {
    await connection.claimFormat('documents', FORMAT);
    return new MongoDocumentStore(connection, explains);
  }

  async database(name: string): Promise<DocumentDatabase> {
    for (;;) {
      const database = await (this.opened.get(name) ?? this.opening(name));
      if (database.retain()) return database;
      await database.closeForAll();
    }
  }

  async databases(): Promise<string[]> {
    return guarded(async () => {
      const remains = (await this.collections()).flatMap((native) => partsOf(native)?.database ?? []);
      return [...new Set([...(await this.records.names()), ...remains])].sort();
    });
  }

  async checkpoints(database?: string): Promise<readonly StoredCheckpoint[]> {
    const all = await guarded(() => this.records.checkpoints());
    return database === undefined ? all : all.filter((one) => one.database === database);
  }

  async dropDatabase(name: string): Promise<void> {
    checkedName(name);
    const open = await this.opened.get(name);
    await open?.closeForAll();
    await guarded(async () => {
      const record = await this.records.read(name);
      if (record)
        await new WriterSession(this.connection, this.records, record, () => this.group.sessionId()).endOthers();
      await this.records.remove(name);
      const found = await this.collections();
      // Another process may have created the database anew: collections of the live record stay.
      const live = await this.records.read(name);
      for (const native of found) {
        const parts = partsOf(native);
        if (parts?.database !== name || parts.incarnation === live?.incarnation) continue;
        await this.connection.call(() => this.connection.database.dropCollection(native), DROP_BOUND);
      }
    });
  }

  rowsExamined(): { readonly examined: number; readonly returned: number } {
    const { examined, returned, explains } = this.tally;
    if (!explains) throw new Error('the store was not asked to count rows (`explains`)');
    return { examined, returned };
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled([...this.opened.values()]);
    await Promise.all(
      opened.map((database) => (database.status === 'fulfilled' ? database.value.closeForAll() : undefined)),
    );
    await this.group.close();
  }

  private opening(name: string): Promise<MongoDocumentDatabase> {
    const opening = this.openDatabase(checkedName(name));
    this.opened.set(name, opening);
    // The next call tries again to open it.
    opening.catch(() => this.opened.delete(name));
    return opening;
  }

  private openDatabase(name: string): Promise<MongoDocumentDatabase> {
    return guarded(async () => {
      const record = await this.records.open(name);
      return new MongoDocumentDatabase(this.connection, this.records, record, this.tally, this.group, () => {
        this.opened.delete(name);
      });
    });
  }

  private async collections(): Promise<string[]> {
    const { database } = this.connection;
    const found = await this.connection.call(() => database.listCollections({}, { nameOnly: true }).toArray());
    return found.map(({ name }) => name);
  }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(error);
  }
}
