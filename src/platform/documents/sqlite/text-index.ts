import type { SqliteConnection } from '../../sqlite/driver.js';
import { DEFAULT_LANGUAGE } from '../languages.js';
import {
  exceedsStems,
  indexTerms,
  type Search,
  SearchedTexts,
  searchedPhrases,
  stemLists,
  visibleText,
} from '../tokenize.js';
import type { CollectionLayout } from './layout.js';

/**
 * The stems of a collection's text fields in an FTS5 table, which keeps no text of its own. tokenize.ts has cut the
 * terms: FTS5's tokenizer only splits at the spaces between them. Each text field has a column, and all fields of the
 * text scope share one. No two columns have a term in common (`inField`): FTS5 keeps one list of documents a term, so
 * that a column can be written again without the others.
 *
 * FTS5 counts documents. To be counted exactly once while it exists, a document gets terms, even empty ones, whenever
 * terms of it are removed.
 */
export class TextIndex {
  /** Contents of a document that no search finds. */
  readonly nothing: readonly string[];
  private readonly names: readonly string[];
  /** For each column, whether removed words must be overwritten. */
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

  /** A document's content of each column: language and text of each field, then the terms of the text scope. */
  contents(document: object): readonly string[] {
    const { text, scope, language } = this.layout;
    if (text.length === 0) return this.nothing;
    const code = String(language?.get(document) ?? DEFAULT_LANGUAGE);
    const texts = text.map((field) => {
      const value = field.get(document);
      return typeof value === 'string' ? code + BEHIND_LANGUAGE + value : '';
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
    // FTS5 removes nothing of a document that it does not count.
    this.insert(k, this.nothing);
    this.loose.remove(k, lax);
  }

  /** Cuts only changed contents into terms. */
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

  /** Replaces the contents of many documents alike. No changed column may be strict. @param ks ascending */
  replaceLoosely(ks: readonly number[], before: readonly string[], after: readonly string[]): void {
    const changed = (contents: readonly string[]): string[] =>
      contents.map((content, at) => (before[at] === after[at] ? '' : this.terms(content, at)));
    const [old, now] = [changed(before), changed(after)];
    if (isUnlike(old, now)) this.loose.replace(ks, old, now);
  }

  /** Whether a field may change in many documents at once: no strict column depends on it. */
  isLoose(field: string): boolean {
    const { language } = this.layout;
    if (language !== null && rootIs(language.path, field)) return false;
    return !this.layout.text.some(({ path, isKeptElsewhere }) => rootIs(path, field) && !isKeptElsewhere);
  }

  /** Writes the changes that waited for the end of an operation. */
  settle(): void {
    this.loose.write();
  }

  /** Drops the waiting changes of a failed operation. */
  forget(): void {
    this.loose.forget();
  }

  removeAll(): void {
    this.loose.forget();
    const { textTable } = this.layout;
    if (this.names.length > 0) this.connection.exec(`INSERT INTO ${textTable} (${textTable}) VALUES ('delete-all')`);
  }

  private readonly terms = (content: string, at: number): string => {
    const field = this.layout.text[at];
    if (!field || content === '') return content;
    const end = content.indexOf(BEHIND_LANGUAGE);
    const text = content.slice(end + 1);
    const stems = indexTerms(field.isHtml ? visibleText(text) : text, content.slice(0, end));
    return stems.map(inField(at)).join(' ');
  };

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

  /** FTS5 finds the entries to remove by the terms that were inserted. */
  private delete(k: number, terms: readonly string[]): void {
    const { textTable } = this.layout;
    const columns = [textTable, 'rowid', ...this.names].join(', ');
    const sql = `INSERT INTO ${textTable} (${columns}) VALUES ('delete', ?${', ?'.repeat(terms.length)})`;
    this.connection.prepare(sql).run(k, ...terms);
  }
}

const BEHIND_LANGUAGE = '\n';

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

/** A word as the column of a field holds it. Words never contain `_` (tokenize.ts). */
const inField =
  (at: number) =>
  (term: string): string =>
    at === 0 ? term : `_${at}_${term}`;

/**
 * The FTS5 expression for a search in so many text fields; null for a search without terms, which finds nothing. It also
 * finds documents with other forms of a phrase's words: `exactly` refuses them.
 */
export function matchExpression(search: Search, fields: number): string | null {
  const phrases = searchedPhrases(search);
  if (phrases.length === 0) return null;
  const places = Array.from({ length: fields }, (_, at) => inField(at));
  const anywhere = phrases.map((phrase) =>
    stemLists(phrase, search)
      .flatMap((stems) => places.map((place) => `"${stems.map(place).join(' ')}"`))
      .join(' OR '),
  );
  return anywhere.map((one) => `(${one})`).join(' AND ');
}

/** Whether a document has the phrases of a search as they are; null if the FTS5 expression decides. */
export function exactly(search: Search, { text }: CollectionLayout): ((document: object) => boolean) | null {
  const phrases = searchedPhrases(search).filter(exceedsStems);
  if (phrases.length === 0) return null;
  return (document) => {
    const texts = new SearchedTexts(() =>
      text.map(({ get, isHtml }) => {
        const value = get(document);
        if (typeof value !== 'string') return '';
        return isHtml ? visibleText(value) : value;
      }),
    );
    return phrases.every(({ terms }) => texts.holdsExactly(terms));
  };
}

/** The FTS5 expression for documents that have one term of each list; empty without lists. */
export function scopeExpression(oneOf: readonly (readonly string[])[]): string {
  return oneOf.map((terms) => `(${terms.map((term) => `"${term}"`).join(' OR ')})`).join(' AND ');
}

interface Replacement {
  readonly before: readonly string[];
  /** null: the document was deleted. */
  readonly after: readonly string[] | null;
  readonly ks: number[];
}

/**
 * Changes of terms that need not be overwritten when they are removed. FTS5 then only records the removal, in a hundredth
 * of the time. FTS5 has one such setting for a table: these changes wait for the end of an operation's other changes,
 * and are written together. No term of these columns may ever be overwritten: FTS5 would remove only the newest record of
 * the term, and an older record would count again.
 */
class LooseTerms {
  private readonly waiting = new Map<string, Replacement>();
  private readonly changed = new Set<number>();

  constructor(
    private readonly connection: SqliteConnection,
    private readonly textTable: string,
    private readonly names: readonly string[],
  ) {}

  /** Whether a change of the document waits to be written. */
  has(k: number): boolean {
    return this.changed.has(k);
  }

  /** @param ks ascending */
  replace(ks: readonly number[], before: readonly string[], after: readonly string[] | null): void {
    if (ks.some((k) => this.changed.has(k))) this.write();
    const key = JSON.stringify([before, after]);
    const same = this.waiting.get(key) ?? { before, after, ks: [] };
    this.waiting.set(key, same);
    for (const k of ks) {
      same.ks.push(k);
      this.changed.add(k);
    }
  }

  remove(k: number, terms: readonly string[]): void {
    this.replace([k], terms, null);
  }

  write(): void {
    if (this.waiting.size === 0) return;
    const all = [...this.waiting.values()];
    this.forget();
    this.overwrites(false);
    for (const { before, after, ks } of all) this.run(before, after, ks);
    this.overwrites(true);
  }

  forget(): void {
    this.waiting.clear();
    this.changed.clear();
  }

  /** Document by document, removals first: FTS5 starts over whenever a row key is less than the one before. */
  private run(before: readonly string[], after: readonly string[] | null, ks: number[]): void {
    const { textTable, names } = this;
    const into = [textTable, 'rowid', ...names].join(', ');
    const terms = names.map((name) => `v.${name}`).join(', ');
    const marks = names.map((name) => `? AS ${name}`).join(', ');
    this.connection
      .prepare(
        `INSERT INTO ${textTable} (${into}) SELECT v.what, j.value, ${terms} FROM json_each(?) AS j ` +
          `CROSS JOIN (SELECT 'delete' AS what, ${marks}${after ? ` UNION ALL SELECT NULL, ${marks}` : ''}) AS v`,
      )
      .run(JSON.stringify(ks.sort((a, b) => a - b)), ...before, ...(after ?? []));
  }

  private overwrites(isOn: boolean): void {
    this.connection.exec(
      `INSERT INTO ${this.textTable} (${this.textTable}, rank) VALUES ('secure-delete', ${isOn ? 1 : 0})`,
    );
  }
}
