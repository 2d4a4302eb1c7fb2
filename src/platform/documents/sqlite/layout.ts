import type { CollectionSpec } from '../document-store.js';
import { type FieldGetter, fieldElements, fieldGetter } from '../field-path.js';
import { type IndexValue, NULL_VALUE } from '../index-value.js';
import type { PlannedIndex, PlannedKey } from '../planner.js';
import { indexName, plannedKeys, type StoredIndex, scalarPaths, withIndexes } from '../stored-index.js';
import { type ScopeField, scopeFields, textSettings } from '../text-scope.js';

/**
 * The highest row key of a text `_id`. A number is its own row key `k`, and must be higher. A text stands in the column
 * `id`, which is empty for numbers: (id, k) has MongoDB's order of `_id`.
 */
export const TEXT_ID_KEYS_END = -(2 ** 52);

/** A collection's layout as the file stores it. Entries are only ever added, so that a column keeps its number. */
export interface StoredLayout {
  readonly columns: readonly string[];
  readonly indexes: readonly StoredIndex[];
  readonly text: readonly string[];
  /** Absent in older files. */
  readonly scope?: readonly string[];
  /** Of `text`; absent: none. */
  readonly keptElsewhere?: readonly string[];
  /** Of `text`; absent: none. */
  readonly html?: readonly string[];
  readonly language?: string;
  /** The version of the tokenizer that cut the terms; absent: the first. */
  readonly words?: number;
}

export interface IndexKey extends PlannedKey {
  /** The qualified column. For `_id` it holds texts only: numbers stand in `row`. */
  readonly sql: string;
}

export interface IndexLayout extends PlannedIndex {
  /** As MongoDB would name it: `channelId_1_sentPosition_1`. */
  readonly name: string;
  readonly keys: readonly IndexKey[];
  /** The FROM clause: the collection's table as `t`, after the multikey index's own table as `s`. */
  readonly from: string;
  /** The FROM clause for reading the index's own columns only. */
  readonly keysFrom: string;
  /** The row key, qualified. */
  readonly row: string;
  /** Conditions that a row of the index must also meet; absent: none. */
  readonly tests?: readonly IndexTest[];
}

/** A condition on other columns than the index's own. `from` and `keysFrom` join the tables that it reads. */
export interface IndexTest {
  /** Writes the condition with the placeholder of its value. */
  readonly sql: (placeholder: string) => string;
  readonly value: IndexValue;
}

interface Column {
  readonly path: string;
  readonly name: string;
  readonly get: FieldGetter;
}

interface TextField {
  readonly path: string;
  readonly get: FieldGetter;
  /** Replaced words need not be overwritten at once. */
  readonly isKeptElsewhere: boolean;
  readonly isHtml: boolean;
}

/** The table of a multikey index: one row for each element of a document. */
export interface SideTable {
  readonly name: string;
  readonly index: IndexLayout;
  readonly elements: (document: object) => unknown[];
  /** One for each key, in order; null for the multikey field and for `_id`. */
  readonly getters: readonly (FieldGetter | null)[];
}

export interface CollectionLayout {
  readonly collection: string;
  readonly table: string;
  readonly textTable: string;
  readonly columns: readonly Column[];
  readonly columnOf: ReadonlyMap<string, string>;
  /** The first is the index of `_id`. */
  readonly indexes: readonly IndexLayout[];
  readonly sides: readonly SideTable[];
  readonly text: readonly TextField[];
  /** The field with the language of the text fields; null: all are in one. */
  readonly language: { readonly path: string; readonly get: FieldGetter } | null;
  readonly scope: readonly ScopeField[];
  /** Fields that cannot hold an array. */
  readonly scalarPaths: ReadonlySet<string>;
}

export const EMPTY_LAYOUT: StoredLayout = { columns: [], indexes: [], text: [] };

/** The stored layout with the specification's additions. */
export function withSpec(stored: StoredLayout, spec: CollectionSpec): StoredLayout {
  const indexes = withIndexes(stored.indexes, spec);
  const columns = new Set(stored.columns);
  for (const index of indexes) {
    // A multikey index keeps its keys in its own table.
    if (index.multikey === null) for (const [path] of index.keys) if (path !== '_id') columns.add(path);
  }
  return {
    columns: [...columns],
    indexes,
    text: spec.text ?? stored.text,
    scope: spec.textScope ?? stored.scope ?? [],
    keptElsewhere: spec.textKeptElsewhere ?? stored.keptElsewhere ?? [],
    ...textSettings(spec, stored),
  };
}

