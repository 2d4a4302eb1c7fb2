import type { SqliteConnection } from '../../sqlite/driver.js';
import { NULL_SQL } from './index-value-sql.js';
import { type CollectionLayout, type IndexLayout, indexName } from './layout.js';

/** Creates the collection's indexes that are missing. Multikey indexes have tables of their own, which are always there. */
export function createIndexes(connection: SqliteConnection, layout: CollectionLayout): void {
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
    secondary.flatMap((index, at) => (index.multikey === null ? [[indexName(table, at), index] as const] : [])),
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
