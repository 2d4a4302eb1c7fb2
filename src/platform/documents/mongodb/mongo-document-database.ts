import type { ClientSession } from 'mongodb';
import { Mutex } from '../../kernel/mutex.js';
import type { Position } from '../../kernel/position.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { isConflict, isDuplicateKey, isEnded, isRefusal, transientReason } from '../../mongodb/mongo-failure.js';
import {
  type Collection,
  type CollectionSpec,
  type CollectionWrites,
  checkedName,
  type DocumentDatabase,
  DocumentStoreUnavailable,
  type DocumentTransaction,
  DuplicateKey,
  type StoredDocument,
  type WholeWrite,
  type WriteResult,
} from '../document-store.js';
import { allWrites, writeIn } from '../whole-write.js';
import { type NativeWrites, writeTogether } from './client-writes.js';
import { type CheckpointMove, type DatabaseRecord, type DatabaseRecords, layoutIn } from './database-records.js';
import { type NativeOperation, TransactionSize, translate } from './document-operations.js';
import { DocumentQuery, type Native, type Tally } from './document-query.js';
import { DocumentWriter } from './document-writer.js';
import { ensureCollection } from './ensure-collection.js';
import { type CollectionLayout, layoutOf, nativeName, type StoredLayout, withSpec } from './layout.js';
import { type CollectionAccess, MongoCollection, ReadsById } from './mongo-collection.js';
import { OpenTransaction, runIn } from './open-transaction.js';
import { MOST_IN_GROUP, PreparedWrite, type WriteGroup } from './write-group.js';
import { repeatedIf, WriterSession } from './writer-session.js';

/** For more writes than these, the results of each write cost more than a command for each collection. */
const MOST_TOGETHER = 500;

/**
 * A database of the port: a record, and a collection of MongoDB for each of its collections. Writes and transactions of
 * a process take turns.
 */
