import type { SqlValue } from '../../sqlite/driver.js';
import type { DocumentId, StoredDocument } from '../document-store.js';
import { encodeIndexValue, type IndexValue, NULL_VALUE } from '../index-value.js';
import { type SideTable, TEXT_ID_KEYS_END } from './layout.js';

/** The condition that finds the row of an `_id`. */
export function idCondition(id: DocumentId): readonly [where: string, value: SqlValue] {
  if (typeof id === 'number') return ['k = ?', numberKey(id)];
  const encoded = typeof id === 'string' ? encodeIndexValue(id) : undefined;
  if (encoded === undefined) throw new TypeError(`an _id is a text or a whole number, not ${JSON.stringify(id)}`);
  return ["id = ? AND id <> ''", encoded];
}

export const canBeId = (id: DocumentId): boolean =>
  typeof id === 'string' || (Number.isSafeInteger(id) && id > TEXT_ID_KEYS_END);

export function numberKey(id: number): number {
  if (canBeId(id)) return id;
  throw new RangeError(`a number as _id is whole, above -2^52 and below 2^53, not ${id}`);
}

/** The rows of one document in an element table, without the row key. */
export function sideRows(side: SideTable, document: StoredDocument): IndexValue[][] {
  const { index } = side;
  const values = index.keys.map((key, at) => {
    if (key.path === '_id') return typeof document._id === 'number' ? '' : idCondition(document._id)[1];
    return side.getters[at]?.(document);
  });
  const found = side.elements(document);
  // An empty array stands in the index like a missing field: the other keys still find the document.
  const elements = found.length === 0 ? [null] : found;
  const rows = new Map<IndexValue, IndexValue[]>();
  for (const element of elements) {
    const row = index.keys.map((key, at) => {
      if (key.path === '_id') return values[at] as IndexValue;
      const value = key.multikey ? element : values[at];
      return encodeIndexValue(value) ?? refuseValue(index.name, key.path, value);
    });
    const left = index.sparse && row[0] === NULL_VALUE;
    const own = encodeIndexValue(element);
    if (!left && own !== undefined) rows.set(own, row);
  }
  return [...rows.values()];
}

export function refuseValue(where: string, path: string, value: unknown): never {
  const what = Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : String(value);
  throw new TypeError(`${where}: the indexed field ${path} holds ${what}, which an index there cannot`);
}
