import type { CollectionSpec, DocumentStore, StoredDocument } from '../../platform/documents/document-store.js';
import { inDatabase, inExisting } from '../../platform/documents/in-database.js';

/** A backup that was made. */
export interface BackupMade {
  /** When it ended, milliseconds since 1970. */
  readonly at: number;
  /** Position of the newest event in it. */
  readonly through: number;
  /** Number of files in it that are not as the log says. */
  readonly faults: number;
}

interface BackupDocument extends BackupMade, StoredDocument {
  readonly _id: 'last';
}

/** The backup that was made last, for monitoring. */
export interface BackupReport {
  /** ISO 8601. */
  readonly endedAt: string;
  readonly through: number;
  readonly faults: number;
}

const DATABASE = 'backups';
const MADE = 'made';
const collections: Readonly<Record<string, CollectionSpec>> = { [MADE]: {} };

/** Remembers a backup for monitoring. The backup itself needs no such record. */
export async function rememberBackup(store: DocumentStore, { at, through, faults }: BackupMade): Promise<void> {
  const last: BackupDocument = { _id: 'last', at, through, faults };
  await inDatabase(store, DATABASE, collections, (database) =>
    database.collection<BackupDocument>(MADE).replaceOne({ _id: 'last' }, last, { upsert: true }),
  );
}

/** Reads the backup that was made last; null: none was, as far as the documents tell. */
export async function lastBackupIn(store: DocumentStore): Promise<BackupReport | null> {
  const last = await inExisting(store, DATABASE, collections, (database) =>
    database.collection<BackupDocument>(MADE).findOne({ _id: 'last' }),
  );
  return last && { endedAt: new Date(last.at).toISOString(), through: last.through, faults: last.faults };
}

/** Tells whether a value that another process sent is a backup. */
export function isBackupMade(value: unknown): value is BackupMade {
  if (typeof value !== 'object' || value === null) return false;
  if (!('at' in value && 'through' in value && 'faults' in value)) return false;
  return [value.at, value.through, value.faults].every((number) => Number.isSafeInteger(number) && Number(number) >= 0);
}
