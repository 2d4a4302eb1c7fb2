import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type Database from 'libsql';

export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = readonly SqlValue[];

interface RunResult {
  readonly changes: number;
  readonly lastInsertRowid: number | bigint;
}

/** A prepared statement. Rows are arrays, in the order of the selected columns. */
interface Statement {
  run(...parameters: SqlValue[]): RunResult;
  get(...parameters: SqlValue[]): Row | undefined;
  all(...parameters: SqlValue[]): Row[];
}

interface OpenOptions {
  readonly readonly?: boolean;
  /** The file has no write-ahead log, and nothing writes to it: it is read without locks, and nothing is left beside it. */
  readonly immutable?: boolean;
  /** Longest wait for another connection's lock: ms; default 5000. */
  readonly busyTimeout?: number;
}

/** A binding's connection to a file. */
interface Binding {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** The part of `node:sqlite` that is used. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options: Readonly<Record<string, unknown>>) => Binding;
}

/**
 * Node's own SQLite, and `libsql` on a Node without it: no other file names either. A process has one of them, because two
 * copies of SQLite in a process release each other's locks on files.
 */
const openBinding = isReleased(process.versions.node) ? nodeSqlite() : libsql();

/** A connection to a file of SQLite. */
export class SqliteConnection {
  private readonly statements = new Map<string, Statement>();
  private readonly database: Binding;

  /** @throws Error with a `code` such as SQLITE_CANTOPEN, SQLITE_NOTADB or SQLITE_CORRUPT */
  constructor(path: string, options: OpenOptions = {}) {
    // `libsql` has no read-only flag of its own; SQLite's file names have.
    const { readonly: isRead, immutable } = options;
    const name = isRead || immutable ? `${pathToFileURL(path).href}?mode=ro${immutable ? '&immutable=1' : ''}` : path;
    this.database = openBinding(name, options.busyTimeout ?? 5000);
  }

  exec(sql: string): void {
    this.database.exec(sql);
  }

  /** Compiles a text once per connection. */
  prepare(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  /** All or nothing; not nested. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      try {
        this.exec('ROLLBACK');
      } catch {
        // A failed COMMIT may have ended the transaction already. The first error is thrown.
      }
      throw error;
    }
  }

  close(): void {
    this.statements.clear();
    this.database.close();
  }
}

/** SQLite's code of an error, such as SQLITE_FULL; undefined for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : undefined;
}

/** Earlier versions of Node warn that their SQLite is an experiment. */
function isReleased(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 24 ? minor >= 15 : major > 25;
}

function nodeSqlite(): (name: string, timeout: number) => Binding {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite') as NodeSqlite;
  return (name, timeout) => {
    // Shadow tables of FTS5 are written where words are erased. `defensive` forbids it.
    const database = withCodes(() => new DatabaseSync(name, { timeout, returnArrays: true, defensive: false }));
    // As `libsql` is compiled: nothing of a document is left in a temporary file.
    database.exec('PRAGMA temp_store = MEMORY');
    return {
      exec: (sql) => withCodes(() => database.exec(sql)),
      prepare(sql) {
        const statement = withCodes(() => database.prepare(sql));
        return {
          run: (...parameters) => withCodes(() => statement.run(...parameters)),
          get: (...parameters) => withCodes(() => statement.get(...parameters)),
          all: (...parameters) => withCodes(() => statement.all(...parameters)),
        };
      },
      close: () => database.close(),
    };
  };
}

/** SQLite's result codes by their numbers, and the extended codes that say more than the plain ones here. */
const CODES =
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'.split(
    ' ',
  );
const EXTENDED_CODES: Readonly<Record<number, string>> = {
  522: 'IOERR_SHORT_READ',
  778: 'IOERR_WRITE',
  1555: 'CONSTRAINT_PRIMARYKEY',
  2067: 'CONSTRAINT_UNIQUE',
};

/** Gives errors of `node:sqlite` the codes of SQLite. */
function withCodes<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const { code, errcode, message } = cause as { code?: unknown; errcode?: number; message: string };
    // No row has an integer that a number cannot hold.
    const number = code === 'ERR_OUT_OF_RANGE' ? CODES.indexOf('CORRUPT') : errcode;
    if (number === undefined) throw cause;
    const name = EXTENDED_CODES[number] ?? CODES[number & 0xff];
    throw Object.assign(new Error(message, { cause }), { code: `SQLITE_${name}` });
  }
}

function libsql(): (name: string, timeout: number) => Binding {
  const Connection = createRequire(import.meta.url)('libsql') as typeof Database;
  return (name, timeout) => {
    const database = new Connection(name, { timeout } as never);
    return {
      exec: (sql) => void database.exec(sql),
      prepare(sql) {
        // biome-ignore lint/suspicious/noExplicitAny: the binding's own type for parameters and rows
        const statement = database.prepare(sql) as any;
        // Statements that return no rows have no raw mode.
        if (/^\s*(select|with|pragma)|\breturning\b/i.test(sql)) statement.raw(true);
        // Parameters are passed as one array: the binding takes a single blob or null for named parameters.
        return {
          run: (...parameters) => statement.run(parameters),
          get: (...parameters) => statement.get(parameters),
          all: (...parameters) => statement.all(parameters),
        };
      },
      close: () => void database.close(),
    };
  };
}

/** Name under which a statement finds the other file's tables. */
export const ATTACHED = 'attached';

/** Attaches another file to a connection, for reading alone, while `work` runs. */
export async function withAttached<T>(
  connection: SqliteConnection,
  path: string,
  work: () => T | Promise<T>,
): Promise<T> {
  connection.exec(`ATTACH '${`${pathToFileURL(path).href}?mode=ro`.replaceAll("'", "''")}' AS ${ATTACHED}`);
  try {
    return await work();
  } finally {
    connection.exec(`DETACH ${ATTACHED}`);
  }
}

/**
 * Copies the write-ahead log into the database and empties its file. Waits for readers up to the connection's busy
 * timeout. No failure loses data: everything stays in the write-ahead log.
 */
export function emptyWriteAheadLog(connection: SqliteConnection): 'emptied' | 'busy' | 'failed' {
  try {
    const [busy] = connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? [];
    return busy === 0 ? 'emptied' : 'busy';
  } catch (error) {
    if (sqliteCode(error) === undefined) throw error;
    return 'failed';
  }
}
