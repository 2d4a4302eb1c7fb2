import type { SqliteConnection, SqlValue } from '../../sqlite/driver.js';
import { rootOf } from '../field-path.js';
import { encodeIndexValue, type IndexValue, NULL_VALUE } from '../index-value.js';
import { type CollectionLayout, storedJson } from './layout.js';
import type { TextIndex } from './text-index.js';

type Fields = Readonly<Record<string, unknown>>;

/** Documents with equal values in the fields to be set, as far as indexes hold them. */
interface Alike {
  readonly ks: readonly number[];
  readonly columns: readonly SqlValue[];
  /** The searched fields alone, and their language. */
  readonly document: Fields;
}

/**
 * Sets fields of many documents to the same values by a few statements, without reading a document here. The stored
 * text is what JSON.stringify makes of the changed document: SQLite leaves the rest of the text as it is.
 */
export class SameUpdate {
  constructor(
    private readonly connection: SqliteConnection,
    private readonly layout: CollectionLayout,
    private readonly text: TextIndex,
  ) {}

  /** Only fields from which nothing is derived but columns, and terms that need not be overwritten. */
  isFor(set: Fields): boolean {
    const isSet = ({ path }: { readonly path: string }): boolean => rootOf(path) in set;
    const isInSide = this.layout.sides.some(({ index }) => index.keys.some(isSet));
    return !isInSide && Object.keys(set).every((field) => this.text.isLoose(field));
  }

  /** @param ks ascending @returns the number of changed documents; null if an index cannot hold one of the values */
  apply(ks: readonly number[], set: Fields): number | null {
    const columns = this.layout.columns.filter(({ path }) => rootOf(path) in set);
    const after = columns.map((column) => encodeIndexValue(column.get(set)));
    if (!after.every((value): value is IndexValue => value !== undefined)) return null;
    const searched = this.searchedFields(set);
    let changed = 0;
    for (const { ks: own, columns: before, document } of this.alike(ks, set, columns, searched)) {
      const others = columns.flatMap(({ name }, at) => (before[at] === after[at] ? [] : [[name, at] as const]));
      const assignments = others.map(([name]) => `, ${name} = ?`).join('');
      const values = others.map(([, at]) => after[at] ?? NULL_VALUE);
      this.connection
        .prepare(
          `UPDATE ${this.layout.table} SET doc = json_set(doc${', ?, json(?)'.repeat(Object.keys(set).length)})${assignments} ` +
            'WHERE k IN (SELECT value FROM json_each(?))',
        )
        .run(...pathsAndValues(set), ...values, JSON.stringify(own));
      const now = { ...document, ...Object.fromEntries(searched.map((field) => [field, set[field]])) };
      this.text.replaceLoosely(own, this.text.contents(document), this.text.contents(now));
      changed += own.length;
    }
    return changed;
  }

  private searchedFields(set: Fields): string[] {
    const { text, scope } = this.layout;
    const roots = new Set([...text, ...scope].map(({ path }) => rootOf(path)));
    return Object.keys(set).filter((field) => roots.has(field));
  }

  /** Leaves out documents in which nothing changes. */
  private alike(
    ks: readonly number[],
    set: Fields,
    columns: readonly { readonly name: string }[],
    searched: readonly string[],
  ): Alike[] {
    const { table } = this.layout;
    const same = Object.keys(set).map(() => 'doc -> ? IS json(?)');
    const { language } = this.layout;
    // The language decides the terms of the fields.
    const fields = language === null || searched.length === 0 ? searched : [...searched, rootOf(language.path)];
    const terms = [...columns.map(({ name }) => `t.${name}`), ...fields.map((field) => `doc -> '$."${field}"'`)];
    const rows = this.connection
      .prepare(
        `SELECT ${same.join(' AND ')} AS same, json_group_array(k)${terms.map((term, at) => `, ${term} AS g${at}`).join('')} ` +
          `FROM json_each(?) AS j CROSS JOIN ${table} AS t ON t.k = j.value ` +
          `GROUP BY same${terms.map((_, at) => `, g${at}`).join('')}`,
      )
      .all(...pathsAndValues(set), JSON.stringify(ks));
    return rows.flatMap(([isSame, own, ...values]) => {
      if (isSame === 1) return [];
      const known = fields.flatMap((field, at) => {
        const json = values[columns.length + at];
        return typeof json === 'string' ? [[field, storedJson(json)] as const] : [];
      });
      return {
        ks: (JSON.parse(String(own)) as number[]).sort((a, b) => a - b),
        columns: values.slice(0, columns.length),
        document: Object.fromEntries(known),
      };
    });
  }
}

const pathsAndValues = (set: Fields): string[] =>
  Object.entries(set).flatMap(([field, value]) => [`$."${field}"`, JSON.stringify(value)]);
