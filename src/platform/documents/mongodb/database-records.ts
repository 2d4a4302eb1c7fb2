import { randomBytes } from 'node:crypto';
import type { Binary, ClientSession, Collection } from 'mongodb';
import { type EventPlace, placeOf } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { isDuplicateKey } from '../../mongodb/mongo-failure.js';
import { DocumentStoreUnavailable, type StoredCheckpoint } from '../document-store.js';
import type { NativeWrites } from './client-writes.js';
import type { NativeOperation } from './document-operations.js';
import { EMPTY_LAYOUT, nativeName, type StoredLayout } from './layout.js';

/** A database of the port: its collections and its checkpoint. */
export interface DatabaseRecord {
  readonly _id: string;
  /** Drawn when the database is created, and part of its collections' names. A recreated database has another one. */
  readonly incarnation: string;
  readonly checkpoint: Position | null;
  /** The event stored with the checkpoint. */
  readonly event?: EventPlace;
  /** Counts the changes of `collections`. */
  readonly revision: number;
  readonly collections: readonly StoredCollection[];
  /** Sessions of the processes that have written transactions, newest last. */
  readonly sessions?: readonly Binary[];
}

interface StoredCollection extends StoredLayout {
  readonly name: string;
}

export interface CheckpointMove {
  /** The expected checkpoint: a transaction of unknown outcome, or another process, may have moved it. */
  readonly from: Position | null;
  readonly to: Position;
  /** The event stored with the checkpoint; undefined: the stored event stays. */
  readonly event: EventPlace | undefined;
}

const RECORDS = 'documentDatabases';
const EARLIER_CHANGES = 'noted';
/** More processes than ever write one database at a time. */
const MOST_SESSIONS = 20;

/**
 * One record for each of the port's databases, beside their collections. Creating a database begins with inserting the
 * record, dropping it begins with deleting the record: collections without a record are remains.
 */
export class DatabaseRecords {
  private readonly records: Collection<DatabaseRecord>;

  constructor(private readonly connection: MongoConnection) {
    this.records = connection.database.collection<DatabaseRecord>(RECORDS);
  }

