import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Row, SqliteConnection } from '../../../../src/platform/sqlite/driver.js';

export interface Proposed {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface StoredRecord extends Proposed {
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
  readonly created: number;
}

/** The metadata of a stream that say which events are shown. */
interface StreamMetadata {
  readonly $tb?: number;
  readonly $maxCount?: number;
  readonly $maxAge?: number;
}

type StoredRow = readonly [number, string, number, string, string, string, number, Uint8Array, Uint8Array];

type Direction = 'forwards' | 'backwards';

/** Revision of the event that ends a tombstoned stream. */
export const DELETED = Number.MAX_SAFE_INTEGER;
/** Least `$tb` of a stream that was deleted, but may be written to again. */
const SOFT_DELETED = 2 ** 62;

/** A real log begins with records that are no events. */
const FIRST_POSITION = 1171;

const COLUMNS = 'position, stream, revision, id, type, content_type, created, data, metadata';
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS records (
    position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
    content_type TEXT NOT NULL, created INTEGER NOT NULL, data BLOB NOT NULL, metadata BLOB NOT NULL);
  CREATE UNIQUE INDEX IF NOT EXISTS records_by_stream ON records (stream, revision);
  CREATE TABLE IF NOT EXISTS scavenged (position INTEGER PRIMARY KEY);`;

/** All records of all streams in one file. Positions are the bytes at which a log file would have the records. */
export class Log {
  readonly #connection: SqliteConnection;
  #end: number;

  /** @param folder is made if it is missing */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#connection = new SqliteConnection(join(folder, 'eventstoredb.sqlite'));
    this.#connection.exec('PRAGMA journal_mode = WAL');
    this.#connection.exec('PRAGMA synchronous = FULL');
    this.#connection.exec(SCHEMA);
    const last = this.#connection.prepare(`SELECT ${COLUMNS} FROM records ORDER BY position DESC LIMIT 1`).get();
    this.#end = last ? endOf(record(last)) : FIRST_POSITION;
  }

  /** Runs `work` in a transaction that is on disk when it returns. */
  transaction<T>(work: () => T): T {
    return this.#connection.transaction(work);
  }

  /**
   * Writes events to a stream. The caller opens the transaction.
   *
   * @param revision of the first event; default: the one after the stream's last
   */
  write(stream: string, events: readonly Proposed[], revision: number = this.lastRevision(stream) + 1): StoredRecord[] {
    const insert = this.#connection.prepare(`INSERT INTO records (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    return events.map((event, index) => {
      const stored = { ...event, stream, revision: revision + index, position: this.#end, created: Date.now() };
      const { id, type, contentType, created, data, metadata } = stored;
      insert.run(stored.position, stream, stored.revision, id, type, contentType, created, data, metadata);
      this.#end = endOf(stored);
      return stored;
    });
  }

  /** The stream's last revision: -1 if there is no stream, `DELETED` if it has a tombstone. */
  lastRevision(stream: string): number {
    const row = this.#connection
      .prepare('SELECT revision FROM records WHERE stream = ? ORDER BY revision DESC LIMIT 1')
      .get(stream);
    return row ? Number(row[0]) : -1;
  }

  at(stream: string, revision: number): StoredRecord | undefined {
    const row = this.#connection
      .prepare(`SELECT ${COLUMNS} FROM records WHERE stream = ? AND revision = ?`)
      .get(stream, revision);
    return row && record(row);
  }

  /** Limits by the stream's metadata: oldest revision and oldest time shown, and whether the stream counts as missing. */
  shown(stream: string): { readonly from: number; readonly since: number; readonly isSoftDeleted: boolean } {
    const { $tb = 0, $maxCount, $maxAge } = this.#metadataOf(stream);
    const counted = $maxCount === undefined ? 0 : this.lastRevision(stream) - $maxCount + 1;
    const since = $maxAge === undefined ? 0 : Date.now() - $maxAge * 1000;
    return { from: Math.max($tb, counted), since, isSoftDeleted: $tb >= SOFT_DELETED };
  }

  /** @returns records from this revision (inclusive) that the stream's metadata show */
  readStream(stream: string, from: number, direction: Direction, limit: number): StoredRecord[] {
    const { from: oldest, since } = this.shown(stream);
    const backwards = direction === 'backwards';
    return this.#connection
      .prepare(
        `SELECT ${COLUMNS} FROM records WHERE stream = ? AND revision ${backwards ? '<=' : '>='} ? AND revision >= ?
         AND created >= ? ORDER BY revision ${backwards ? 'DESC' : 'ASC'} LIMIT ?`,
      )
      .all(stream, from, Math.min(oldest, DELETED), since, limit)
      .map(record);
  }

  /** @returns records forwards from this position (inclusive), backwards before it */
  readAll(from: number, direction: Direction, limit: number): StoredRecord[] {
    const backwards = direction === 'backwards';
    return this.#connection
      .prepare(
        `SELECT ${COLUMNS} FROM records WHERE position ${backwards ? '<' : '>='} ?
         ORDER BY position ${backwards ? 'DESC' : 'ASC'} LIMIT ?`,
      )
      .all(from, limit)
      .map(record);
  }

  /** Tells whether reading may start at a position: at a record, at a scavenged one, or behind the last. */
  isBoundary(position: number): boolean {
    if (position >= this.#end || position === 0) return true;
    const known = 'SELECT 1 FROM records WHERE position = ? UNION SELECT 1 FROM scavenged WHERE position = ?';
    return this.#connection.prepare(known).get(position, position) !== undefined;
  }

  /** Removes records that metadata hide. The last record of each stream stays, because it has the stream's revision. */
  scavenge(): void {
    this.transaction(() => {
      for (const [name] of this.#connection.prepare('SELECT DISTINCT stream FROM records').all()) {
        const stream = String(name);
        const last = this.lastRevision(stream);
        const { from, since } = this.shown(stream);
        const gone = 'FROM records WHERE stream = ? AND revision < ? AND (revision < ? OR created < ?)';
        const oldest = Math.min(last === DELETED ? DELETED : from, DELETED);
        for (const statement of [`INSERT INTO scavenged SELECT position ${gone}`, `DELETE ${gone}`]) {
          this.#connection.prepare(statement).run(stream, last, oldest, since);
        }
      }
    });
  }

  get isEmpty(): boolean {
    return this.#end === FIRST_POSITION;
  }

  /** Position of the next record. */
  get end(): number {
    return this.#end;
  }

  close(): void {
    this.#connection.close();
  }

  #metadataOf(stream: string): StreamMetadata {
    const metastream = `$$${stream}`;
    const last = this.at(metastream, this.lastRevision(metastream));
    return last ? JSON.parse(Buffer.from(last.data).toString('utf8')) : {};
  }
}

/** The end of a record in a log file, which has lengths, checksums and the stream's name, too. */
function endOf({ position, stream, type, data, metadata }: StoredRecord): number {
  return position + 93 + Buffer.byteLength(stream) + Buffer.byteLength(type) + data.length + metadata.length;
}

/** Reads a row of `COLUMNS`. */
function record(row: Row): StoredRecord {
  const [position, stream, revision, id, type, contentType, created, data, metadata] = row as StoredRow;
  return { position, stream, revision, id, type, contentType, created, data, metadata };
}
