import type { SqliteConnection } from '../../sqlite/driver.js';
import type { StoredDocument } from '../document-store.js';
import { searchedPhrases, tokenize } from '../tokenize.js';
import type { CollectionLayout } from './layout.js';

/**
 * The words of a collection's text fields in an FTS5 table that keeps no text of its own. It is fed with terms that
 * are cut already, so FTS5's tokenizer only splits at the spaces between them.
 */
export class TextIndex {
  /** The terms of no document. */
  readonly nothing: readonly string[];
  private readonly names: string[];

  constructor(
    private readonly connection: SqliteConnection,
    private readonly layout: CollectionLayout,
  ) {
    this.nothing = layout.text.map(() => '');
    this.names = layout.text.map((_, at) => `f${at}`);
  }

  /** Of each text field, its terms with spaces between them. */
  terms(document: StoredDocument): readonly string[] {
    return this.layout.text.map((field) => {
      const value = field.get(document);
      return typeof value === 'string' ? tokenize(value).join(' ') : '';
    });
  }

  replace(k: number, before: readonly string[], after: readonly string[]): void {
    if (before.every((terms, at) => terms === after[at])) return;
    this.delete(k, before);
    this.insert(k, after);
  }

  removeAll(): void {
    const { textTable } = this.layout;
    if (this.names.length > 0) this.connection.exec(`INSERT INTO ${textTable} (${textTable}) VALUES ('delete-all')`);
  }

  private insert(k: number, terms: readonly string[]): void {
    if (terms.every((field) => field === '')) return;
    const sql = `INSERT INTO ${this.layout.textTable} (rowid, ${this.names.join(', ')}) VALUES (?${', ?'.repeat(terms.length)})`;
    this.connection.prepare(sql).run(k, ...terms);
  }

  /** FTS5 finds what to take away by the terms it was given. */
  private delete(k: number, terms: readonly string[]): void {
    if (terms.every((field) => field === '')) return;
    const { textTable } = this.layout;
    const columns = [textTable, 'rowid', ...this.names].join(', ');
    const sql = `INSERT INTO ${textTable} (${columns}) VALUES ('delete', ?${', ?'.repeat(terms.length)})`;
    this.connection.prepare(sql).run(k, ...terms);
  }
}

export function createTextTable(layout: CollectionLayout): string {
  const { textTable } = layout;
  const names = layout.text.map((_, at) => `f${at}`).join(', ');
  return (
    `CREATE VIRTUAL TABLE ${textTable} USING fts5(${names}, content='', columnsize=0, tokenize='ascii');` +
    `INSERT INTO ${textTable} (${textTable}, rank) VALUES ('secure-delete', 1);`
  );
}

/** The FTS5 expression for a search; null where the search holds no term, so that nothing is found. */
export function matchExpression(search: string): string | null {
  const phrases = searchedPhrases(search);
  return phrases.length === 0 ? null : phrases.map((terms) => `"${terms.join(' ')}"`).join(' AND ');
}
