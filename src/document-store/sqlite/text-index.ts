import type { SqliteConnection } from '../../sqlite/driver.js';
import { searchedPhrases, tokenize } from '../tokenize.js';
import type { CollectionLayout } from './layout.js';
import { LooseTerms } from './loose-terms.js';

/**
 * The words of a collection's text fields in an FTS5 table that keeps no text of its own. It is fed with terms that
 * are cut already, so FTS5's tokenizer only splits at the spaces between them. One column for each text field, and one
 * for what narrows a search. No two columns have a term in common (`inField`): what FTS5 keeps of a document is a list
 * for each term, and so a column can be written again without the others.
 *
 * FTS5 counts the documents. Here, each is counted once for as long as it is there: what takes terms away comes
 * with something that gives some, even where there are none.
 */
export class TextIndex {
  /** What no document is found by. */
  readonly nothing: readonly string[];
  private readonly names: readonly string[];
  /** Of each column: words that go are overwritten. */
  private readonly isStrict: readonly boolean[];
  private readonly loose: LooseTerms;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly layout: CollectionLayout,
  ) {
    this.names = layout.text.length === 0 ? [] : columnNames(layout);
    this.nothing = this.names.map(() => '');
    this.isStrict = this.names.map((_, at) => layout.text[at]?.isKeptElsewhere === false);
    this.loose = new LooseTerms(connection, layout.textTable, this.names);
  }

  /** What a document is found by, of each column: the text of a field, and the terms of what narrows a search. */
  contents(document: object): readonly string[] {
    const { text, scope } = this.layout;
    if (text.length === 0) return this.nothing;
    const texts = text.map((field) => {
      const value = field.get(document);
      return typeof value === 'string' ? value : '';
    });
    return [...texts, scope.flatMap((field) => field.terms(document)).join(' ')];
  }

  add(k: number, contents: readonly string[]): void {
    if (this.names.length === 0) return;
    if (this.loose.has(k)) this.loose.write();
    this.insert(k, contents.map(this.terms));
  }

  remove(k: number, contents: readonly string[]): void {
    if (this.names.length === 0) return;
    const terms = contents.map(this.terms);
    const lax = this.lax(terms);
    this.delete(k, this.strict(terms));
    if (!isUnlike(lax, this.nothing)) return;
    // FTS5 takes nothing away where it counts nothing.
    this.insert(k, this.nothing);
    this.loose.remove(k, lax);
  }

  /** Cuts into words only what has changed. */
  replace(k: number, before: readonly string[], after: readonly string[]): void {
    const isOther = this.names.map((_, at) => before[at] !== after[at]);
    if (!isOther.includes(true)) return;
    const changed = (contents: readonly string[]): string[] =>
      contents.map((content, at) => (isOther[at] ? this.terms(content, at) : ''));
    const [old, now] = [changed(before), changed(after)];
    const [oldStrict, nowStrict] = [this.strict(old), this.strict(now)];
    if (isUnlike(oldStrict, nowStrict)) {
      this.delete(k, oldStrict);
      this.insert(k, nowStrict);
    }
    const [oldLax, nowLax] = [this.lax(old), this.lax(now)];
    if (isUnlike(oldLax, nowLax)) this.loose.replace([k], oldLax, nowLax);
  }

  /** The same of many documents, of which nothing changes that would have to be overwritten. @param ks ascending */
  replaceLoosely(ks: readonly number[], before: readonly string[], after: readonly string[]): void {
    const changed = (contents: readonly string[]): string[] =>
      contents.map((content, at) => (before[at] === after[at] ? '' : this.terms(content, at)));
    const [old, now] = [changed(before), changed(after)];
    if (isUnlike(old, now)) this.loose.replace(ks, old, now);
  }

  /** Whether what a field says may change in many documents at once. */
  isLoose(field: string): boolean {
    return !this.layout.text.some(({ path, isKeptElsewhere }) => rootIs(path, field) && !isKeptElsewhere);
  }

  /** Writes what has waited for the end of an operation. */
  settle(): void {
    this.loose.write();
  }

  /** What waited for an operation that has failed. */
  forget(): void {
    this.loose.forget();
  }

  removeAll(): void {
    this.loose.forget();
    const { textTable } = this.layout;
    if (this.names.length > 0) this.connection.exec(`INSERT INTO ${textTable} (${textTable}) VALUES ('delete-all')`);
  }

  private readonly terms = (content: string, at: number): string =>
    at < this.layout.text.length ? tokenize(content).map(inField(at)).join(' ') : content;

  private strict(terms: readonly string[]): string[] {
    return terms.map((term, at) => (this.isStrict[at] ? term : ''));
  }

  private lax(terms: readonly string[]): string[] {
    return terms.map((term, at) => (this.isStrict[at] ? '' : term));
  }

  private insert(k: number, terms: readonly string[]): void {
    const sql = `INSERT INTO ${this.layout.textTable} (rowid, ${this.names.join(', ')}) VALUES (?${', ?'.repeat(terms.length)})`;
    this.connection.prepare(sql).run(k, ...terms);
  }

  /** FTS5 finds what to take away by the terms it was given. */
  private delete(k: number, terms: readonly string[]): void {
    const { textTable } = this.layout;
    const columns = [textTable, 'rowid', ...this.names].join(', ');
    const sql = `INSERT INTO ${textTable} (${columns}) VALUES ('delete', ?${', ?'.repeat(terms.length)})`;
    this.connection.prepare(sql).run(k, ...terms);
  }
}

const isUnlike = (a: readonly string[], b: readonly string[]): boolean => a.some((terms, at) => terms !== b[at]);

const rootIs = (path: string, field: string): boolean => path === field || path.startsWith(`${field}.`);

export function createTextTable(layout: CollectionLayout): string {
  const { textTable } = layout;
  const names = columnNames(layout).join(', ');
  return (
    `CREATE VIRTUAL TABLE ${textTable} USING fts5(${names}, content='', columnsize=0, tokenize="ascii tokenchars '_'");` +
    `INSERT INTO ${textTable} (${textTable}, rank) VALUES ('secure-delete', 1);`
  );
}

const columnNames = ({ text }: CollectionLayout): readonly string[] => [...text.map((_, at) => `f${at}`), 's'];

/** A word as it stands in the column of a field. No word has a low line (tokenize.ts). */
const inField =
  (at: number) =>
  (term: string): string =>
    at === 0 ? term : `_${at}_${term}`;

/** The FTS5 expression for a search in so many text fields; null where the search holds no term, so that nothing is found. */
export function matchExpression(search: string, fields: number): string | null {
  const phrases = searchedPhrases(search);
  if (phrases.length === 0) return null;
  const places = Array.from({ length: fields }, (_, at) => inField(at));
  const anywhere = phrases.map((terms) => places.map((place) => `"${terms.map(place).join(' ')}"`).join(' OR '));
  return anywhere.map((one) => `(${one})`).join(' AND ');
}

/** The FTS5 expression for documents that have one term of each list; empty where there are none. */
export function scopeExpression(oneOf: readonly (readonly string[])[]): string {
  return oneOf.map((terms) => `(${terms.map((term) => `"${term}"`).join(' OR ')})`).join(' AND ');
}