export class MongoDocumentDatabase implements DocumentDatabase {
  private layouts: ReadonlyMap<string, CollectionLayout>;
  /** The checkpoint as this process knows it; null before the first. */
  private knownCheckpoint: Position | null;
  private readonly turns = new Mutex();
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
    private readonly group: WriteGroup,
    private readonly onClose: () => void,
  ) {
    this.layouts = layoutsOf(record);
    this.knownCheckpoint = record.checkpoint;
    this.session = new WriterSession(connection, records, record, () => group.sessionId());
  }

  get name(): string {
    return this.record._id;
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
    return this.inTurn(() => this.atomically(work));
  }

  write(write: WholeWrite): Promise<readonly WriteResult[]> {
    const operations = write.writes.reduce((sum, each) => sum + each.operations.length, 0);
    return this.inTurn(() =>
      operations > MOST_IN_GROUP ? this.writeWhole(write) : this.group.add(this.prepared(write)),
    );
  }

  async has(collection: string): Promise<boolean> {
    return this.guarded(async () => {
      this.record = await this.records.current(this.record);
      this.layouts = layoutsOf(this.record);
      return this.layouts.has(collection);
    });
  }

  async checkpoint(): Promise<Position | null> {
    return this.guarded(async () => {
      const known = this.knownCheckpoint;
      const stored = await this.records.checkpoint(this.record);
      // A write that was committed meanwhile knows more than this answer.
      if (this.knownCheckpoint === known) this.knownCheckpoint = stored;
      return stored;
    });
  }

  /** Does nothing: MongoDB alone decides how long its oplog and freed blocks keep deleted text. */
  async purge(): Promise<void> {}

  /** Counts one more opening. @returns false if the database is being closed */
  retain(): boolean {
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

  /** @returns the layout to store; null if it is stored already */
  private async ensureOne(name: string, spec: CollectionSpec): Promise<StoredLayout | null> {
    const before = layoutIn(this.record, name);
    const layout = withSpec(before, spec);
    if (this.layouts.has(name) && JSON.stringify(before) === JSON.stringify(layout)) return null;
    await ensureCollection(this.connection, name, this.native(name), before, layout);
    return layout;
  }

  private async atomically<T>(work: (transaction: DocumentTransaction) => Promise<T>): Promise<T> {
    let stored: Position | null = null;
    const size = new TransactionSize(this.name);
    const result = await this.session.transaction((session) => {
      const transaction = new OpenTransaction(
        (name) => this.access(name, session, size),
        async (position, event) => {
          await this.moveCheckpoint({ from: stored ?? this.knownCheckpoint, to: position, event }, session);
          stored = position;
        },
        async (writes, position, event) => {
          const move = position === undefined ? null : { from: stored ?? this.knownCheckpoint, to: position, event };
          const written = await this.together(writes, move, session, size);
          if (written && position !== undefined) stored = position;
          return written;
        },
      );
      return runIn(transaction, work);
    });
    this.knownCheckpoint = stored ?? this.knownCheckpoint;
    return result;
  }

  /**
   * Other processes may end the transaction, or be in its way. Of a large one, MongoDB says the same if it is too large:
   * then a repeat would be in vain.
   */
  private writeWhole(write: WholeWrite, isSmall = false): Promise<readonly WriteResult[]> {
    const isRepeated = (error: unknown): boolean => isEnded(error) || (isSmall && isConflict(error));
    return repeatedIf(isRepeated, () => this.atomically((transaction) => writeIn(transaction, this.name, write)));
  }

  private prepared(write: WholeWrite): PreparedWrite {
    const { checkpoint, event } = write;
    const move = checkpoint === undefined ? null : { from: this.knownCheckpoint, to: checkpoint, event };
    return new PreparedWrite(
      this.record,
      write,
      this.nativeWrites(allWrites(write)),
      move,
      (isSmall) => this.writeWhole(write, isSmall),
      () => {
        this.knownCheckpoint = checkpoint ?? this.knownCheckpoint;
      },
    );
  }

  /** Writes in one command; null if the writes need several. */
  private async together(
    writes: readonly CollectionWrites[],
    move: CheckpointMove | null,
    session: ClientSession,
    size: TransactionSize,
  ): Promise<readonly WriteResult[] | null> {
    const many = writes.reduce((sum, { operations }) => sum + operations.length, 0) > MOST_TOGETHER;
    const native = this.connection.writesTogether && !many ? this.nativeWrites(writes) : null;
    if (!native) return null;
    const checkpoint = move ? [this.records.checkpointWrites([{ record: this.record, move }])] : [];
    size.add(native.flatMap(({ operations }) => operations));
    const results = await writeTogether(this.connection, [...native, ...checkpoint], session);
    if (move && results.at(-1)?.matched === 0) await this.refuseCheckpoint(move.from);
    return results.slice(0, writes.length);
  }

  /** null if an operation needs more than one write. */
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

  /** @throws DocumentStoreUnavailable if the checkpoint is not the known one; the next transaction knows it */
  private async moveCheckpoint(move: CheckpointMove, session: ClientSession): Promise<void> {
    if (!(await this.records.moveCheckpoint(this.record, move, session))) await this.refuseCheckpoint(move.from);
  }

  private async refuseCheckpoint(from: Position | null): Promise<never> {
    this.knownCheckpoint = await this.records.checkpoint(this.record);
    throw new DocumentStoreUnavailable(
      `the checkpoint of ${this.name} is not ${from} any more but ${this.knownCheckpoint}: somebody else has moved it`,
    );
  }

  private access(
    name: string,
    session: ClientSession | undefined,
    size = new TransactionSize(this.name),
  ): CollectionAccess {
    const query = () => new DocumentQuery(this.connection, this.native(name), this.layout(name), this.tally, session);
    const writer = () =>
      new DocumentWriter(this.connection, this.native(name), this.layout(name), query(), session ?? this.session, size);
    return {
      read: async (work) => work(query()),
      write: async (work) => {
        try {
          return await work(writer());
        } catch (error) {
          throw isDuplicateKey(error) ? new DuplicateKey(name) : error;
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

  /** Runs after all writes and transactions that were asked for before. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.queued(() => this.guarded(work));
  }

  private queued<T>(work: () => Promise<T>): Promise<T> {
    if (this.closing) return Promise.reject(new DocumentStoreUnavailable(`${this.name} is closed`));
    return this.turns.run(work);
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

/** Turns an error that says MongoDB is away into the port's error. Any other error is returned as it is. */
export function asUnavailable(error: unknown): unknown {
  const reason = transientReason(error);
  if (reason === null) return error;
  return new DocumentStoreUnavailable(`documents: ${reason}`, { cause: error, isRefusal: isRefusal(error) });
}

function layoutsOf(record: DatabaseRecord): Map<string, CollectionLayout> {
  return new Map(record.collections.map(({ name, ...layout }) => [name, layoutOf(name, layout)]));
}
