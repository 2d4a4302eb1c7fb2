import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { SqliteConnection, sqliteCode } from './driver.js';
import { WriterRefused } from './writer/writer-protocol.js';

/** One kind of SQLite file that the server owns. */
export interface FileFormat {
  /** Name in messages, such as `log`. */
  readonly what: string;
  /** Tells it from any other SQLite file. */
  readonly applicationId: number;
  /** Version of the tables and of what they hold. A newer one is refused. An earlier one becomes this one when written to. */
  readonly version: number;
  readonly schema: string;
}

/** A file up to this size is read through at every start. */
const READ_ALWAYS = 16 * 1024 * 1024;
/** A file that its last writer did not close is read through up to this size. */
const READ_AFTER_A_CRASH = 256 * 1024 * 1024;

/**
 * Opens a file for its only writer, or creates it. The writer holds a lock on it.
 *
 * @param settings SQL for this connection, run on a sound file
 * @param check a further check of the file; throws `damaged()`
 * @throws WriterRefused `damaged`, `newer-version`
 */
export function openForWriting(
  path: string,
  format: FileFormat,
  settings: string,
  check: (connection: SqliteConnection) => void = () => {},
): SqliteConnection {
  const unfinished = sizeOf(`${path}-wal`);
  if (!existsSync(path)) {
    if (unfinished > 0) throw damaged(path, format, `it is missing, while ${basename(path)}-wal is there`);
    create(path, format);
  }
  const size = sizeOf(path);
  const readThrough = size <= READ_ALWAYS || (unfinished > 0 && size <= READ_AFTER_A_CRASH);
  return openChecked(path, format, {}, (connection) => {
    if (tablesOf(connection) !== tablesAsMade(format)) throw damaged(path, format, 'its tables are other ones');
    if (readThrough) {
      const [finding] = connection.prepare('PRAGMA quick_check(1)').get() ?? [];
      if (finding !== 'ok') throw damaged(path, format, String(finding));
    }
    check(connection);
    connection.exec(settings);
    // Earlier versions have the same tables.
    if (versionOf(connection) < format.version) connection.exec(`PRAGMA user_version = ${format.version}`);
  });
}

/**
 * Opens a file for reading, beside its writer or without one.
 *
 * @throws WriterRefused `missing`, `damaged`, `newer-version`
 */
export function openForReading(path: string, format: FileFormat): SqliteConnection {
  if (!existsSync(path))
    throw new WriterRefused('missing', `There is no ${format.what} at ${path}: start the server once.`);
  return openChecked(path, format, { readonly: true }, () => {});
}

export function damaged(path: string, { what }: FileFormat, finding: string, cause?: unknown): WriterRefused {
  return new WriterRefused(
    'damaged',
    `The ${what} ${path} is damaged: ${finding}. Keep the file, with its -wal and -shm beside it, for repair; ` +
      `restore the ${what} from a backup, then start again.`,
    { cause },
  );
}

function openChecked(
  path: string,
  format: FileFormat,
  options: { readonly?: boolean },
  check: (connection: SqliteConnection) => void,
): SqliteConnection {
  if (sizeOf(path) === 0) throw damaged(path, format, 'the file is empty');
  const connection = new SqliteConnection(path, options);
  try {
    checkIdentity(connection, path, format);
    check(connection);
    return connection;
  } catch (error) {
    connection.close();
    if (!/^SQLITE_(NOTADB|CORRUPT|SCHEMA|ERROR|IOERR_SHORT_READ)/.test(sqliteCode(error) ?? '')) throw error;
    throw damaged(path, format, error instanceof Error ? error.message : String(error), error);
  }
}

function checkIdentity(connection: SqliteConnection, path: string, format: FileFormat): void {
  if (numberOf('application_id', connection) !== format.applicationId)
    throw damaged(path, format, 'it is another program’s file');
  const version = versionOf(connection);
  if (version > format.version) {
    throw new WriterRefused(
      'newer-version',
      `The ${format.what} ${path} was written by a newer version of Annals (format ${version}; this one knows formats ` +
        `up to ${format.version}). Start it with that version, or restore a backup from before the upgrade.`,
    );
  }
  if (version < 1) throw damaged(path, format, `it claims to have format ${version}`);
}

const versionOf = (connection: SqliteConnection): number => numberOf('user_version', connection);

const numberOf = (pragma: string, connection: SqliteConnection): number =>
  Number(connection.prepare(`PRAGMA ${pragma}`).get()?.[0]);

/** Makes the file under another name first, so that a file of this name is never half made. */
function create(path: string, { schema, applicationId, version }: FileFormat): void {
  const unfinished = `${path}.new`;
  for (const leftover of ['', '-journal', '-wal', '-shm']) rmSync(unfinished + leftover, { force: true });
  closeSync(openSync(unfinished, 'wx', 0o600));
  const connection = new SqliteConnection(unfinished);
  connection.exec('PRAGMA synchronous = FULL');
  connection.transaction(() =>
    connection.exec(`${schema}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version};`),
  );
  connection.close();
  renameSync(unfinished, path);
  const directory = openSync(dirname(path), 'r');
  fsyncSync(directory);
  closeSync(directory);
}

function tablesAsMade({ schema }: FileFormat): string {
  const connection = new SqliteConnection(':memory:');
  connection.exec(schema);
  const tables = tablesOf(connection);
  connection.close();
  return tables;
}

function tablesOf(connection: SqliteConnection): string {
  const made = connection.prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name");
  return JSON.stringify(made.all());
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
