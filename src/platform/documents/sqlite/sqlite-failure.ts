import { existsSync, statSync, writeFileSync } from 'node:fs';
import { SqliteConnection } from '../../sqlite/driver.js';
import { DocumentStoreUnavailable, DocumentsUnusable } from '../document-store.js';

/** Ending of the mark beside a file that was found damaged: the next start removes both. */
export const DAMAGED_MARK = '-damaged';

/** Tells whether an error of SQLite, or of a row, means that the file is damaged. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  // SQLite's functions find JSON malformed only in what was stored: what is to be stored comes from JSON.stringify.
  return /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code)) || /malformed JSON/.test(error.message);
}

/** Turns SQLite's errors of the file or the disk into the port's error. Any other error is returned as it is. */
export function asUnavailable(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (isDamage(error)) {
    markDamaged(path);
    return damaged(path, error);
  }
  if (/^SQLITE_FULL/.test(code))
    return new DocumentStoreUnavailable(`no space left to write ${path}`, { cause: error });
  if (/^SQLITE_(IOERR|CANTOPEN|READONLY|BUSY|LOCKED|PROTOCOL|NOMEM|PERM|AUTH)/.test(code)) {
    return new DocumentStoreUnavailable(`${path} cannot be read or written (${code})`, { cause: error });
  }
  return error;
}

export function damaged(path: string, cause?: unknown): DocumentsUnusable {
  return new DocumentsUnusable(
    `${path} is damaged. Everything in it is derived from the log: delete the file (with its -wal and -shm) and it is rebuilt.`,
    { cause },
  );
}

/** Has the next start remove the file, if nothing has built it anew until then. */
function markDamaged(path: string): void {
  try {
    writeFileSync(path + DAMAGED_MARK, '');
  } catch {
    // On a full disk, or a disk that is read-only, the damage is found again.
  }
}

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
  const findings = findingsIn(connection);
  const ofTexts = new Set(findings.flatMap((finding) => TEXT_TABLE.exec(finding) ?? []));
  const others = findings.filter((finding) => !TEXT_TABLE.test(finding));
  const [first] = [...others, ...[...ofTexts].flatMap((table) => findingsBesideEmptyPages(connection, table))];
  if (first !== undefined) return first.replace(/^\*\*\* .* \*\*\*\n/, '').replaceAll('\n', ' ');
  // Garbage within a row is sound for SQLite.
  for (const [number] of connection.prepare('SELECT number FROM collections').all())
    if (connection.prepare(`SELECT 1 FROM d${number} WHERE NOT json_valid(doc) LIMIT 1`).get())
      return 'a document is no JSON';
  return null;
}

const findingsIn = (connection: SqliteConnection): string[] =>
  connection
    .prepare('PRAGMA quick_check(100)')
    .all()
    .map(([finding]) => String(finding))
    .filter((finding) => finding !== 'ok');

/** The table of a text index in one of SQLite's findings. */
const TEXT_TABLE = /\bd\d+text\b/;

/** FTS5's tables below its own, with their columns. */
const TABLES_OF_TEXTS = { data: 'id, block', idx: 'segid, term, pgno', config: 'k, v' };

/**
 * Looks through a copy of a text index that has no empty pages. SQLite 3.45 leaves a page empty when its last word is
 * overwritten, and takes this for damage in its check, as later versions do. Searches pass over such pages.
 */
function findingsBesideEmptyPages(connection: SqliteConnection, table: string): string[] {
  const copy = new SqliteConnection(':memory:');
  try {
    const [sql] = connection.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(table) ?? [];
    copy.exec(String(sql));
    for (const [name, columns] of Object.entries(TABLES_OF_TEXTS)) {
      const rows = connection.prepare(`SELECT ${columns} FROM ${table}_${name}`).all();
      copy.exec(`DELETE FROM ${table}_${name}`);
      const marks = columns.replace(/\w+/g, '?');
      for (const row of rows) copy.prepare(`INSERT INTO ${table}_${name} (${columns}) VALUES (${marks})`).run(...row);
    }
    copy.exec(
      `DELETE FROM ${table}_idx WHERE EXISTS ` +
        `(SELECT 1 FROM ${table}_data WHERE id = (segid << 37) + (pgno >> 1) AND block = x'00000004')`,
    );
    return findingsIn(copy);
  } finally {
    copy.close();
  }
}
