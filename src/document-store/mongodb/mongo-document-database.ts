import type { ClientSession } from 'mongodb';
import type { Position } from '../../kernel/position.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { passingReason, violatedIndex } from '../../mongodb/mongo-failure.js';
import { checkedName } from '../checked-name.js';
import {
  type Collection,
  type CollectionSpec,
  type CollectionWrites,
  type DocumentDatabase,
  DocumentStoreUnavailable,
  type DocumentTransaction,
  DuplicateKey,
  type StoredDocument,
  type WriteResult,
} from '../document-store.js';
import { type NativeWrites, writeTogether } from './client-writes.js';
import { nativeName } from './collection-names.js';
import { type CheckpointMove, type DatabaseRecord, type DatabaseRecords, layoutIn } from './database-records.js';
import { type NativeOperation, translate } from './document-operations.js';
import { DocumentQuery, type Native } from './document-query.js';
import { DocumentWriter } from './document-writer.js';
import { ensureCollection } from './ensure-collection.js';
import { type CollectionLayout, layoutOf, type StoredLayout, withSpec } from './layout.js';
import { type CollectionAccess, MongoCollection } from './mongo-collection.js';
import { OpenTransaction, runIn } from './open-transaction.js';
import { ReadsById } from './reads-by-id.js';
import type { Tally } from './tally.js';
import { WriterSession } from './writer-session.js';

/** Of more writes than these, what becomes of each costs more to tell than a command for each collection does. */
const MOST_TOGETHER = 500;

/**
 * One of the port's databases: its record, and a collection of MongoDB for each of its own. Writes and transactions of
 * a process take turns.
 */
export class MongoDocumentDatabase implements DocumentDatabase {
  private layouts: ReadonlyMap<string, CollectionLayout>;
  /** As this process knows it: null while nothing has been stored. */
  private knownCheckpoint: Position | null;
  /** The end of the queue: the last write or transaction that has been asked for. */
  private lastTurn: Promise<unknown> = Promise.resolve();
  private readonly session: WriterSession;
  private readonly readsById = new Map<string, ReadsById>();
  private closing: Promise<void> | null = null;
  private closed = false;
  private holders = 0;

  constructor(
    private readonly connection: MongoConnection,
    private readonly records: DatabaseRecords,
    private record: DatabaseRecord,
    private readonly tally: Tally,
    private readonly onClose: () => void,
  ) {
    this.layouts = layoutsOf(record);
    this.knownCheckpoint = record.checkpoint;
    this.session = new WriterSession(connection, records, record);
  }

  get name(): string {
    return this.record._id;
  }

  get isAtomic(): boolean {
    return this.connection.hasTransactions;
  }

  async ensure(collections: Readonly<Record<string, CollectionSpec>>): Promise<void> {
    await this.inTurn(async () => {
      const changed = new Map<string, StoredLayout>();
      for (const [name, spec] of Object.entries(collections)) {
        const layout = await this.ensureOne(checkedName(name), spec);
        if (layout) changed.set(name, layout);
      }
      if (changed.size === 0) return;
      this.record = await this.session.unhindered(() => this.records.putLayouts(this.record, changed));
      this.layouts = layoutsOf(this.record);
    });
  }

  collection<D extends StoredDocument>(name: string): Collection<D> {
    const access = this.access(name, undefined);
    return new MongoCollection<D>({
      byId: (id) => this.guarded(() => this.byId(name).read(id)),
      read: (work) => this.guarded(() => access.read(work)),
      write: (work) => this.inTurn(() => this.session.unhindered(() => access.write(work))),
    });
  }

  transaction<T>(work: (transaction: DocumentTransaction) => Promise<T>): Promise<T> {
    return this.inTurn(() => (this.isAtomic ? this.atomically(work) : this.inOrder(work)));
  }

  async checkpoint(): Promise<Position | null> {
    return this.guarded(async () => {
      const stored = await this.records.checkpoint(this.record);
      this.knownCheckpoint = stored;
      return stored;
    });
  }

  /** MongoDB keeps what was, in its oplog and in freed blocks, for as long as it does. */
  async purge(): Promise<void> {}

  /** For one more who opens it. @returns false where it is being closed */
  hold(): boolean {
    if (this.closing) return false;
    this.holders++;
    return true;
  }

  async close(): Promise<void> {
    this.holders--;
    if (this.holders <= 0) await this.closeForAll();
  }

  closeForAll(): Promise<void> {
    this.closing ??= this.queued(async () => {
      this.closed = true;
      this.onClose();
      await this.session.close();
    });
    return this.closing;
  }

  /** @returns what is to be noted; null where that is known */
  private async ensureOne(name: string, spec: CollectionSpec): Promise<StoredLayout | null> {
    const before = layoutIn(this.record, name);
    const layout = withSpec(before, spec);
    if (this.layouts.has(name) && JSON.stringify(before) === JSON.stringify(layout)) return null;
    await ensureCollection(this.connection, name, this.native(name), before, layout);
    return layout;
  }

  private async atomically<T>(work: (transaction: DocumentTransaction) => Promise<T>): Promise<T> {
    let stored: Position | null = null;
    const result = await this.session.transaction((session) => {
      const transaction = new OpenTransaction(
        (name) => this.access(name, session),
        async (position, event) => {
          await this.moveCheckpoint({ from: stored ?? this.knownCheckpoint, to: position, event }, session);
          stored = position;
        },
        async (writes, position, event) => {
          const move = position === undefined ? null : { from: stored ?? this.knownCheckpoint, to: position, event };
          const written = await this.together(writes, move, session);
          if (written && position !== undefined) stored = position;
          return written;
        },
        true,
      );
      return runIn(transaction, work);
    });
    this.knownCheckpoint = stored ?? this.knownCheckpoint;
    return result;
  }

