import { fsyncSync, readSync, statSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type Row, SqliteConnection } from '../../sqlite/driver.js';
import { DocumentStoreUnavailable } from '../document-store.js';
import type { CollectionLayout } from './layout.js';
import { FILE_VERSION } from './schema.js';

const PAGES_AT_ONCE = 256;
const FILE_HEADER = 100;
/** Holds the names of tables and no document. */
const SCHEMA_PAGE = 1;

/**
 * The file of a database, as bytes. It stays open until the database is closed: a descriptor that a process closes takes
 * all of the process's locks on the file with it, and another process would take the write-ahead log for its own.
 */
export class DeletedRemains {
  private file: FileHandle | null = null;

  constructor(private readonly path: string) {}

  /**
   * Finds pages with copies of deleted rows by reading the whole file, whose write-ahead log must be empty.
   * `secure_delete` overwrites a deleted row. But when SQLite splits a full page, copies of the moved rows stay in the
   * unused middle of the first page.
   */
  async pages(): Promise<number[]> {
    const found: number[] = [];
    this.file ??= await open(this.path, 'r+');
    const header = Buffer.alloc(FILE_HEADER);
    await this.file.read(header, 0, FILE_HEADER, 0);
    const size = pageSizeIn(header);
    const block = Buffer.alloc(size * PAGES_AT_ONCE);
    for (let first = 1; ; first += PAGES_AT_ONCE) {
      const { bytesRead } = await this.file.read(block, 0, block.length, (first - 1) * size);
      for (let at = 0; at + size <= bytesRead; at += size) {
        const number = first + at / size;
        if (number > SCHEMA_PAGE && hasRemains(block.subarray(at, at + size))) found.push(number);
      }
      if (bytesRead < block.length) return found;
    }
  }

  /**
   * Overwrites remains where they are: SQL has no way to a page's unused bytes. Nothing reads them, so that readers may go
   * on, and a power failure leaves the page sound. The write transaction of a new connection keeps other writers out, and
   * its commit makes all others drop their pages in memory, which hold the remains, too.
   *
   * @param pages as `pages` found them
   * @throws DocumentStoreUnavailable if the write-ahead log, where newer pages may be, is not empty
   */
  overwrite(pages: readonly number[]): void {
    const connection = new SqliteConnection(this.path);
    try {
      connection.transaction(() => {
        if (statSync(`${this.path}-wal`).size > 0)
          throw new DocumentStoreUnavailable(`another writer has filled ${this.path}-wal again`);
        if (this.file) overwriteIn(this.file.fd, pages);
        connection.exec(`PRAGMA user_version = ${FILE_VERSION}`);
      });
    } finally {
      connection.close();
    }
  }

  /** Call when the database's connections are closed. */
  async close(): Promise<void> {
    await this.file?.close();
    this.file = null;
  }
}

function overwriteIn(file: number, pages: readonly number[]): void {
  const header = Buffer.alloc(FILE_HEADER);
  readSync(file, header, 0, FILE_HEADER, 0);
  const page = Buffer.alloc(pageSizeIn(header));
  for (const number of pages) {
    const at = (number - 1) * page.length;
    if (readSync(file, page, 0, page.length, at) < page.length || !hasRemains(page)) continue;
    const [start, end] = unusedMiddle(page);
    writeSync(file, page.fill(0, start, end), start, end - start, at + start);
  }
  fsyncSync(file);
}

/** 65,536 does not fit in its two bytes and is written as 1. */
function pageSizeIn(header: Buffer): number {
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

const INTERIOR_PAGES = [2, 5];
const LEAF_PAGES = [10, 13];

function hasRemains(page: Buffer): boolean {
  const [start, end] = unusedMiddle(page);
  for (let at = start; at < end; at++) if (page[at] !== 0) return true;
  return false;
}

/** Lies between the list of cells, growing from the front, and the cells, growing from the back, of a B-tree page. */
function unusedMiddle(page: Buffer): readonly [start: number, end: number] {
  const kind = page[0] ?? 0;
  const headerLength = LEAF_PAGES.includes(kind) ? 8 : INTERIOR_PAGES.includes(kind) ? 12 : 0;
  if (headerLength === 0) return [0, 0];
  const start = headerLength + 2 * page.readUInt16BE(3);
  return [start, page.readUInt16BE(5) || page.length];
}

/** FTS5 writes this before the terms of its main index. */
const MAIN_INDEX = 0x30;

/**
 * Replaces the beginnings of deleted words that FTS5 keeps. `secure-delete` takes words out of FTS5's pages, but a page
 * is found by the beginning of its first word, which stays when the word is deleted. The next word that some document
 * has takes its place: each page is still found, because no word lies between the two. Runs inside a transaction. Pages
 * that no longer exist are passed over.
 */
export function replaceLostPageTerms(
  connection: SqliteConnection,
  layout: CollectionLayout,
  pages: readonly Row[],
): void {
  const { textTable } = layout;
  const words = `temp.${textTable}words`;
  connection.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${words} USING fts5vocab(main, ${textTable}, instance)`);
  // Bytes, because a beginning may end within a character.
  const next = connection.prepare(`SELECT term FROM ${words} WHERE term >= CAST(? AS TEXT) LIMIT 1`);
  const replace = connection.prepare(`UPDATE OR IGNORE ${textTable}_idx SET term = ? WHERE segid = ? AND term = ?`);
  const remove = connection.prepare(`DELETE FROM ${textTable}_idx WHERE segid = ? AND term = ?`);
  for (const [segment, term] of pages) {
    if (segment === undefined || !(term instanceof Uint8Array) || term[0] !== MAIN_INDEX) continue;
    const beginning = term.subarray(1);
    const [word] = next.all(beginning)[0] ?? [];
    const bytes = Buffer.from(String(word ?? ''), 'utf8');
    if (bytes.subarray(0, beginning.length).equals(beginning)) continue;
    const moved =
      word !== undefined && replace.run(Buffer.concat([Buffer.of(MAIN_INDEX), bytes]), segment, term).changes > 0;
    if (!moved) remove.run(segment, term);
  }
}

/**
 * The pages of a collection's terms, the last page first: of several pages between the same terms, only the last can
 * hold the next term. The others are empty.
 */
export function termPages(connection: SqliteConnection, { text, textTable }: CollectionLayout): readonly Row[] {
  if (text.length === 0) return [];
  return connection.prepare(`SELECT segid, term FROM ${textTable}_idx ORDER BY segid, term DESC`).all();
}
