import { setImmediate } from 'node:timers/promises';
import type { EventPlace } from '../../kernel/event.js';
import { Mutex } from '../../kernel/mutex.js';
import type { Position } from '../../kernel/position.js';
import { emptyWriteAheadLog, SqliteConnection } from '../../sqlite/driver.js';
import {
  type Collection,
  type CollectionSpec,
  checkedName,
  type DocumentDatabase,
  DocumentStoreUnavailable,
  DocumentsUnusable,
  type DocumentTransaction,
  type EnsureOptions,
  type StoredDocument,
  type WholeWrite,
  type WriteResult,
} from '../document-store.js';
import { writeIn } from '../whole-write.js';
import { DeletedRemains, replaceLostPageTerms, termPages } from './deleted-remains.js';
import { type CollectionLayout, storedJson } from './layout.js';
import { ConnectionAccess, OpenTransaction } from './open-transaction.js';
import type { Tally } from './range-reader.js';
import {
  CREATE_CHECKPOINT_EVENT,
  CREATE_FILE,
  createMissed,
  ensureCollection,
  FILE_VERSION,
  missedIndex,
  readLayouts,
} from './schema.js';
import { type CollectionAccess, SqliteCollection } from './sqlite-collection.js';
import { asUnavailable, damaged } from './sqlite-failure.js';
import type { DocumentsThread } from './thread/documents-thread.js';

/**
 * Page caches are small, because every database has two: the system's own cache of files is behind them, and rebuilds and
 * sends take no more processor time than with 64 and 32 MiB.
 *
 * WAL: readers see the last commit while a transaction writes. `synchronous=NORMAL`: a power failure may lose the last
 * commits, documents and checkpoint together; the log has their events. `secure_delete`: deleted rows are overwritten.
 */
const WRITER_SETTINGS =
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -8192; PRAGMA wal_autocheckpoint = 8000;';
const READER_SETTINGS = 'PRAGMA query_only = ON; PRAGMA cache_size = -4096;';

/** Pages of a text index that are looked at in one turn. */
const PAGES_AT_ONCE = 200;

/** The store, as its databases know it. */
interface DatabaseOwner {
  /** The thread that makes the next whole write; null: this one does. */
  thread(): Pick<DocumentsThread, 'write'> | null;
  /** Resolves when no thread has the database open. */
  leaveToUs(database: string): Promise<void>;
  closed(): void;
}

export class SqliteDocumentDatabase implements DocumentDatabase {
  private layouts: Map<string, CollectionLayout>;
  private readonly writing: ConnectionAccess;
  private readonly reading: ConnectionAccess;
  private readonly turns = new Mutex();
  private readonly remains: DeletedRemains;
  private closing: Promise<void> | null = null;
  private closed = false;
  private holders = 0;

  private constructor(
    readonly name: string,
    private readonly path: string,
    private readonly writer: SqliteConnection,
    private readonly reader: SqliteConnection,
    tally: Tally,
    private readonly owner: DatabaseOwner,
  ) {
    this.layouts = readLayouts(writer);
    this.remains = new DeletedRemains(path);
    this.writing = new ConnectionAccess(writer, tally, true);
    this.reading = new ConnectionAccess(reader, tally, false);
  }

  /** @throws DocumentStoreUnavailable */
  static open(name: string, path: string, tally: Tally, owner: DatabaseOwner): SqliteDocumentDatabase {
    const opened: SqliteConnection[] = [];
    const connect = (settings: string): SqliteConnection => {
      const connection = new SqliteConnection(path);
      opened.push(connection);
      connection.exec(settings);
      return connection;
    };
    try {
      const writer = connect(WRITER_SETTINGS);
      prepareFile(writer, path);
      return new SqliteDocumentDatabase(name, path, writer, connect(READER_SETTINGS), tally, owner);
    } catch (error) {
      for (const connection of opened) connection.close();
      throw asUnavailable(error, path);
    }
  }

  async ensure(
    collections: Readonly<Record<string, CollectionSpec>>,
    { indexesLater = false }: EnsureOptions = {},
  ): Promise<void> {
    await this.inTurn(() => {
      for (const [name, spec] of Object.entries(collections)) {
        ensureCollection(this.writer, checkedName(name), spec, indexesLater);
      }
    });
    // The owner opens the file again with the new indexes.
    await this.queued(() => this.owner.leaveToUs(this.name));
    this.layouts = readLayouts(this.writer);
    this.writing.forget();
    this.reading.forget();
  }

  collection<D extends StoredDocument>(name: string): Collection<D> {
    const access: CollectionAccess = {
      read: async (work) => {
        const read = () => this.guarded(() => work(this.reading.query(this.layout(name))));
        try {
          return read();
        } catch (error) {
          if (!missedIndex(error)) throw error;
          await this.inTurn(() => createMissed(this.writer, this.layout(name), error));
          return read();
        }
      },
      write: (work) =>
        this.inTurn(() => work(this.writing.writer(this.layout(name)), this.writing.query(this.layout(name)))),
    };
    return new SqliteCollection<D>(access);
  }

