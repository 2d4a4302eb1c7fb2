import { existsSync, statSync } from 'node:fs';
import { SqliteConnection } from '../../sqlite/driver.js';
import { DAMAGED_MARK, isDamage } from './sqlite-failure.js';

/** A file up to this size is read through at every start. Damage in a larger one is found when it is read. */
const READ_THROUGH = 16 * 1024 * 1024;

/** Looks for damage in a file that no other process writes. @returns the reason why it is of no use; null: none is found */
export function damageIn(path: string): string | null {
  if (existsSync(path + DAMAGED_MARK)) return 'it was found damaged while it was read';
  const size = statSync(path).size;
  if (size === 0) return 'the file is empty';
  // A closed connection removes files beside the database when its statements are collected: an immutable one has none.
  const isClosed = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
  const connection = new SqliteConnection(path, { immutable: isClosed });
  try {
    const [version] = connection.prepare('PRAGMA user_version').get() ?? [];
    const [tables] = connection.prepare('SELECT count(*) FROM sqlite_schema').get() ?? [];
    if (version === 0 && tables !== 0) return 'its tables are other ones';
    return version === 0 || size > READ_THROUGH ? null : findingOf(connection);
  } catch (error) {
    // Whoever opens the file next hears of any other error.
    return isDamage(error) && error instanceof Error ? error.message : null;
  } finally {
    connection.close();
  }
}

function findingOf(connection: SqliteConnection): string | null {
  const [finding] = connection.prepare('PRAGMA quick_check(1)').get() ?? [];
  if (finding !== 'ok')
    return String(finding)
      .replace(/^\*\*\* .* \*\*\*\n/, '')
      .replaceAll('\n', ' ');
  // Garbage within a row is sound for SQLite.
  for (const [number] of connection.prepare('SELECT number FROM collections').all())
    if (connection.prepare(`SELECT 1 FROM d${number} WHERE NOT json_valid(doc) LIMIT 1`).get())
      return 'a document is no JSON';
  return null;
}
