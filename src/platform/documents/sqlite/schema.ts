import type { SqliteConnection } from '../../sqlite/driver.js';
import type { CollectionSpec } from '../document-store.js';
import type { StoredIndex } from '../stored-index.js';
import { DocumentWriter } from './document-writer.js';
import {
  type CollectionLayout,
  EMPTY_LAYOUT,
  type IndexLayout,
  layoutOf,
  NULL_SQL,
  type StoredLayout,
  sideTableName,
  sqlIndexName,
  storedJson,
  withSpec,
} from './layout.js';
import { createTextTable } from './text-index.js';

/** Version of the file's own tables. A file with another number is another program's. */
export const FILE_VERSION = 1;

export const CREATE_FILE = `
  CREATE TABLE collections (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, layout TEXT NOT NULL);
  CREATE TABLE checkpoint (only INTEGER PRIMARY KEY CHECK (only = 1), position INTEGER NOT NULL);
  PRAGMA user_version = ${FILE_VERSION};
`;

/** Older files of this version lack the table. Older programs ignore it. */
export const CREATE_CHECKPOINT_EVENT =
  'CREATE TABLE IF NOT EXISTS checkpointEvent (only INTEGER PRIMARY KEY CHECK (only = 1), event TEXT NOT NULL)';

const BACKFILL_CHUNK = 1000;

export function readLayouts(connection: SqliteConnection): Map<string, CollectionLayout> {
  const rows = connection.prepare('SELECT name, number, layout FROM collections').all();
  return new Map(
    rows.map(([name, number, layout]) => [
      String(name),
      layoutOf(String(name), Number(number), storedJson(layout) as StoredLayout),
    ]),
  );
}

/**
 * Creates missing columns and indexes, and fills them from the file's documents. Runs inside a transaction.
 * @param indexesLater indexes that need no table of their own stay missing
 */
export function ensureCollection(
  connection: SqliteConnection,
  name: string,
  spec: CollectionSpec,
  indexesLater: boolean,
): void {
  const row = connection.prepare('SELECT number, layout FROM collections WHERE name = ?').get(name);
  const before = row ? (storedJson(row[1]) as StoredLayout) : null;
  const stored = withSpec(before ?? EMPTY_LAYOUT, spec);
  const number = row ? Number(row[0]) : createCollection(connection, name);
  const layout = layoutOf(name, number, stored);
  if (!before || JSON.stringify(before) !== JSON.stringify(stored)) {
    connection.prepare('UPDATE collections SET layout = ? WHERE number = ?').run(JSON.stringify(stored), number);
    extend(connection, layout, before ?? EMPTY_LAYOUT, stored);
  }
  // Creates indexes, too, that an earlier call has left for later, in this process or another.
  if (!indexesLater) createIndexes(connection, layout);
}

function createCollection(connection: SqliteConnection, name: string): number {
  const insert = connection.prepare("INSERT INTO collections (name, layout) VALUES (?, '{}')");
  const number = Number(insert.run(name).lastInsertRowid);
  connection.exec(`
    CREATE TABLE d${number} (k INTEGER PRIMARY KEY, id TEXT NOT NULL DEFAULT '', doc TEXT NOT NULL);
    CREATE UNIQUE INDEX d${number}id ON d${number} (id) WHERE id <> '';
  `);
  return number;
}

function extend(
  connection: SqliteConnection,
  layout: CollectionLayout,
  before: StoredLayout,
  stored: StoredLayout,
): void {
  const { table } = layout;
  const newColumns = layout.columns.slice(before.columns.length);
  for (const column of newColumns) {
    connection.exec(`ALTER TABLE ${table} ADD COLUMN ${column.name} NUMERIC NOT NULL DEFAULT ${NULL_SQL}`);
  }
  const newIndexes = stored.indexes.flatMap((index, at) => (at < before.indexes.length ? [] : [{ index, at }]));
  const newSides = new Set<string>();
  for (const { index, at } of newIndexes) {
    if (index.multikey === null) continue;
    newSides.add(sideTableName(table, at));
    connection.exec(createSideTable(table, at, index));
  }
  const newText = searchSettingsOf(before) !== searchSettingsOf(stored);
  if (newText && before.text.length > 0) connection.exec(`DROP TABLE ${layout.textTable}`);
  if (newText && stored.text.length > 0) connection.exec(createTextTable(layout));
  backfill(connection, layout, new Set(newColumns.map((column) => column.path)), newSides, newText);
}

