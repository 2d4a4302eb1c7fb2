import { randomBytes } from 'node:crypto';
import type { Binary, ClientSession, Collection } from 'mongodb';
import { type EventPlace, placeOf } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { violatedIndex } from '../../mongodb/mongo-failure.js';
import { DocumentStoreUnavailable, type StoredCheckpoint } from '../document-store.js';
import type { NativeWrites } from './client-writes.js';
import type { NativeOperation } from './document-operations.js';
import { EMPTY_LAYOUT, type StoredLayout } from './layout.js';

/** That a database exists, what is in it, and how far it has come. */
export interface DatabaseRecord {
  readonly _id: string;
  /** Drawn when the database is made, and part of its collections' names: one that is dropped and made again is another. */
  readonly incarnation: string;
  readonly checkpoint: Position | null;
  /** That the checkpoint was stored with. */
  readonly event?: EventPlace;
  /** Counts the changes of `collections`. */
  readonly revision: number;
  readonly collections: readonly StoredCollection[];
  /** Of the processes that have written transactions, newest last. */
  readonly sessions?: readonly Binary[];
}

export interface StoredCollection extends StoredLayout {
  readonly name: string;
}

/** How a checkpoint moves. */
export interface CheckpointMove {
  /** What it must be: a transaction whose outcome nobody knew may have moved it, and so may another process. */
  readonly from: Position | null;
  readonly to: Position;
  /** Stored with it; absent: the one that is there stays. */
  readonly event: EventPlace | undefined;
}

const RECORDS = 'documentDatabases';
/** More processes than will write one database at a time. */
const MOST_SESSIONS = 20;

/**
 * One record for each of the port's databases, beside their collections. Whoever makes a database inserts the record
 * first and whoever drops one deletes it first: collections without a record are remains.
 */
export class DatabaseRecords {
  private readonly records: Collection<DatabaseRecord>;

  constructor(private readonly connection: MongoConnection) {
    this.records = connection.database.collection<DatabaseRecord>(RECORDS);
  }

  /** The record of that name, made where there is none. */
  async open(name: string): Promise<DatabaseRecord> {
    for (;;) {
      const known = await this.read(name);
      if (known) return known;
      const made = { incarnation: randomBytes(4).toString('hex'), checkpoint: null, revision: 0, collections: [] };
      try {
        await this.connection.call(() => this.records.insertOne({ _id: name, ...made }));
      } catch (error) {
        // Somebody else has made it meanwhile.
        if (violatedIndex(error) === null) throw error;
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

  /** Notes collections' layouts, with what others have noted since. */
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

  async checkpoint(record: DatabaseRecord): Promise<Position | null> {
    return this.live(record, await this.read(record._id)).checkpoint;
  }

  /** @returns false where it is another one than it is moved from */
  async moveCheckpoint(
    record: DatabaseRecord,
    move: CheckpointMove,
    session: ClientSession | undefined,
  ): Promise<boolean> {
    const { filter, update } = moveOf(record, move);
    const options = session ? { session } : {};
    const { matchedCount } = await this.connection.call(() => this.records.updateOne(filter, update, options));
    return matchedCount > 0;
  }

  /** The same, for whoever writes it together with other things: it must match. */
  checkpointWrite(record: DatabaseRecord, move: CheckpointMove): NativeWrites {
    const operation: NativeOperation = { updateOne: moveOf(record, move) };
    return { collection: RECORDS, namespace: this.records.namespace, operations: [operation] };
  }

  /** Those on record but for the process's own. */
  async sessions({ _id }: DatabaseRecord, own: readonly Binary[]): Promise<Binary[]> {
    const found = await this.read(_id);
    return (found?.sessions ?? []).filter((id) => !own.some((each) => each.toString('hex') === id.toString('hex')));
  }

  async addSession({ _id, incarnation }: DatabaseRecord, session: Binary): Promise<void> {
    const sessions = { $each: [session], $slice: -MOST_SESSIONS };
    await this.connection.call(() => this.records.updateOne({ _id, incarnation }, { $push: { sessions } }));
  }

  async removeSession({ _id, incarnation }: DatabaseRecord, session: Binary): Promise<void> {
    await this.connection.call(() => this.records.updateOne({ _id, incarnation }, { $pull: { sessions: session } }));
  }

  private live(record: DatabaseRecord, found: DatabaseRecord | null): DatabaseRecord {
    if (found?.incarnation === record.incarnation) return found;
    throw new DocumentStoreUnavailable(`${record._id} has been dropped`);
  }
}

const moveOf = ({ _id, incarnation }: DatabaseRecord, { from, to, event }: CheckpointMove) => ({
  filter: { _id, incarnation, checkpoint: from },
  update: { $set: { checkpoint: to, ...(event && { event: placeOf(event) }) } },
});

export function layoutIn({ collections }: DatabaseRecord, name: string): StoredLayout {
  const { indexes, text, scope = [] } = collections.find((each) => each.name === name) ?? EMPTY_LAYOUT;
  return { indexes, text, scope };
}
