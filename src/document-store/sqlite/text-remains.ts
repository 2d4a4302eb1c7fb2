import type { Row, SqliteConnection } from '../../sqlite/driver.js';
import type { CollectionLayout } from './layout.js';

/** FTS5 writes this before the terms of its main index. */
const MAIN_INDEX = 0x30;

/**
 * FTS5's `secure-delete` takes words out of its pages, but each page is found by the beginning of what was its first
 * word, which stays when that word goes. Such beginnings give way to the next word that is still in some document:
 * every page stays where it is looked for, because no word lies between the two. Runs inside a transaction; pages that
 * are not there any more are passed over.
 */
export function replaceLostPageTerms(
  connection: SqliteConnection,
  layout: CollectionLayout,
  pages: readonly Row[],
): void {
  const { textTable } = layout;
  const words = `temp.${textTable}words`;
  connection.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${words} USING fts5vocab(main, ${textTable}, instance)`);
  // A beginning may end within a character, so it stays bytes.
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
 * The pages of a collection's words. Last page first: of several between the same words, only the last can hold the next
 * one, and the others are empty.
 */
export function pagesOfWords(connection: SqliteConnection, { text, textTable }: CollectionLayout): readonly Row[] {
  if (text.length === 0) return [];
  return connection.prepare(`SELECT segid, term FROM ${textTable}_idx ORDER BY segid, term DESC`).all();
}
