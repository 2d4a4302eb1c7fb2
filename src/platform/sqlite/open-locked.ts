import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { SqliteConnection, sqliteCode } from './driver.js';
import { WriterRefused } from './writer/writer-protocol.js';

/**
 * A lock between processes, and between threads of a process. The operating system frees it when its holder ends in any
 * way. Deleting the file does not free the lock, but lets two hold it.
 */
export class ExclusiveLock {
  private constructor(private readonly connection: SqliteConnection) {}

  /** @returns undefined if the lock is held already */
  static acquire(path: string): ExclusiveLock | undefined {
    const connection = new SqliteConnection(path, { busyTimeout: 0 });
    try {
      // Nothing is ever written to the file: it needs no journal beside it.
      connection.exec('PRAGMA journal_mode = MEMORY');
      connection.exec('BEGIN EXCLUSIVE');
      return new ExclusiveLock(connection);
    } catch (error) {
      connection.close();
      if (sqliteCode(error)?.startsWith('SQLITE_BUSY')) return undefined;
      throw error;
    }
  }

  release(): void {
    this.connection.exec('ROLLBACK');
    this.connection.close();
  }
}

/**
 * Takes a lock, then opens something that only one process may have open. Creates a missing directory.
 *
 * @param path the lock's file
 * @param open gets the function that frees the lock
 * @throws WriterRefused `locked`, and any error of `open`
 */
export function openLocked<T>(path: string, what: string, open: (unlock: () => void) => T): T {
  mkdirSync(dirname(path), { recursive: true });
  const lock = ExclusiveLock.acquire(path);
  if (!lock) {
    throw new WriterRefused(
      'locked',
      `The ${what} in ${dirname(path)} is in use by another Annals server. Stop that one first, or give this one a ` +
        'data directory of its own (ANNALS_DATA_DIR).',
    );
  }
  try {
    return open(() => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}
