import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkedName } from '../checked-name.js';
import {
  type DamagedDocuments,
  type DocumentDatabase,
  type DocumentStore,
  DocumentStoreUnavailable,
  DocumentsUnusable,
  type StoredCheckpoint,
} from '../document-store.js';
import { damageIn } from './damage-in.js';
import type { Tally } from './range-reader.js';
import { SqliteDocumentDatabase } from './sqlite-document-database.js';
import { DAMAGED_MARK } from './sqlite-failure.js';

const EXTENSION = '.sqlite';

/** One SQLite file for each database: `<directory>/documents/<name>.sqlite`. */
export class SqliteDocumentStore implements DocumentStore {
  private readonly open = new Map<string, SqliteDocumentDatabase>();
  private readonly tally: Tally = { examined: 0, returned: 0 };

  private readonly removed = new Set<string>();

  private constructor(private readonly folder: string) {}

  /**
   * @param options `onDamaged`: no other process writes the files, and those that are damaged are removed. All that is in them can
   * be built, or begun, anew
   * @throws DocumentStoreUnavailable if the directory cannot be made
   */
  static async open(
    directory: string,
    { onDamaged }: { readonly onDamaged?: (damaged: DamagedDocuments) => void } = {},
  ): Promise<SqliteDocumentStore> {
    const folder = join(directory, 'documents');
    try {
      await mkdir(folder, { recursive: true });
    } catch (error) {
      throw new DocumentStoreUnavailable(`${folder} cannot be made`, { cause: error });
    }
    const store = new SqliteDocumentStore(folder);
    if (onDamaged) await store.removeDamaged(onDamaged);
    return store;
  }

  get foundDamaged(): ReadonlySet<string> {
    return this.removed;
  }

  async database(name: string): Promise<DocumentDatabase> {
    return this.held(name);
  }

  async databases(): Promise<string[]> {
    const files = await readdir(this.folder);
    return files
      .filter((file) => file.endsWith(EXTENSION))
      .map((file) => file.slice(0, -EXTENSION.length))
      .sort();
  }

  async checkpoints(database?: string): Promise<readonly StoredCheckpoint[]> {
    const found: StoredCheckpoint[] = [];
    for (const name of await this.databases()) {
      if (database !== undefined && name !== database) continue;
      const stored = await this.storedCheckpoint(name).catch((error: unknown) => {
        if (error instanceof DocumentsUnusable) return null;
        throw error;
      });
      if (stored) found.push(stored);
    }
    return found;
  }

  async dropDatabase(name: string): Promise<void> {
    const path = this.path(name);
    await this.open.get(name)?.closeForAll();
    for (const suffix of ['', '-wal', '-shm', DAMAGED_MARK]) await rm(path + suffix, { force: true });
  }

  rowsExamined(): { readonly examined: number; readonly returned: number } {
    return { ...this.tally };
  }

  async close(): Promise<void> {
    await Promise.all([...this.open.values()].map((database) => database.closeForAll()));
  }

  private async removeDamaged(onDamaged: (damaged: DamagedDocuments) => void): Promise<void> {
    for (const name of await this.databases()) {
      const path = this.path(name);
      const reason = damageIn(path);
      if (reason === null) continue;
      await this.dropDatabase(name);
      this.removed.add(name);
      onDamaged({ name, path, reason });
    }
  }

  private async held(name: string): Promise<SqliteDocumentDatabase> {
    for (;;) {
      const database = this.open.get(name) ?? this.openFile(name);
      if (database.retain()) return database;
      await database.closeForAll();
    }
  }

  private async storedCheckpoint(name: string): Promise<StoredCheckpoint | null> {
    const database = await this.held(name);
    try {
      const position = await database.checkpoint();
      return position === null ? null : { database: name, position, event: await database.checkpointEvent() };
    } finally {
      await database.close();
    }
  }

  private openFile(name: string): SqliteDocumentDatabase {
    const database = SqliteDocumentDatabase.open(name, this.path(name), this.tally, () => {
      this.open.delete(name);
    });
    this.open.set(name, database);
    return database;
  }

  private path(name: string): string {
    return join(this.folder, checkedName(name) + EXTENSION);
  }
}
