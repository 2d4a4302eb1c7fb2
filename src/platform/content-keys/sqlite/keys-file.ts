import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { emptyWriteAheadLog, type SqliteConnection } from '../../sqlite/driver.js';
import { type FileFormat, openForReading, openForWriting } from '../../sqlite/file-format.js';
import type { GroupWriter } from '../../sqlite/writer/serve-writer.js';

/**
 * The file never deletes a row, and keys have one length: destroying a key overwrites its bytes in place, so that
 * nothing depends on how SQLite rearranges pages that deletions leave half empty.
 */
export const KEYS_FORMAT: FileFormat = {
  what: 'store of content keys',
  applicationId: 0x416e6b73,
  // Version 2 seals events with keys of their own (`seal.ts`), which earlier programs cannot derive.
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

/** Keys cross between threads as hexadecimal text. */
export type KeysRequest =
  | { readonly kind: 'put'; readonly id: string; readonly key: string }
  | { readonly kind: 'destroy'; readonly ids: readonly string[] };

export type KeysOutcome =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'present'; readonly key: string }
  /** `isErased`: no file holds the keys' bytes any more. */
  | { readonly kind: 'destroyed'; readonly isErased: boolean };

/** Stores and destroys keys, in the writer's thread. */
export class KeysWriter implements GroupWriter<KeysRequest, KeysOutcome> {
  constructor(
    readonly connection: SqliteConnection,
    private readonly unlock: () => void,
  ) {}

  apply(request: KeysRequest): KeysOutcome {
    if (request.kind === 'put') return this.put(request.id, request.key);
    this.connection
      .prepare(`UPDATE keys SET key = ${DESTROYED} WHERE id IN (SELECT value FROM json_each(?))`)
      .run(JSON.stringify(request.ids));
    return { kind: 'destroyed', isErased: true };
  }

  rolledBack(): void {}

  /** Empties the write-ahead log after a destruction: it holds earlier contents of the pages. */
  finish(outcomes: readonly KeysOutcome[]): readonly KeysOutcome[] {
    if (!outcomes.some(({ kind }) => kind === 'destroyed')) return outcomes;
    const isErased = emptyWriteAheadLog(this.connection) === 'emptied';
    return outcomes.map((outcome) => (outcome.kind === 'destroyed' ? { ...outcome, isErased } : outcome));
  }

  close(): void {
    emptyWriteAheadLog(this.connection);
    this.connection.close();
    this.unlock();
  }

  private put(id: string, key: string): KeysOutcome {
    const { changes } = this.connection
      .prepare(
        `INSERT INTO keys (id, key) VALUES (?, ?)
         ON CONFLICT (id) DO UPDATE SET key = excluded.key WHERE keys.key = ${DESTROYED}`,
      )
      .run(id, Buffer.from(key, 'hex'));
    if (changes > 0) return { kind: 'inserted' };
    const [present] = this.connection.prepare('SELECT hex(key) FROM keys WHERE id = ?').get(id) ?? [];
    return { kind: 'present', key: String(present) };
  }
}
