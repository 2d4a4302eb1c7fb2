import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteConnection } from '../../sqlite/driver.js';
import { type FileFormat, openForReading, openForWriting } from '../../sqlite/file-format.js';

/**
 * The file never deletes a row, and keys have one length: destroying a key overwrites its bytes in place, so that
 * nothing depends on how SQLite rearranges pages that deletions leave half empty.
 */
export const KEYS_FORMAT: FileFormat = {
  what: 'store of content keys',
  applicationId: 0x416e6b73,
  // Since 2, events are sealed with keys of their own (`seal.ts`), which earlier programs cannot derive.
  version: 2,
  schema: `
CREATE TABLE keys (
  slot INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;
`,
};

/** SQL that replaces a destroyed key. */
export const DESTROYED = 'zeroblob(32)';

const SETTINGS = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA wal_autocheckpoint = 2000;
PRAGMA secure_delete = ON;
PRAGMA cache_size = -8192;
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
  // Names are random, so a rebuild that reads a thousand keys at a time touches as many pages.
  connection.exec('PRAGMA cache_size = -8192');
  return connection;
}
