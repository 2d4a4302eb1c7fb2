import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteConnection } from '../../sqlite/driver.js';
import { type FileFormat, openForReading, openForWriting } from '../../sqlite/file-format.js';

/**
 * A row is never deleted, and its key always has the same length: destroying one overwrites it where it lies, so that
 * nothing depends on how SQLite rearranges the pages that deletions leave half empty.
 */
const KEYS_FORMAT: FileFormat = {
  what: 'store of content keys',
  applicationId: 0x416e6b73,
  version: 1,
  schema: `
CREATE TABLE keys (
  slot INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;
`,
};

/** In place of a key that was destroyed. */
export const DESTROYED = 'zeroblob(32)';

const SETTINGS = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA wal_autocheckpoint = 2000;
PRAGMA secure_delete = ON;
PRAGMA cache_size = -32768;
`;

const pathIn = (directory: string): string => join(directory, 'keys.sqlite');

export const keysExist = (directory: string): boolean => existsSync(pathIn(directory));

/** @throws WriterRefused */
export function openKeys(directory: string): SqliteConnection {
  return openForWriting(pathIn(directory), KEYS_FORMAT, SETTINGS);
}

/** @throws WriterRefused */
export function openKeysForReading(directory: string): SqliteConnection {
  const connection = openForReading(pathIn(directory), KEYS_FORMAT);
  // Names are random: a rebuild that reads a thousand keys at a time touches as many pages.
  connection.exec('PRAGMA cache_size = -32768');
  return connection;
}