  /** The record of that name, created if it is missing. A database with an event left half written is created anew. */
  async open(name: string): Promise<DatabaseRecord> {
    for (;;) {
      const known = await this.read(name);
      if (known && !(await this.isHalfWritten(known))) return known;
      if (known)
        await this.connection.call(() => this.records.deleteOne({ _id: name, incarnation: known.incarnation }));
      const made = { incarnation: randomBytes(4).toString('hex'), checkpoint: null, revision: 0, collections: [] };
      try {
        await this.connection.call(() => this.records.insertOne({ _id: name, ...made }));
      } catch (error) {
        // Another process has created it meanwhile.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  async read(name: string): Promise<DatabaseRecord | null> {
    return this.connection.call(() => this.records.findOne({ _id: name }));
  }

  async names(): Promise<string[]> {
    const found = await this.connection.call(() => this.records.find({}, { projection: { _id: 1 } }).toArray());
    return found.map(({ _id }) => _id);
  }

  async checkpoints(): Promise<StoredCheckpoint[]> {
    const projection = { checkpoint: 1, event: 1 };
    const found = await this.connection.call(() => this.records.find({}, { projection }).toArray());
    return found.flatMap(({ _id, checkpoint, event = null }) =>
      checkpoint === null ? [] : [{ database: _id, position: checkpoint, event }],
    );
  }

  async remove(name: string): Promise<void> {
    await this.connection.call(() => this.records.deleteOne({ _id: name }));
  }

  /** Stores layouts of collections beside the layouts that other processes have stored since. */
  async putLayouts(record: DatabaseRecord, layouts: ReadonlyMap<string, StoredLayout>): Promise<DatabaseRecord> {
    for (;;) {
      const current = this.live(record, await this.read(record._id));
      const collections = [
        ...current.collections.filter(({ name }) => !layouts.has(name)),
        ...[...layouts].map(([name, layout]) => ({ name, ...layout })),
      ];
      const { matchedCount } = await this.connection.call(() =>
        this.records.updateOne(
          { _id: record._id, incarnation: record.incarnation, revision: current.revision },
          { $set: { collections, revision: current.revision + 1 } },
        ),
      );
      if (matchedCount > 0) return { ...current, collections, revision: current.revision + 1 };
    }
  }

  /** The record as it is stored now. @throws DocumentStoreUnavailable if the database was dropped */
  async current(record: DatabaseRecord): Promise<DatabaseRecord> {
    return this.live(record, await this.read(record._id));
  }

  async checkpoint(record: DatabaseRecord): Promise<Position | null> {
    return (await this.current(record)).checkpoint;
  }

  /** @returns false if the checkpoint is not `move.from` */
  async moveCheckpoint(record: DatabaseRecord, move: CheckpointMove, session: ClientSession): Promise<boolean> {
    const { filter, update } = moveOf(record, move);
    const { matchedCount } = await this.connection.call(() => this.records.updateOne(filter, update, { session }));
    return matchedCount > 0;
  }

  /** Moves as writes among others. Each must match a document. */
  checkpointWrites(moves: readonly { readonly record: DatabaseRecord; readonly move: CheckpointMove }[]): NativeWrites {
    const operations = moves.map(({ record, move }): NativeOperation => ({ updateOne: moveOf(record, move) }));
    return { collection: RECORDS, namespace: this.records.namespace, operations };
  }

  /** The recorded sessions without the process's own. */
  async sessions({ _id }: DatabaseRecord, own: readonly Binary[]): Promise<Binary[]> {
    const found = await this.read(_id);
    return (found?.sessions ?? []).filter((id) => !own.some((each) => each.toString('hex') === id.toString('hex')));
  }

  async addSession(records: readonly DatabaseRecord[], session: Binary): Promise<void> {
    const sessions = { $each: [session], $slice: -MOST_SESSIONS };
    await this.connection.call(() => this.records.updateMany(anyOf(records), { $push: { sessions } }));
  }

  async removeSession(records: readonly DatabaseRecord[], session: Binary): Promise<void> {
    await this.connection.call(() => this.records.updateMany(anyOf(records), { $pull: { sessions: session } }));
  }

  /**
   * Earlier versions supported servers without transactions. There they wrote an event's changes in a collection of the
   * database before they wrote them, and moved the checkpoint last.
   */
  private async isHalfWritten({ _id, incarnation, checkpoint, collections }: DatabaseRecord): Promise<boolean> {
    if (checkpoint === null || !collections.some(({ name }) => name === EARLIER_CHANGES)) return false;
    const changes = this.connection.database.collection<{ position: Position }>(
      nativeName(_id, incarnation, EARLIER_CHANGES),
    );
    const newest = await this.connection.call(() => changes.findOne());
    return newest !== null && newest.position > checkpoint;
  }

  private live(record: DatabaseRecord, found: DatabaseRecord | null): DatabaseRecord {
    if (found?.incarnation === record.incarnation) return found;
    throw new DocumentStoreUnavailable(`${record._id} has been dropped`);
  }
}

const anyOf = (records: readonly DatabaseRecord[]) => ({
  $or: records.map(({ _id, incarnation }) => ({ _id, incarnation })),
});

const moveOf = ({ _id, incarnation }: DatabaseRecord, { from, to, event }: CheckpointMove) => ({
  filter: { _id, incarnation, checkpoint: from },
  update: { $set: { checkpoint: to, ...(event && { event: placeOf(event) }) } },
});

export function layoutIn({ collections }: DatabaseRecord, name: string): StoredLayout {
  const found = collections.find((each) => each.name === name);
  if (!found) return EMPTY_LAYOUT;
  const { name: _, scope = [], ...layout } = found;
  return { ...layout, scope };
}
