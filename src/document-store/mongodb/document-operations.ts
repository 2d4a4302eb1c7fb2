import type { AnyBulkWriteOperation } from 'mongodb';
import type { BulkOperation, DocumentId, Filter, StoredDocument, Update } from '../document-store.js';
import { upsertedDocument } from '../document-update.js';
import type { DocumentQuery } from './document-query.js';
import { type CollectionLayout, refuseUnindexable } from './layout.js';
import { SEARCH_FIELD, searchField } from './text-fields.js';
import { changesText, refuseUnindexableUpdate } from './update-paths.js';

export type NativeDocument = { _id: DocumentId; [field: string]: unknown };
export type NativeOperation = AnyBulkWriteOperation<NativeDocument>;

/** An update that changes words: what it makes of a document is worked out here, with the terms that follow from it. */
export interface TextUpdate {
  readonly filter: Filter<StoredDocument>;
  /** null where no document can satisfy the filter. */
  readonly target: Record<string, unknown> | null;
  readonly update: Update<StoredDocument>;
  readonly upsert: boolean;
  readonly many: boolean;
}

/** What an operation of the port is to MongoDB; null where it changes nothing. */
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
    const { filter, update, upsert = false } = operation.updateOne;
    return translateUpdate(layout, query, { filter, update, upsert, many: false });
  }
  if ('updateMany' in operation) {
    const { filter, update } = operation.updateMany;
    return translateUpdate(layout, query, { filter, update, upsert: false, many: true });
  }
  if ('deleteOne' in operation) {
    const filter = query.target(operation.deleteOne.filter);
    return filter && { native: { deleteOne: { filter } } };
  }
  const { filter } = operation.deleteMany;
  const target = Object.keys(filter).length === 0 ? {} : query.target(filter);
  return target && { native: { deleteMany: { filter: target } } };
}

/** As it is stored: with the terms of its text fields. @throws TypeError */
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
  asked: Omit<TextUpdate, 'target'>,
): Translated {
  const { filter, update, upsert, many } = asked;
  refuseUnindexableUpdate(layout, update);
  const target = query.target(filter);
  // It tells what would be inserted, and refuses what has no _id.
  const inserted = upsert ? upsertedDocument(filter, update) : null;
  if (changesText(layout, update) || (inserted && searchField(layout, inserted))) {
    return { textUpdate: { ...asked, target } };
  }
  if (inserted) refuseUnindexable(layout, inserted);
  if (!target) return inserted && { native: { insertOne: { document: storedDocument(layout, inserted) } } };
  const native = { filter: target, update: { ...update } };
  return { native: many ? { updateMany: native } : { updateOne: { ...native, upsert } } };
}
