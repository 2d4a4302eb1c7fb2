import { pathToFileURL } from 'node:url';
import Database from 'libsql';

export type SqlValue = null | number | bigint | string | Uint8Array;
export type Row = readonly SqlValue[];

export interface RunResult {
  readonly changes: number;
  readonly lastInsertRowid: number | bigint;
}

/** A prepared statement. Rows are arrays, in the order of the selected columns. */
export interface Statement {
  run(...parameters: SqlValue[]): RunResult;
  get(...parameters: SqlValue[]): Row | undefined;
  all(...parameters: SqlValue[]): Row[];
}

export interface OpenOptions {
  readonly readonly?: boolean;
  /** The file has no write-ahead log, and nothing writes to it: it is read without locks, and nothing is left beside it. */
  readonly immutable?: boolean;
  /** Longest wait for another connection's lock: ms; default 5000. */
  readonly busyTimeout?: number;
}

/** Wraps the SQLite binding, which no other file names: another synchronous binding can take its place here. */
export class SqliteConnection {
  private readonly statements = new Map<string, Statement>();
  private readonly database: InstanceType<typeof Database>;

  /** @throws Error with a `code` such as SQLITE_CANTOPEN, SQLITE_NOTADB or SQLITE_CORRUPT */
  constructor(path: string, options: OpenOptions = {}) {
    // The binding has no read-only flag of its own; SQLite's file names have.
    const { readonly: isRead, immutable } = options;
    const name = isRead || immutable ? `${pathToFileURL(path).href}?mode=ro${immutable ? '&immutable=1' : ''}` : path;
    this.database = new Database(name, { timeout: options.busyTimeout ?? 5000 } as never);
  }

  exec(sql: string): void {
    this.database.exec(sql);
  }

  /** Compiles a text once per connection. */
  prepare(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.compile(sql);
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

  private compile(sql: string): Statement {
    const prepared = this.database.prepare(sql);
    // biome-ignore lint/suspicious/noExplicitAny: the binding's own type for parameters and rows
    const statement = prepared as any;
    // Statements that return no rows have no raw mode.
    if (/^\s*(select|with|pragma)|\breturning\b/i.test(sql)) statement.raw(true);
    // Parameters are passed as one array: the binding takes a single blob or null for named parameters.
    return {
      run: (...parameters) => statement.run(parameters),
      get: (...parameters) => statement.get(parameters),
      all: (...parameters) => statement.all(parameters),
    };
  }
}

/** SQLite's code of an error, such as SQLITE_FULL; undefined for any other error. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : undefined;
}