  /** null where it takes more than one command. */
  private async together(
    writes: readonly CollectionWrites[],
    move: CheckpointMove | null,
    session: ClientSession,
  ): Promise<readonly WriteResult[] | null> {
    const many = writes.reduce((sum, { operations }) => sum + operations.length, 0) > MOST_TOGETHER;
    const native = this.connection.writesTogether && !many ? this.nativeWrites(writes) : null;
    if (!native) return null;
    const checkpoint = move ? [this.records.checkpointWrite(this.record, move)] : [];
    const results = await writeTogether(this.connection, [...native, ...checkpoint], session);
    if (move && results.at(-1)?.matched === 0) await this.refuseCheckpoint(move.from);
    return results.slice(0, writes.length);
  }

  /** null where an operation is more than one write. */
  private nativeWrites(writes: readonly CollectionWrites[]): readonly NativeWrites[] | null {
    const native: NativeWrites[] = [];
    for (const { collection, operations } of writes) {
      const layout = this.layout(collection);
      const stored = this.native(collection);
      const query = new DocumentQuery(this.connection, stored, layout, this.tally, undefined);
      const own: NativeOperation[] = [];
      for (const operation of operations) {
        const translated = translate(layout, query, operation);
        if (translated && !('native' in translated)) return null;
        if (translated) own.push(translated.native);
      }
      native.push({ collection, namespace: stored.namespace, operations: own });
    }
    return native;
  }

  /** Without transactions: writes as they come, and the checkpoint once all of them are stored. */
  private async inOrder<T>(work: (transaction: DocumentTransaction) => Promise<T>): Promise<T> {
    let wanted: Omit<CheckpointMove, 'from'> | null = null;
    const transaction = new OpenTransaction(
      (name) => this.access(name, undefined),
      async (to, event) => {
        wanted = { to, event };
      },
      async () => null,
      false,
    );
    const result = await runIn(transaction, work);
    if (wanted !== null) {
      const { to, event }: Omit<CheckpointMove, 'from'> = wanted;
      await this.moveCheckpoint({ from: this.knownCheckpoint, to, event }, undefined);
      this.knownCheckpoint = to;
    }
    return result;
  }

  /** @throws DocumentStoreUnavailable where it is not what this process knew; the next transaction knows it */
  private async moveCheckpoint(move: CheckpointMove, session: ClientSession | undefined): Promise<void> {
    if (!(await this.records.moveCheckpoint(this.record, move, session))) await this.refuseCheckpoint(move.from);
  }

  private async refuseCheckpoint(from: Position | null): Promise<never> {
    this.knownCheckpoint = await this.records.checkpoint(this.record);
    throw new DocumentStoreUnavailable(
      `the checkpoint of ${this.name} is not ${from} any more but ${this.knownCheckpoint}: somebody else has moved it`,
    );
  }

  private access(name: string, session: ClientSession | undefined): CollectionAccess {
    const query = () => new DocumentQuery(this.connection, this.native(name), this.layout(name), this.tally, session);
    const writer = () =>
      new DocumentWriter(this.connection, this.native(name), this.layout(name), query(), session ?? this.session);
    return {
      read: async (work) => work(query()),
      write: async (work) => {
        try {
          return await work(writer());
        } catch (error) {
          const violated = violatedIndex(error);
          throw violated === null ? error : new DuplicateKey(name, violated);
        }
      },
    };
  }

  private byId(name: string): ReadsById {
    let reads = this.readsById.get(name);
    if (!reads) {
      const { read } = this.access(name, undefined);
      reads = new ReadsById((ids) => {
        const [only] = ids;
        return read((query) => query.find({ _id: ids.length === 1 ? only : { $in: ids } }, {}));
      });
      this.readsById.set(name, reads);
    }
    return reads;
  }

  private native(name: string): Native {
    return this.connection.database.collection(nativeName(this.name, this.record.incarnation, name));
  }

  private layout(name: string): CollectionLayout {
    const layout = this.layouts.get(name);
    if (!layout) throw new Error(`${this.name} has no collection ${name}: ensure must have run`);
    return layout;
  }

  /** After all writes and transactions that were asked for before. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.queued(() => this.guarded(work));
  }

  private queued<T>(work: () => Promise<T>): Promise<T> {
    if (this.closing) return Promise.reject(new DocumentStoreUnavailable(`${this.name} is closed`));
    const turn = this.lastTurn.then(work);
    this.lastTurn = turn.catch(() => undefined);
    return turn;
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    if (this.closed) throw new DocumentStoreUnavailable(`${this.name} is closed`);
    try {
      return await work();
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}

/** What says that MongoDB is away, as the port's error; everything else stays what it is. */
export function asUnavailable(error: unknown): unknown {
  const reason = passingReason(error);
  return reason === null ? error : new DocumentStoreUnavailable(`documents: ${reason}`, { cause: error });
}

function layoutsOf(record: DatabaseRecord): Map<string, CollectionLayout> {
  return new Map(record.collections.map(({ name, ...layout }) => [name, layoutOf(name, layout)]));
}
