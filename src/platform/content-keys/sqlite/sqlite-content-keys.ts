import { LruMap } from '../../kernel/lru-map.js';
import type { Row, SqliteConnection } from '../../sqlite/driver.js';
import { WriterThread } from '../../sqlite/writer/writer-thread.js';
import { threadEntry } from '../../threads/thread-entry.js';
import {
  afterPrefix,
  type ContentKey,
  type ContentKeys,
  ContentKeysUnavailable,
  KEY_BYTES,
  type PutResult,
  refuseBadKey,
} from '../content-keys.js';
import { DESTROYED, type KeysOutcome, type KeysRequest, keysExist, openKeysForReading } from './keys-file.js';
import type { KeysWriterData } from './writer.thread.js';

type Writer = WriterThread<KeysRequest, KeysOutcome>;

const LOST =
  'the log holds events, and there is no keys.sqlite beside it: without its keys nobody can read what people wrote. ' +
  'Restore keys.sqlite from its backup.';

const REMEMBERED = 20_000;
/** Rows that are looked through at once while names are listed, those of destroyed keys included. */
const BATCH = 1000;

/** Keys in `keys.sqlite` of a data directory. One process writes them, any number read them. */
export class SqliteContentKeys implements ContentKeys {
  private isClosed = false;

  private constructor(
    private readonly connection: SqliteConnection,
    private readonly remembered: LruMap<string, ContentKey>,
    private readonly writer: Writer | undefined,
  ) {}

  /**
   * Opens the keys for writing and reading; creates the file and the directory if they are missing.
   *
   * @param options `mustExist`: the log holds sealed content, so missing keys are lost keys
   * @throws ContentKeysUnavailable
   */
  static async open(directory: string, { mustExist = false } = {}): Promise<SqliteContentKeys> {
    if (mustExist && !keysExist(directory)) throw new ContentKeysUnavailable(LOST);
    const data: KeysWriterData = { directory };
    const entry = threadEntry('src/platform/content-keys/sqlite/writer.thread.js');
    return attempt(async () => {
      const writer: Writer = await WriterThread.start(entry, data, 'the store of content keys');
      try {
        return new SqliteContentKeys(openKeysForReading(directory), new LruMap(REMEMBERED), writer);
      } catch (error) {
        await writer.close();
        throw error;
      }
    });
  }

  /**
   * Opens the keys for reading only, with or without a process or thread that writes them.
   *
   * @throws ContentKeysUnavailable
   */
  static async openReadOnly(directory: string): Promise<SqliteContentKeys> {
    return attempt(() => new SqliteContentKeys(openKeysForReading(directory), new LruMap(0), undefined));
  }

  async putIfAbsent(id: string, key: ContentKey): Promise<PutResult> {
    refuseBadKey(id, key);
    const outcome = await this.write({ kind: 'put', id, key: Buffer.from(key).toString('hex') });
    const stored = outcome.kind === 'present' ? Buffer.from(outcome.key, 'hex') : key;
    this.remembered.set(id, stored);
    return { key: stored, inserted: outcome.kind === 'inserted' };
  }

  async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, ContentKey>> {
    const found = new Map<string, ContentKey>();
    const missing: string[] = [];
    for (const id of ids) {
      const key = this.remembered.get(id);
      if (key) found.set(id, key);
      else missing.push(id);
    }
    if (missing.length > 0) {
      for (const [id, key] of await attempt(() => this.select(missing))) {
        found.set(id, key);
        this.remembered.set(id, key);
      }
    }
    return found;
  }

  async missing(ids: readonly string[]): Promise<readonly string[]> {
    return attempt(() => this.selectMissing(ids));
  }

  async destroy(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    for (const id of ids) this.remembered.delete(id);
    const outcome = await this.write({ kind: 'destroy', ids });
    // A read of the file may have remembered them meanwhile.
    for (const id of ids) this.remembered.delete(id);
    if (outcome.kind === 'destroyed' && !outcome.isErased) {
      throw new ContentKeysUnavailable('the keys are destroyed, but files still hold their bytes: destroy them again');
    }
  }

  async *names(prefix: string): AsyncGenerator<readonly string[], void> {
    const end = afterPrefix(prefix);
    for (let from = prefix; ; ) {
      const rows = await attempt(() => this.rowsBetween(from, end));
      yield rows.flatMap(([id, isThere]) => (isThere === 1 ? [String(id)] : []));
      if (rows.length < BATCH) return;
      // The least text that is greater than the last name.
      from = `${rows.at(-1)?.[0]}\u0000`;
    }
  }

  async close(): Promise<void> {
    if (!this.isClosed) {
      this.isClosed = true;
      this.connection.close();
    }
    await this.writer?.close();
  }

  private async write(request: KeysRequest): Promise<KeysOutcome> {
    const { writer } = this;
    if (!writer) throw new ContentKeysUnavailable('the content keys are open for reading only');
    return attempt(() => writer.submit(request));
  }

  private rowsBetween(from: string, end: string): readonly Row[] {
    if (this.isClosed) throw new Error('they are closed');
    return this.connection
      .prepare(`SELECT id, key <> ${DESTROYED} FROM keys WHERE id >= ? AND id < ? ORDER BY id LIMIT ${BATCH}`)
      .all(from, end);
  }

  private selectMissing(ids: readonly string[]): string[] {
    if (this.isClosed) throw new Error('they are closed');
    const [places] =
      this.connection
        .prepare(
          `SELECT group_concat(wanted.key) FROM json_each(?) wanted WHERE NOT EXISTS (
             SELECT 1 FROM keys k WHERE k.id = wanted.value AND length(k.key) = ${KEY_BYTES} AND k.key <> ${DESTROYED})`,
        )
        .get(JSON.stringify(ids)) ?? [];
    return typeof places === 'string' ? places.split(',').map((place) => ids[Number(place)] as string) : [];
  }

  /** Selects all keys in one row: a row each would cost as much again as finding them. */
  private select(ids: readonly string[]): [string, ContentKey][] {
    if (this.isClosed) throw new Error('they are closed');
    const [places, text] =
      this.connection
        .prepare(
          `SELECT group_concat(wanted.key), group_concat(hex(k.key), '')
           FROM json_each(?) wanted CROSS JOIN keys k ON k.id = wanted.value WHERE k.key <> ${DESTROYED}`,
        )
        .get(JSON.stringify(ids)) ?? [];
    if (typeof places !== 'string' || typeof text !== 'string') return [];
    const bytes = Buffer.from(text, 'hex');
    return places
      .split(',')
      .map((place, index) => [
        ids[Number(place)] as string,
        bytes.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES),
      ]);
  }
}

async function attempt<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ContentKeysUnavailable(`content keys: ${message}`, { cause: error });
  }
}
