import type { AnyBulkWriteOperation } from 'mongodb';
import type { BulkOperation, DocumentId, Filter, StoredDocument, Update } from '../document-store.js';
import { fieldsSet } from '../document-update.js';
import { rootOf } from '../field-path.js';
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
export type Translated = { readonly native: NativeOperation } | { readonly textUpdate: TextUpdate } | null;

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
