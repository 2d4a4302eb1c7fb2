import {
  type BulkOperation,
  type Collection,
  type Filter,
  type FindOptions,
  type StoredDocument,
  type Update,
  type WriteResult,
} from '../document-store.js';
import { fieldsSet } from '../field-path.js';
import { onlyId } from '../only-ids.js';
import type { DocumentQuery } from './document-query.js';
import type { DocumentWriter } from './document-writer.js';

/** Runs a collection's operations: each in a transaction of its own, or all in an open transaction. */
export interface CollectionAccess {
  read<T>(work: (query: DocumentQuery) => T): Promise<T>;
  /** All or nothing. */
  write<T>(work: (writer: DocumentWriter, query: DocumentQuery) => T): Promise<T>;
}

export class SqliteCollection<D extends StoredDocument> implements Collection<D> {
  constructor(private readonly access: CollectionAccess) {}

  async findOne(filter: Filter<D>, options: Omit<FindOptions, 'limit'> = {}): Promise<D | null> {
    const [found] = await this.find(filter, { ...options, limit: 1 });
    return found ?? null;
  }

  find(filter: Filter<D>, options: FindOptions = {}): Promise<D[]> {
    return this.access.read((query) => query.find(filter, options) as unknown as D[]);
  }

  countDocuments(filter: Filter<D>): Promise<number> {
    return this.access.read((query) => query.count(filter));
  }

  insertOne(document: D): Promise<WriteResult> {
    return this.apply({ insertOne: { document } });
  }

  replaceOne(filter: Filter<D>, replacement: D, options: { readonly upsert?: boolean } = {}): Promise<WriteResult> {
    return this.apply({ replaceOne: { filter, replacement, ...options } });
  }

  updateOne(filter: Filter<D>, update: Update): Promise<WriteResult> {
    return this.apply({ updateOne: { filter, update } });
  }

  updateMany(filter: Filter<D>, update: Update): Promise<WriteResult> {
    return this.apply({ updateMany: { filter, update } });
  }

  deleteOne(filter: Filter<D>): Promise<WriteResult> {
    return this.apply({ deleteOne: { filter } });
  }

  deleteMany(filter: Filter<D>): Promise<WriteResult> {
    return this.apply({ deleteMany: { filter } });
  }

  async bulkWrite(operations: readonly BulkOperation<D>[]): Promise<WriteResult> {
    const { total, failure } = await this.write((writer, query) => {
      const total = { matched: 0, modified: 0, inserted: 0, deleted: 0 };
      for (const operation of operations) {
        try {
          add(total, write(writer, query, operation));
        } catch (error) {
          // Writes before a refused operation stay. After a failure of the file, nothing may stay.
          if (error instanceof Error && 'code' in error) throw error;
          return { total, failure: { error } };
        }
      }
      return { total, failure: null };
    });
    if (failure) throw failure.error;
    return total;
  }

  private apply(operation: BulkOperation<D>): Promise<WriteResult> {
    return this.write((writer, query) => write(writer, query, operation));
  }

  private write<T>(work: (writer: DocumentWriter, query: DocumentQuery) => T): Promise<T> {
    return this.access.write((writer, query) => writer.whole(() => work(writer, query)));
  }
}

/** From this number on, documents are changed faster together. */
const MANY = 16;

const NOTHING: WriteResult = { matched: 0, modified: 0, inserted: 0, deleted: 0 };
const INSERTED: WriteResult = { ...NOTHING, inserted: 1 };
const REPLACED: WriteResult = { ...NOTHING, matched: 1, modified: 1 };
const MATCHED: WriteResult = { ...NOTHING, matched: 1 };

function write<D extends StoredDocument>(
  writer: DocumentWriter,
  query: DocumentQuery,
  operation: BulkOperation<D>,
): WriteResult {
  if ('insertOne' in operation) {
    writer.insert(operation.insertOne.document);
    return INSERTED;
  }
  if ('replaceOne' in operation) return replaceOne(writer, query, operation.replaceOne);
  if ('updateOne' in operation) return updateOne(writer, query, operation.updateOne);
  if ('updateMany' in operation) return updateMany(writer, query, operation.updateMany);
  if ('deleteOne' in operation) return deleteOne(writer, query, operation.deleteOne.filter);
  return deleteMany(writer, query, operation.deleteMany.filter);
}

function replaceOne<D extends StoredDocument>(
  writer: DocumentWriter,
  query: DocumentQuery,
  { filter, replacement, upsert }: { filter: Filter<D>; replacement: D; upsert?: boolean },
): WriteResult {
  const id = onlyId(filter);
  if (id !== undefined && id === replacement._id) {
    if (!upsert) return writer.replaceById(replacement) ? REPLACED : NOTHING;
    return writer.upsert(replacement) ? REPLACED : INSERTED;
  }
  const [row] = query.matches(filter, 1);
  if (row) {
    writer.replace(row, replacement);
    return REPLACED;
  }
  if (!upsert) return NOTHING;
  if (filter._id !== undefined && filter._id !== replacement._id)
    throw new TypeError('an upsert inserts the _id of its filter');
  writer.insert(replacement);
  return INSERTED;
}

function updateOne<D extends StoredDocument>(
  writer: DocumentWriter,
  query: DocumentQuery,
  { filter, update }: { filter: Filter<D>; update: Update },
): WriteResult {
  const id = onlyId(filter);
  const set = fieldsSet(update);
  const row = id === undefined ? query.matches(filter, 1)[0] : query.byId(writer, id);
  if (!row) return NOTHING;
  return writer.update(row, set) ? REPLACED : MATCHED;
}

function updateMany<D extends StoredDocument>(
  writer: DocumentWriter,
  query: DocumentQuery,
  { filter, update }: { filter: Filter<D>; update: Update },
): WriteResult {
  const set = fieldsSet(update);
  const ks = query.rowKeys(filter);
  const many = ks && ks.length >= MANY ? writer.setAll(ks, set) : null;
  if (ks && many !== null) return { ...NOTHING, matched: ks.length, modified: many };
  const rows = query.matches(filter, Number.POSITIVE_INFINITY);
  const modified = rows.filter((row) => writer.update(row, set)).length;
  return { ...NOTHING, matched: rows.length, modified };
}

function deleteOne(writer: DocumentWriter, query: DocumentQuery, filter: Filter<StoredDocument>): WriteResult {
  const id = onlyId(filter);
  if (id !== undefined) return { ...NOTHING, deleted: writer.removeById(id) ? 1 : 0 };
  const [row] = query.matches(filter, 1);
  if (row) writer.remove(row);
  return { ...NOTHING, deleted: row ? 1 : 0 };
}

function deleteMany(writer: DocumentWriter, query: DocumentQuery, filter: Filter<StoredDocument>): WriteResult {
  if (Object.keys(filter).length === 0) return { ...NOTHING, deleted: writer.removeAll() };
  const rows = query.matches(filter, Number.POSITIVE_INFINITY);
  for (const row of rows) writer.remove(row);
  return { ...NOTHING, deleted: rows.length };
}

function add(total: { -readonly [K in keyof WriteResult]: number }, result: WriteResult): void {
  total.matched += result.matched;
  total.modified += result.modified;
  total.inserted += result.inserted;
  total.deleted += result.deleted;
}
