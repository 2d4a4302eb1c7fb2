import type { Row, SqliteConnection } from '../../sqlite/driver.js';
import type { CollectionLayout } from './layout.js';

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
