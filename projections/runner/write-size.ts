import type { BulkOperation, CollectionSpec, StoredDocument } from '../../src/platform/documents/document-store.js';
import { onlyIds } from '../../src/platform/documents/only-ids.js';
import type { Change } from '../../src/platform/read-models/projection.js';

/** How much a transaction writes. */
export interface WriteSize {
  /** Documents inserted, changed or deleted. */
  readonly documents: number;
  /** Bytes of the documents and updates, as an engine stores them: an estimate. */
  readonly bytes: number;
}

/** The most that a transaction writes. MongoDB refuses more than 16 MB for ever, and gives up after 60 s. */
export const MOST_IN_TRANSACTION: WriteSize = { documents: 1000, bytes: 8 * 1024 * 1024 };

/** The most that a transaction of a build writes if the engine takes it: a transaction writes each page of an index once. */
export const MOST_IN_LARGE_TRANSACTION: WriteSize = { documents: 20_000, bytes: 32 * 1024 * 1024 };

export const NOTHING: WriteSize = { documents: 0, bytes: 0 };

/** An entry in the engine's own log names the document and its collection. */
const BYTES_OF_ENTRY = 100;
/** Bytes of a document with searched text, which an engine writes whole if its terms change. */
const BYTES_OF_SEARCHED = 12_000;
/** Bytes that a searched text adds as terms, each once and all in order, for each of its own. */
const TERMS = 3;

export const isWithin = (size: WriteSize, most: WriteSize): boolean =>
  size.documents <= most.documents && size.bytes <= most.bytes;

export const sumOf = (a: WriteSize, b: WriteSize): WriteSize => ({
  documents: a.documents + b.documents,
  bytes: a.bytes + b.bytes,
});

export function sizeOfAll(
  changes: readonly Change[],
  collections: Readonly<Record<string, CollectionSpec>>,
): WriteSize {
  let [documents, bytes] = [0, 0];
  for (const { collection, operation } of changes) {
    const size = sizeOf(operation, collections[collection]);
    documents += size.documents;
    bytes += size.bytes;
  }
  return { documents, bytes };
}

/** A write by a filter other than ids counts as one document: projections bound such writes. */
export function sizeOf(operation: BulkOperation<StoredDocument>, spec?: CollectionSpec): WriteSize {
  if ('insertOne' in operation) return one(sizeOfDocument(operation.insertOne.document, spec));
  if ('replaceOne' in operation) return one(sizeOfDocument(operation.replaceOne.replacement, spec));
  if ('updateOne' in operation) return one(sizeOfUpdate(operation.updateOne.update, spec));
  if ('updateMany' in operation) {
    const { filter, update } = operation.updateMany;
    const documents = onlyIds(filter)?.length ?? 1;
    return { documents, bytes: documents * (BYTES_OF_ENTRY + sizeOfUpdate(update, spec)) };
  }
  if ('deleteOne' in operation) return one(0);
  const documents = onlyIds(operation.deleteMany.filter)?.length ?? 1;
  return { documents, bytes: documents * BYTES_OF_ENTRY };
}

export function sizeOfDocument(document: StoredDocument, spec?: CollectionSpec): number {
  let bytes = bytesOf(document);
  for (const field of spec?.text ?? []) bytes += TERMS * bytesOf((document as unknown as Fields)[field]);
  return bytes;
}

function sizeOfUpdate({ $set }: { readonly $set?: object }, spec?: CollectionSpec): number {
  const searched = [...(spec?.text ?? []), ...(spec?.textScope ?? [])];
  const isSearched = searched.some((field) => $set && Object.hasOwn($set, field));
  return bytesOf($set) + (isSearched ? BYTES_OF_SEARCHED : 0);
}

type Fields = Readonly<Record<string, unknown>>;

const one = (bytes: number): WriteSize => ({ documents: 1, bytes: bytes + BYTES_OF_ENTRY });

/** Estimates the bytes of a value in BSON. Long texts and lists of numbers cost no look at each of their parts. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return value.length < 64 ? value.length + 6 : Buffer.byteLength(value) + 6;
  if (typeof value !== 'object' || value === null) return 9;
  if (!Array.isArray(value)) {
    let bytes = 5;
    for (const field in value) bytes += field.length + 2 + bytesOf((value as Fields)[field]);
    return bytes;
  }
  if (typeof value[0] === 'number') return value.length * 14;
  let bytes = 5;
  for (const element of value) bytes += 6 + bytesOf(element);
  return bytes;
}
