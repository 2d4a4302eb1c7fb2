import { open } from 'node:fs/promises';
import type { SqliteConnection } from '../../sqlite/driver.js';

const PAGES_AT_ONCE = 256;

/**
 * Finds pages with copies of deleted rows by reading the whole file, whose write-ahead log must be empty.
 * `secure_delete` overwrites a deleted row. But when SQLite splits a full page, copies of the moved rows stay in the
 * unused middle of the first page.
 */
export async function pagesWithRemains(path: string): Promise<number[]> {
  const found: number[] = [];
  const file = await open(path, 'r');
  try {
    const header = Buffer.alloc(100);
    await file.read(header, 0, 100, 0);
    // 65,536 does not fit in its two bytes and is written as 1.
    const size = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    const block = Buffer.alloc(size * PAGES_AT_ONCE);
    for (let first = 1; ; first += PAGES_AT_ONCE) {
      const { bytesRead } = await file.read(block, 0, block.length, (first - 1) * size);
      for (let at = 0; at + size <= bytesRead; at += size) {
        const number = first + at / size;
        if (hasRemains(block.subarray(at, at + size), number)) found.push(number);
      }
      if (bytesRead < block.length) return found;
    }
  } finally {
    await file.close();
  }
}

/** Runs inside a transaction. */
export function overwriteRemains(connection: SqliteConnection, pages: readonly number[]): void {
  const read = connection.prepare('SELECT data FROM sqlite_dbpage WHERE pgno = ?');
  const write = connection.prepare('UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?');
  for (const number of pages) {
    const [row] = read.all(number);
    if (!(row?.[0] instanceof Uint8Array)) continue;
    const page = Buffer.from(row[0]);
    if (!hasRemains(page, number)) continue;
    const [start, end] = unusedMiddle(page, number);
    write.run(page.fill(0, start, end), number);
  }
}

const INTERIOR_PAGES = [2, 5];
const LEAF_PAGES = [10, 13];
const FILE_HEADER = 100;

function hasRemains(page: Buffer, number: number): boolean {
  const [start, end] = unusedMiddle(page, number);
  for (let at = start; at < end; at++) if (page[at] !== 0) return true;
  return false;
}

/** Lies between the list of cells, growing from the front, and the cells, growing from the back, of a B-tree page. */
function unusedMiddle(page: Buffer, number: number): readonly [start: number, end: number] {
  const header = number === 1 ? FILE_HEADER : 0;
  const kind = page[header] ?? 0;
  const headerLength = LEAF_PAGES.includes(kind) ? 8 : INTERIOR_PAGES.includes(kind) ? 12 : 0;
  if (headerLength === 0) return [0, 0];
  const start = header + headerLength + 2 * page.readUInt16BE(header + 3);
  return [start, page.readUInt16BE(header + 5) || page.length];
}
