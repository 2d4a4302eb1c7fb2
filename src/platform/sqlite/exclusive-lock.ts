import { SqliteConnection, sqliteCode } from './driver.js';

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
