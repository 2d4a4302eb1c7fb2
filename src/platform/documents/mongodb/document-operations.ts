import { type AnyBulkWriteOperation, BSON } from 'mongodb';
import {
  type BulkOperation,
  type DocumentId,
  type Filter,
  type StoredDocument,
  TransactionTooLarge,
  type Update,
} from '../document-store.js';
import { fieldsSet, rootOf } from '../field-path.js';
import type { DocumentQuery } from './document-query.js';
import { type CollectionLayout, refuseUnindexable, refuseUnlessIndexable } from './layout.js';
import { SEARCH_FIELD, searchField } from './text-fields.js';

export type NativeDocument = { _id: DocumentId; [field: string]: unknown };
export type NativeOperation = AnyBulkWriteOperation<NativeDocument>;

/** An update of searched fields. The changed document is made in this process, because its terms follow from it. */
export interface TextUpdate {
  /** null if no document can satisfy the filter. */
  readonly target: Record<string, unknown> | null;
  readonly set: Readonly<Record<string, unknown>>;
  readonly many: boolean;
}

/** An operation of the port in MongoDB's terms; null if it changes nothing. */
type Translated = { readonly native: NativeOperation } | { readonly textUpdate: TextUpdate } | null;

/** @throws TypeError, UnboundedFilter */
export function translate(
  layout: CollectionLayout,
  query: DocumentQuery,
  operation: BulkOperation<StoredDocument>,
): Translated {
  if ('insertOne' in operation) {
    return { native: { insertOne: { document: storedDocument(layout, operation.insertOne.document) } } };
  }
  if ('replaceOne' in operation) {
    const { filter, replacement, upsert = false } = operation.replaceOne;
    const stored = storedDocument(layout, replacement);
    const target = query.target(filter);
    if (target) return { native: { replaceOne: { filter: target, replacement: stored, upsert } } };
    return upsert ? { native: { insertOne: { document: stored } } } : null;
  }
  if ('updateOne' in operation) {
    return translateUpdate(layout, query, operation.updateOne, false);
  }
  if ('updateMany' in operation) {
    return translateUpdate(layout, query, operation.updateMany, true);
  }
  if ('deleteOne' in operation) {
    const filter = query.target(operation.deleteOne.filter);
    return filter && { native: { deleteOne: { filter } } };
  }
  const { filter } = operation.deleteMany;
  const target = Object.keys(filter).length === 0 ? {} : query.target(filter);
  return target && { native: { deleteMany: { filter: target } } };
}

/** The document with the terms of its text fields. @throws TypeError */
export function storedDocument(layout: CollectionLayout, document: StoredDocument): NativeDocument {
  const id: unknown = document._id;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) {
    throw new TypeError(`an _id is a text or a whole number, not ${JSON.stringify(id)}`);
  }
  refuseUnindexable(layout, document);
  if (layout.text.length === 0) return { ...document };
  if (SEARCH_FIELD in document) throw new TypeError(`the field ${SEARCH_FIELD} is the engine's own`);
  const words = searchField(layout, document);
  return words ? { ...document, [SEARCH_FIELD]: words } : { ...document };
}

function translateUpdate(
  layout: CollectionLayout,
  query: DocumentQuery,
  { filter, update }: { readonly filter: Filter<StoredDocument>; readonly update: Update },
  many: boolean,
): Translated {
  const set = fieldsSet(update);
  const isSet = ({ path }: { readonly path: string }): boolean => rootOf(path) in set;
  // The server itself would let an indexed field become an array or an object.
  for (const field of layout.single) if (isSet(field)) refuseUnlessIndexable(layout, field.path, field.get(set));
  const target = query.target(filter);
  const searched = [...layout.text, ...layout.scope, ...(layout.language ? [layout.language] : [])];
  if (layout.text.length > 0 && searched.some(isSet)) {
    return { textUpdate: { target, set, many } };
  }
  if (!target) return null;
  const native = { filter: target, update: { $set: { ...set } } };
  return { native: many ? { updateMany: native } : { updateOne: native } };
}

/** Most bytes of BSON in a transaction. MongoDB refuses 16 MB, and counts what it adds for indexes and its oplog. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Bytes that may come on top of the largest write: one write is never refused for its size, only many together. */
const BESIDES = 64 * 1024;
/** The oplog names each document and its collection. */
const BYTES_OF_ENTRY = 100;

/** The bytes that a transaction writes. */
export class TransactionSize {
  private bytes = 0;
  private largest = 0;

  constructor(private readonly database: string) {}

  /** @throws TransactionTooLarge before anything of these operations is written */
  add(operations: readonly NativeOperation[]): void {
    for (const operation of operations) {
      const bytes = bytesOf(operation);
      this.bytes += bytes;
      this.largest = Math.max(this.largest, bytes);
    }
    if (this.bytes > MOST_BYTES && this.bytes - this.largest > BESIDES) {
      throw new TransactionTooLarge(this.database, MOST_BYTES);
    }
  }
}

export function bytesOf(operation: NativeOperation): number {
  if ('insertOne' in operation) return BYTES_OF_ENTRY + BSON.calculateObjectSize(operation.insertOne.document);
  if ('replaceOne' in operation) return BYTES_OF_ENTRY + BSON.calculateObjectSize(operation.replaceOne.replacement);
  if ('updateOne' in operation) return BYTES_OF_ENTRY + BSON.calculateObjectSize(operation.updateOne.update);
  if ('updateMany' in operation) {
    const { filter, update } = operation.updateMany;
    return idsIn(filter) * (BYTES_OF_ENTRY + BSON.calculateObjectSize(update));
  }
  return 'deleteMany' in operation ? idsIn(operation.deleteMany.filter) * BYTES_OF_ENTRY : BYTES_OF_ENTRY;
}

/** Number of documents that a filter names by ids; 1 for any other filter. */
function idsIn(filter: object): number {
  const { _id } = filter as { readonly _id?: { readonly $in?: unknown } };
  return Array.isArray(_id?.$in) ? _id.$in.length : 1;
}
