import { Binary, type Collection, MongoBulkWriteError } from 'mongodb';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { DUPLICATE_KEY } from '../../mongodb/mongo-failure.js';
import { readAll } from '../../mongodb/read-all.js';
import type { ContentKey } from '../content-keys.js';

interface StoredKey {
  readonly _id: string;
  readonly key: Binary;
}

/** Most names in one command. */
const CHUNK = 1000;

/** The collection `contentKeys`: a name and 32 bytes. Every write waits for the disks of a majority. */
export class KeyCollection {
  private readonly stored: Collection<StoredKey>;

  constructor(private readonly connection: MongoConnection) {
    this.stored = connection.database.collection<StoredKey>('contentKeys');
  }

  async find(ids: readonly string[], readConcern: 'local' | 'majority' = 'local'): Promise<Map<string, ContentKey>> {
    const found = new Map<string, ContentKey>();
    for (let from = 0; from < ids.length; from += CHUNK) {
      const chunk = { _id: { $in: ids.slice(from, from + CHUNK) } };
      for (const { _id, key } of await readAll(this.connection, this.stored.find(chunk, { readConcern }))) {
        found.set(_id, Buffer.from(key.buffer));
      }
    }
    return found;
  }

  /** Inserts absent keys. @returns the earlier keys of the other names */
  async insert(wanted: ReadonlyMap<string, ContentKey>): Promise<Map<string, ContentKey>> {
    const present = new Map<string, ContentKey>();
    for (let left = [...wanted.keys()]; left.length > 0; ) {
      const refused = await this.insertAbsent(left.map((id) => ({ _id: id, key: new Binary(wanted.get(id)) })));
      // A key that a majority does not have yet might be rolled back.
      for (const [id, key] of await this.find(refused, 'majority')) present.set(id, key);
      // A key that was destroyed in between leaves its name free again.
      left = refused.filter((id) => !present.has(id));
    }
    return present;
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += CHUNK) {
      const chunk = { _id: { $in: ids.slice(from, from + CHUNK) } };
      await this.connection.call(() => this.stored.deleteMany(chunk), this.connection.batchTimeout(CHUNK));
    }
  }

  /** Finds the least names from `from` (exclusive) to `end` (exclusive): at most a chunk, fewer only if there are no more. */
  async namesBetween(from: string, end: string): Promise<string[]> {
    const cursor = this.stored
      .find({ _id: { $gt: from, $lt: end } }, { projection: { _id: 1 }, readConcern: 'local' })
      .sort({ _id: 1 })
      .limit(CHUNK);
    return (await readAll(this.connection, cursor)).map(({ _id }) => _id);
  }

  /** @returns the names that were taken already */
  private async insertAbsent(keys: readonly StoredKey[]): Promise<string[]> {
    try {
      const insert = () => this.stored.insertMany(keys, { ordered: false });
      await this.connection.call(insert, this.connection.batchTimeout(keys.length));
      return [];
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) throw error;
      const failures = [error.writeErrors].flat();
      if (failures.length === 0 || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
      return failures.flatMap(({ index }) => keys[index]?._id ?? []);
    }
  }
}
