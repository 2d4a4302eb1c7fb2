import type { CollectionSpec } from '../document-store.js';
import { type FieldGetter, fieldElements, fieldGetter } from '../field-path.js';
import { encodeIndexValue } from '../index-value.js';
import type { PlannedIndex } from '../planner.js';
import { plannedKeys, type StoredIndex, scalarPaths, withIndexes } from '../stored-index.js';
import { type ScopeField, scopeFields, textSettings } from '../text-scope.js';

/** A collection's layout as its database's record holds it. */
export interface StoredLayout {
  readonly indexes: readonly StoredIndex[];
  readonly text: readonly string[];
  /** Absent in older records. */
  readonly scope?: readonly string[];
  /** Of `text`; absent: none. */
  readonly html?: readonly string[];
  readonly language?: string;
  /** The version of the tokenizer that cut the terms; absent: the first. */
  readonly words?: number;
}

export interface CollectionLayout {
  readonly collection: string;
  /** The first is the index of `_id`. */
  readonly indexes: readonly PlannedIndex[];
  /** Fields that cannot hold an array. */
  readonly scalarPaths: ReadonlySet<string>;
  /** Fields that indexes hold as one value. */
  readonly single: readonly IndexedField[];
  /** Fields of which indexes hold the elements. */
  readonly elements: readonly IndexedElements[];
  readonly text: readonly { readonly path: string; readonly get: FieldGetter; readonly isHtml: boolean }[];
  /** The field with the language of the text fields; null: all are in one. */
  readonly language: IndexedField | null;
  readonly scope: readonly ScopeField[];
}

interface IndexedField {
  readonly path: string;
  readonly get: FieldGetter;
}

interface IndexedElements {
  readonly path: string;
  readonly get: (document: object) => unknown[];
}

export const EMPTY_LAYOUT: StoredLayout = { indexes: [], text: [], scope: [] };

const PRIMARY: PlannedIndex = { keys: [{ path: '_id', direction: 1, multikey: false }], sparse: false, multikey: null };

/** The stored layout with the specification's additions. */
export function withSpec(stored: StoredLayout, spec: CollectionSpec): StoredLayout {
  return {
    indexes: withIndexes(stored.indexes, spec),
    text: spec.text ?? stored.text,
    scope: spec.textScope ?? stored.scope ?? [],
    ...textSettings(spec, stored),
  };
}

export function layoutOf(
  collection: string,
  { indexes, text, scope = [], html = [], language }: StoredLayout,
): CollectionLayout {
  const multikey = new Set(indexes.flatMap((index) => index.multikey ?? []));
  const single = new Set(
    indexes.flatMap((index) => index.keys.flatMap(([path]) => (path === index.multikey || path === '_id' ? [] : path))),
  );
  return {
    collection,
    indexes: [PRIMARY, ...indexes.map((index) => ({ ...index, keys: plannedKeys(index) }))],
    scalarPaths: scalarPaths(indexes),
    single: [...single].map((path) => ({ path, get: fieldGetter(path) })),
    elements: [...multikey].map((path) => ({ path, get: fieldElements(path) })),
    text: text.map((path) => ({ path, get: fieldGetter(path), isHtml: html.includes(path) })),
    language: language === undefined ? null : { path: language, get: fieldGetter(language) },
    scope: scopeFields(scope),
  };
}

/** @throws TypeError if an index of the collection cannot hold the document's value */
export function refuseUnindexable(layout: CollectionLayout, document: object): void {
  for (const { path, get } of layout.single) refuseUnlessIndexable(layout, path, get(document));
  for (const { path, get } of layout.elements) {
    for (const element of get(document)) refuseUnlessIndexable(layout, path, element);
  }
}

export function refuseUnlessIndexable(layout: CollectionLayout, path: string, value: unknown): void {
  if (encodeIndexValue(value) !== undefined) return;
  const what = Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : String(value);
  throw new TypeError(
    `${layout.collection}: the indexed field ${path} holds ${what}, which its index is not declared for`,
  );
}

/** The name in MongoDB of a collection of the port. None of the parts holds a slash. */
export function nativeName(database: string, incarnation: string, collection: string): string {
  return `${database}/${incarnation}/${collection}`;
}

/** @returns null for a collection that is not the document store's */
export function partsOf(native: string): { readonly database: string; readonly incarnation: string } | null {
  const [database, incarnation, collection, ...more] = native.split('/');
  if (!database || !incarnation || !collection || more.length > 0) return null;
  return { database, incarnation };
}
