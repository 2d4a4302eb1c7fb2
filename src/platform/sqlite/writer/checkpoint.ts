import { type SqliteConnection, sqliteCode } from '../driver.js';

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