export function layoutOf(collection: string, number: number, stored: StoredLayout): CollectionLayout {
  const table = `d${number}`;
  const columns = stored.columns.map((path, at) => ({ path, name: `c${at}`, get: fieldGetter(path) }));
  const columnOf = new Map(columns.map((column) => [column.path, column.name]));
  const indexes = stored.indexes.map((index, at) => indexLayout(table, at, index, columnOf));
  return {
    collection,
    table,
    textTable: `${table}text`,
    columns,
    columnOf,
    indexes: [primaryIndex(table), ...indexes],
    sides: stored.indexes.flatMap((index, at) => (index.multikey === null ? [] : [sideTable(table, at, indexes[at])])),
    text: stored.text.map((path) => ({
      path,
      get: fieldGetter(path),
      isKeptElsewhere: stored.keptElsewhere?.includes(path) ?? false,
      isHtml: stored.html?.includes(path) ?? false,
    })),
    language: stored.language === undefined ? null : { path: stored.language, get: fieldGetter(stored.language) },
    scope: scopeFields(stored.scope ?? []),
    scalarPaths: scalarPaths(stored.indexes),
  };
}

export function sideTableName(table: string, at: number): string {
  return `${table}m${at}`;
}

export function sqlIndexName(table: string, at: number): string {
  return `${table}i${at}`;
}

function primaryIndex(table: string): IndexLayout {
  return {
    name: '_id_',
    keys: [{ path: '_id', direction: 1, multikey: false, sql: 't.id' }],
    sparse: false,
    multikey: null,
    from: `${table} AS t`,
    keysFrom: `${table} AS t`,
    row: 't.k',
  };
}

function indexLayout(
  table: string,
  at: number,
  stored: StoredIndex,
  columnOf: ReadonlyMap<string, string>,
): IndexLayout {
  const side = stored.multikey !== null;
  const column = (path: string, place: number): string => {
    const name = path === '_id' ? 'id' : side ? `x${place}` : columnOf.get(path);
    return `${side ? 's' : 't'}.${name}`;
  };
  const from = side ? `${sideTableName(table, at)} AS s` : `${table} AS t INDEXED BY ${sqlIndexName(table, at)}`;
  return {
    name: indexName(stored),
    keys: plannedKeys(stored).map((key, place) => ({ ...key, sql: column(key.path, place) })),
    sparse: stored.sparse,
    multikey: stored.multikey,
    from: side ? `${from} CROSS JOIN ${table} AS t ON t.k = s.k` : from,
    keysFrom: from,
    row: side ? 's.k' : 't.k',
  };
}

function sideTable(table: string, at: number, index: IndexLayout | undefined): SideTable {
  if (!index?.multikey) throw new Error(`index ${at} of ${table} is not multikey`);
  return {
    name: sideTableName(table, at),
    index,
    elements: fieldElements(index.multikey),
    getters: index.keys.map((key) => (key.multikey || key.path === '_id' ? null : fieldGetter(key.path))),
  };
}

/** NULL_VALUE in SQL. A literal, as a column's default must be. */
export const NULL_SQL = '-9e999';

/** Whether SQLite reads exactly this value out of JSON. Fractions may differ. */
export function survivesJson(value: IndexValue): boolean {
  return typeof value === 'string' || value === NULL_VALUE || Number.isSafeInteger(value);
}

/** JSON has no infinity. SQLite reads a number that is too large as infinity. */
export function indexValueJson(value: IndexValue): string {
  return value === NULL_VALUE ? NULL_SQL : JSON.stringify(value);
}

/** Parses JSON that this program has stored. Anything else in its place is damage, which SQLite's own checks do not see. */
export function storedJson(text: unknown): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(String(text));
  } catch (cause) {
    throw Object.assign(new Error('a row is no JSON', { cause }), { code: 'SQLITE_CORRUPT' });
  }
}