  transaction<T>(work: (transaction: DocumentTransaction) => Promise<T>): Promise<T> {
    return this.inTurn(async () => {
      const transaction = new OpenTransaction(this.writer, this.path, this.writing, (name) => this.layout(name));
      try {
        return await work(transaction);
      } finally {
        transaction.end();
      }
    });
  }

  write(write: WholeWrite): Promise<readonly WriteResult[]> {
    const thread = this.owner.thread();
    if (thread) return this.queued(() => thread.write(this.name, write));
    return this.transaction((transaction) => writeIn(transaction, this.name, write));
  }

  async has(collection: string): Promise<boolean> {
    if (this.layouts.has(collection)) return true;
    const layouts = this.guarded(() => readLayouts(this.reader));
    if (!layouts.has(collection)) return false;
    // Another process has made it since.
    this.layouts = layouts;
    this.writing.forget();
    this.reading.forget();
    return true;
  }

  async checkpoint(): Promise<Position | null> {
    return this.guarded(() => {
      const [row] = this.reader.prepare('SELECT position FROM checkpoint').all();
      return row ? Number(row[0]) : null;
    });
  }

  /** The event stored with the checkpoint; null if no checkpoint ever came with an event. */
  async checkpointEvent(): Promise<EventPlace | null> {
    return this.guarded(() => {
      const [row] = this.reader.prepare('SELECT event FROM checkpointEvent').all();
      return row ? (storedJson(row[0]) as EventPlace) : null;
    });
  }

  /** Reads the whole file (about a second a gigabyte). Reads and writes go on meanwhile. */
  async purge(): Promise<void> {
    for (const layout of this.layouts.values()) await this.replaceLostPageTerms(layout);
    await this.queued(() => this.emptyWriteAheadLog());
    const pages = await this.remains.pages();
    if (pages.length === 0) return;
    await this.queued(() => {
      this.emptyWriteAheadLog();
      this.guarded(() => this.remains.overwrite(pages));
    });
  }

  /** Counts one more opening. @returns false if the database is being closed */
  retain(): boolean {
    if (this.closing) return false;
    this.holders++;
    return true;
  }

  async close(): Promise<void> {
    this.holders--;
    if (this.holders <= 0) await this.closeForAll();
  }

  closeForAll(): Promise<void> {
    this.closing ??= this.queued(async () => {
      // Whatever became of the thread, this connection closes.
      await this.owner.leaveToUs(this.name).catch(() => {});
      this.closed = true;
      this.reader.close();
      // Closing alone empties it only after the garbage collector has found the connection's last statement.
      emptyWriteAheadLog(this.writer);
      this.writer.close();
      await this.remains.close();
      this.owner.closed();
    });
    return this.closing;
  }

  private async replaceLostPageTerms(layout: CollectionLayout): Promise<void> {
    const pages = await this.inTurn(() => termPages(this.writer, layout));
    for (let at = 0; at < pages.length; at += PAGES_AT_ONCE) {
      await this.inTurn(() => replaceLostPageTerms(this.writer, layout, pages.slice(at, at + PAGES_AT_ONCE)));
      // Lets other transactions have their turn.
      await setImmediate();
    }
  }

  private emptyWriteAheadLog(): void {
    this.guarded(() => {
      const [busy] = this.writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()[0] ?? [];
      if (busy !== 0) throw new DocumentStoreUnavailable(`another reader keeps ${this.path}-wal from being emptied`);
    });
  }

  private layout(name: string): CollectionLayout {
    const layout = this.layouts.get(name);
    if (!layout) throw new Error(`${this.name} has no collection ${name}: ensure must have run`);
    return layout;
  }

  /** Runs in a write transaction of its own, after all transactions that were asked for before. */
  private inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    return this.queued(async () => {
      this.guarded(() => this.writer.exec('BEGIN IMMEDIATE'));
      try {
        const result = await work();
        this.writer.exec('COMMIT');
        return result;
      } catch (error) {
        this.rollback();
        throw asUnavailable(error, this.path);
      }
    });
  }

  private queued<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.closing) return Promise.reject(new DocumentStoreUnavailable(`${this.name} is closed`));
    return this.turns.run(work);
  }

  private rollback(): void {
    try {
      this.writer.exec('ROLLBACK');
    } catch {
      // A full disk may have ended the transaction already. The first error is reported.
    }
  }

  private guarded<T>(work: () => T): T {
    if (this.closed) throw new DocumentStoreUnavailable(`${this.name} is closed`);
    try {
      return work();
    } catch (error) {
      throw asUnavailable(error, this.path);
    }
  }
}

function prepareFile(connection: SqliteConnection, path: string): void {
  const version = Number(connection.prepare('PRAGMA user_version').all()[0]?.[0]);
  if (version === FILE_VERSION) {
    connection.exec(CREATE_CHECKPOINT_EVENT);
    return;
  }
  const tables = Number(connection.prepare('SELECT count(*) FROM sqlite_schema').all()[0]?.[0]);
  if (version === 0 && tables === 0) {
    connection.transaction(() => connection.exec(`${CREATE_FILE} ${CREATE_CHECKPOINT_EVENT}`));
    return;
  }
  if (version === 0) throw damaged(path);
  throw new DocumentsUnusable(
    `${path} was written by another version of this program (${version}, not ${FILE_VERSION}). Delete it and it is rebuilt from the log.`,
  );
}
