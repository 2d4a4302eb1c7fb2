import {
  type Collection,
  type DocumentDatabase,
  type DocumentStore,
  DocumentStoreUnavailable,
  type DocumentTransaction,
  type StoredCheckpoint,
  type StoredDocument,
  type WriteResult,
} from '../../src/document-store/document-store.js';
import type { EventPlace } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';

/** Documents as an engine without transactions keeps them, over one that has them. */
export class WithoutTransactions implements DocumentStore {
  /** @param beforeWrite throws where the process is to end between two writes, or holds it up there */
  constructor(
    private readonly store: DocumentStore,
    private readonly beforeWrite: () => void | Promise<void>,
  ) {}

  async database(name: string): Promise<DocumentDatabase> {
    return new DatabaseWithoutTransactions(await this.store.database(name), this.beforeWrite);
  }

  checkpoints(): Promise<readonly StoredCheckpoint[]> {
    return this.store.checkpoints();
  }

  databases(): Promise<string[]> {
    return this.store.databases();
  }

  dropDatabase(name: string): Promise<void> {
    return this.store.dropDatabase(name);
  }

  rowsExamined(): { readonly examined: number; readonly returned: number } {
    return this.store.rowsExamined();
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

class DatabaseWithoutTransactions implements DocumentDatabase {
  readonly isAtomic = false;
  readonly name: string;
  readonly ensure: DocumentDatabase['ensure'];
  readonly purge: DocumentDatabase['purge'];
  readonly close: DocumentDatabase['close'];
  private knownCheckpoint: Position | null = null;

  constructor(
    private readonly database: DocumentDatabase,
    private readonly beforeWrite: () => void | Promise<void>,
  ) {
    this.name = database.name;
    this.ensure = database.ensure.bind(database);
    this.purge = database.purge.bind(database);
    this.close = database.close.bind(database);
  }

  collection<D extends StoredDocument>(name: string): Collection<D> {
    const collection = this.database.collection<D>(name);
    const write =
      <Arguments extends unknown[], Result>(method: (...given: Arguments) => Promise<Result>) =>
      async (...given: Arguments): Promise<Result> => {
        await this.beforeWrite();
        return method.apply(collection, given);
      };
    return {
      findOne: collection.findOne.bind(collection),
      find: collection.find.bind(collection),
      countDocuments: collection.countDocuments.bind(collection),
      insertOne: write(collection.insertOne),
      replaceOne: write(collection.replaceOne),
      updateOne: write(collection.updateOne),
      updateMany: write(collection.updateMany),
      deleteOne: write(collection.deleteOne),
      deleteMany: write(collection.deleteMany),
      bulkWrite: write(collection.bulkWrite),
    };
  }

  async checkpoint(): Promise<Position | null> {
    this.knownCheckpoint = await this.database.checkpoint();
    return this.knownCheckpoint;
  }

  /** What is written in it is there at once; the checkpoint moves for whoever knows it. */
  async transaction<T>(work: (transaction: DocumentTransaction) => Promise<T>): Promise<T> {
    let checkpoint: Position | null = null;
    let event: EventPlace | undefined;
    const result = await work({
      collection: (name) => this.collection(name),
      writeAll: async (writes, position, place) => {
        const results: WriteResult[] = [];
        for (const { collection, operations } of writes) {
          results.push(await this.collection(collection).bulkWrite(operations));
        }
        checkpoint = position ?? checkpoint;
        event = place ?? event;
        return results;
      },
      setCheckpoint: async (position, place) => {
        checkpoint = position;
        event = place ?? event;
      },
    });
    if (checkpoint === null) return result;
    await this.beforeWrite();
    const position: Position = checkpoint;
    if ((await this.database.checkpoint()) !== this.knownCheckpoint)
      throw new DocumentStoreUnavailable('somebody else has moved the checkpoint');
    await this.database.transaction((transaction) => transaction.setCheckpoint(position, event));
    this.knownCheckpoint = position;
    return result;
  }
}
