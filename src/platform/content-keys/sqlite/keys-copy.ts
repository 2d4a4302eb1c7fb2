import { join } from 'node:path';
import { ATTACHED, SqliteConnection, withAttached } from '../../sqlite/driver.js';
import { openForWriting } from '../../sqlite/file-format.js';
import { DESTROYED, KEYS_FORMAT } from './keys-file.js';

/** Whoever writes a copy makes it durable as a whole. */
const UNSAFE = 'PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON;';

interface KeysCopy<T> {
  /** What was read at the moment of the copy. */
  readonly read: T;
  /** Keys that are not destroyed. */
  readonly count: number;
}

/**
 * Copies the keys of a directory into a new file, beside the process that writes them: all as of one moment. It is not
 * durable yet.
 *
 * @param read runs at that moment, while no key can be stored or destroyed: it must take milliseconds
 */
export async function copyKeysFile<T>(directory: string, path: string, read: () => T): Promise<KeysCopy<T>> {
  const file = join(directory, 'keys.sqlite');
  const copy = openForWriting(path, KEYS_FORMAT, UNSAFE);
  try {
    return await withAttached(copy, file, () => {
      const moment = atMoment(file, () => {
        copy.exec('BEGIN');
        // The first read begins what the transaction sees of the file.
        copy.prepare(`SELECT 1 FROM ${ATTACHED}.keys LIMIT 1`).get();
        return read();
      });
      copy.exec(`INSERT INTO main.keys SELECT * FROM ${ATTACHED}.keys`);
      copy.exec('COMMIT');
      const [count] = copy.prepare(`SELECT count(*) FROM main.keys WHERE key <> ${DESTROYED}`).get() ?? [];
      return { read: moment, count: Number(count) };
    });
  } finally {
    copy.close();
  }
}

/** Keeps the file's writer, which waits up to 5 s, from writing meanwhile. */
function atMoment<T>(file: string, read: () => T): T {
  const writer = new SqliteConnection(file);
  try {
    writer.exec('BEGIN IMMEDIATE');
    const moment = read();
    writer.exec('ROLLBACK');
    return moment;
  } finally {
    writer.close();
  }
}
