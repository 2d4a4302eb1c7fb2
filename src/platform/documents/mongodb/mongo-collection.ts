import { BatchQueue } from '../../mongodb/batch-queue.js';
import type {
  BulkOperation,
  Collection,
  DocumentId,
  Filter,
  FindOptions,
  StoredDocument,
  Update,
  WriteResult,
} from '../document-store.js';
import { onlyId } from '../only-ids.js';
import { type DocumentQuery, type Fields } from './document-query.js';
import type { DocumentWriter } from './document-writer.js';

/** Runs a collection's operations: by themselves, or in an open transaction. */
export interface CollectionAccess {
  /** Reads by id, in one query with other such reads; absent in a transaction. */
  readonly byId?: (id: DocumentId) => Promise<Fields | null>;
  read<T>(work: (query: DocumentQuery) => Promise<T>): Promise<T>;
  write<T>(work: (writer: DocumentWriter) => Promise<T>): Promise<T>;
}

export class MongoCollection<D extends StoredDocument> implements Collection<D> {
  constructor(private readonly access: CollectionAccess) {}

  async findOne(filter: Filter<D>, options: Omit<FindOptions, 'limit'> = {}): Promise<D | null> {
    const id = Object.keys(options).length === 0 ? onlyId(filter) : undefined;
    if (id !== undefined && this.access.byId) return (await this.access.byId(id)) as unknown as D | null;
    const [found] = await this.find(filter, { ...options, limit: 1 });
    return found ?? null;
  }

  find(filter: Filter<D>, options: FindOptions = {}): Promise<D[]> {
    return this.access.read((query) => query.find(filter, options)) as unknown as Promise<D[]>;
  }

  countDocuments(filter: Filter<D>): Promise<number> {
    return this.access.read((query) => query.count(filter));
  }

  insertOne(document: D): Promise<WriteResult> {
    return this.bulkWrite([{ insertOne: { document } }]);
  }

  replaceOne(filter: Filter<D>, replacement: D, options: { readonly upsert?: boolean } = {}): Promise<WriteResult> {
    return this.bulkWrite([{ replaceOne: { filter, replacement, ...options } }]);
  }

  updateOne(filter: Filter<D>, update: Update): Promise<WriteResult> {
    return this.bulkWrite([{ updateOne: { filter, update } }]);
  }

  updateMany(filter: Filter<D>, update: Update): Promise<WriteResult> {
    return this.bulkWrite([{ updateMany: { filter, update } }]);
  }

  deleteOne(filter: Filter<D>): Promise<WriteResult> {
    return this.bulkWrite([{ deleteOne: { filter } }]);
  }

  deleteMany(filter: Filter<D>): Promise<WriteResult> {
    return this.bulkWrite([{ deleteMany: { filter } }]);
  }

  bulkWrite(operations: readonly BulkOperation<D>[]): Promise<WriteResult> {
    return this.access.write((writer) => writer.apply(operations));
  }
}

/** Ids in one query. Servers compare each id with each document found. */
const MOST_AT_ONCE = 32;

/**
 * Reads documents by id, one query at a time: reads asked for meanwhile share the next query. Each read sees the
 * documents stored when it was asked for.
 */
export class ReadsById {
  private readonly reads: BatchQueue<DocumentId, Fields | null>;

  /** @param find finds the documents that exist */
  constructor(find: (ids: readonly DocumentId[]) => Promise<readonly Fields[]>) {
    this.reads = new BatchQueue(async (ids) => {
      const wanted = [...new Set(ids)];
      const found = new Map((await find(wanted)).map((document) => [document._id, document]));
      return ids.map((id) => found.get(id) ?? null);
    }, MOST_AT_ONCE);
  }

  /** null if there is no such document. */
  read(id: DocumentId): Promise<Fields | null> {
    return this.reads.add(id);
  }
}