/** Everything that the text index depends on. */
const searchSettingsOf = ({ text, scope = [], keptElsewhere = [], html = [], language, words = 1 }: StoredLayout) =>
  JSON.stringify([text, scope, keptElsewhere, ...(text.length > 0 ? [html, language, words] : [])]);

function createSideTable(table: string, at: number, index: StoredIndex): string {
  const name = sideTableName(table, at);
  const columns = index.keys.map(([path], place) =>
    path === '_id' ? 'id TEXT NOT NULL' : `x${place} NUMERIC NOT NULL`,
  );
  const keys = index.keys.map(
    ([path, direction], place) => `${path === '_id' ? 'id' : `x${place}`} ${direction === 1 ? 'ASC' : 'DESC'}`,
  );
  const [last] = index.keys.slice(-1);
  const row = last?.[0] === '_id' && last[1] === -1 ? 'k DESC' : 'k';
  return `CREATE TABLE ${name} (${columns.join(', ')}, k INTEGER NOT NULL, PRIMARY KEY (${[...keys, row].join(', ')})) WITHOUT ROWID`;
}

function backfill(
  connection: SqliteConnection,
  layout: CollectionLayout,
  columns: ReadonlySet<string>,
  sides: ReadonlySet<string>,
  text: boolean,
): void {
  if (columns.size === 0 && sides.size === 0 && !text) return;
  const writer = new DocumentWriter(connection, layout);
  const chunk = connection.prepare(`SELECT k, doc FROM ${layout.table} WHERE k > ? ORDER BY k LIMIT ${BACKFILL_CHUNK}`);
  for (let rows = chunk.all(-(2 ** 53)); rows.length > 0; rows = chunk.all(Number(rows.at(-1)?.[0]))) {
    for (const [k, doc] of rows) {
      writer.derive({ k: Number(k), json: String(doc) }, columns, sides, text);
    }
  }
}

/** Creates the collection's indexes that are missing. Multikey indexes have tables of their own, which are always there. */
function createIndexes(connection: SqliteConnection, layout: CollectionLayout): void {
  for (const [name, index] of ownIndexes(layout)) connection.exec(createIndex(layout, name, index));
}

/**
 * Creates the index that a statement has missed: a load leaves out those that no query needs meanwhile. Runs inside a
 * transaction.
 *
 * @returns whether that was the error: the statement can be run again
 */
export function createMissed(connection: SqliteConnection, layout: CollectionLayout, error: unknown): boolean {
  const name = missedIndex(error);
  const index = name && ownIndexes(layout).get(name);
  if (!name || !index) return false;
  connection.exec(createIndex(layout, name, index));
  return true;
}

/** Name of the index that a statement has missed; undefined for any other error. */
export const missedIndex = (error: unknown): string | undefined =>
  error instanceof Error ? /no such index: (\w+)/.exec(error.message)?.[1] : undefined;

/** By the names that they have in the file. */
function ownIndexes({ table, indexes }: CollectionLayout): ReadonlyMap<string, IndexLayout> {
  const [, ...secondary] = indexes;
  return new Map(
    secondary.flatMap((index, at) => (index.multikey === null ? [[sqlIndexName(table, at), index] as const] : [])),
  );
}

function createIndex({ table, columnOf }: CollectionLayout, name: string, index: IndexLayout): string {
  const keys = index.keys.flatMap(({ path, direction }) => {
    const order = direction === 1 ? 'ASC' : 'DESC';
    if (path !== '_id') return [`${columnOf.get(path)} ${order}`];
    // Every index ends with the row key, ascending.
    return direction === 1 ? ['id ASC'] : ['id DESC', 'k DESC'];
  });
  const on = `ON ${table} (${keys.join(', ')})`;
  const where = index.sparse ? ` WHERE ${columnOf.get(index.keys[0]?.path ?? '')} > ${NULL_SQL}` : '';
  return `CREATE INDEX IF NOT EXISTS ${name} ${on}${where}`;
}
