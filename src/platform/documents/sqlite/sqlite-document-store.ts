import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checkedName,
  type DamagedDocuments,
  type DocumentDatabase,
  type DocumentStore,
  DocumentStoreUnavailable,
  DocumentsUnusable,
  type StoredCheckpoint,
} from '../document-store.js';
import type { Tally } from './range-reader.js';
import { SqliteDocumentDatabase } from './sqlite-document-database.js';
import { DAMAGED_MARK, damageIn } from './sqlite-failure.js';
import { DocumentsThread } from './thread/documents-thread.js';

const EXTENSION = '.sqlite';

/** One SQLite file for each database: `<directory>/documents/<name>.sqlite`. */
export class SqliteDocumentStore implements DocumentStore {
  readonly takesLargeTransactions = true;
  private readonly open = new Map<string, SqliteDocumentDatabase>();
  private readonly tally: Tally = { examined: 0, returned: 0 };

  private readonly removed = new Set<string>();
  /** Whole writes since the start, as far as they count. */
  private writes = 0;
  private writing: DocumentsThread | null = null;

  private constructor(
    private readonly directory: string,
    private readonly folder: string,
    private readonly threadAfter: number,
  ) {}

  /**
   * @param options `onDamaged`: no other process writes the files, and those that are damaged are removed. All that is in
   * them can be built, or begun, anew. `removesAfter`: nothing is removed before it, and nothing at all if it fails.
   * `threadAfter`: so many whole writes are made by this thread before another one makes them; absent: this one makes all;
   * 0: the other one is waited for
   * @throws DocumentStoreUnavailable if the directory cannot be made
   */
  static async open(
    directory: string,
    {
      onDamaged,
      removesAfter,
      threadAfter = Number.POSITIVE_INFINITY,
    }: {
      readonly onDamaged?: (damaged: DamagedDocuments) => void;
      readonly removesAfter?: Promise<unknown>;
      readonly threadAfter?: number;
    } = {},
  ): Promise<SqliteDocumentStore> {
    const folder = join(directory, 'documents');
    try {
      await mkdir(folder, { recursive: true });
    } catch (error) {
      throw new DocumentStoreUnavailable(`${folder} cannot be made`, { cause: error });
    }
    const store = new SqliteDocumentStore(directory, folder, threadAfter);
    if (onDamaged) await store.removeDamaged(onDamaged, removesAfter);
    if (threadAfter === 0) await store.begun().begins;
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
    await this.writing?.close();
  }

  private async removeDamaged(
    onDamaged: (damaged: DamagedDocuments) => void,
    removesAfter?: Promise<unknown>,
  ): Promise<void> {
    const names = await this.databases();
    const found = names.flatMap((name): DamagedDocuments[] => {
      const path = this.path(name);
      const reason = damageIn(path);
      return reason === null ? [] : [{ name, path, reason }];
    });
    if (found.length > 0) await removesAfter;
    for (const damaged of found) {
      await this.dropDatabase(damaged.name);
      this.removed.add(damaged.name);
      onDamaged(damaged);
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
    const database = SqliteDocumentDatabase.open(name, this.path(name), this.tally, {
      thread: () => this.thread(),
      leaveToUs: async (database) => this.writing?.closeDatabase(database),
      closed: () => this.open.delete(name),
    });
    this.open.set(name, database);
    return database;
  }

  /** A thread takes memory and a moment to start: it begins once a process has written much. */
  private thread(): DocumentsThread | null {
    if (this.writes < this.threadAfter) {
      this.writes++;
      return null;
    }
    const thread = this.begun();
    return thread.isReady ? thread : null;
  }

  private begun(): DocumentsThread {
    this.writing ??= new DocumentsThread({ directory: this.directory });
    return this.writing;
  }

  private path(name: string): string {
    return join(this.folder, checkedName(name) + EXTENSION);
  }
}
