import type { SqliteConnection, SqlValue } from '../../sqlite/driver.js';
import { type DocumentId, DuplicateKey, type StoredDocument } from '../document-store.js';
import { rootOf } from '../field-path.js';
import { encodeIndexValue, type IndexValue, NULL_VALUE } from '../index-value.js';
import { type CollectionLayout, type SideTable, storedJson, TEXT_ID_KEYS_END } from './layout.js';
import { SameUpdate } from './same-update.js';
import { idCondition, numberKey, refuseValue, sideRows } from './side-rows.js';
import { TextIndex } from './text-index.js';

/** A stored document and its row key. */
export interface StoredRow {
  readonly k: number;
  readonly json: string;
}

/** The parts of a document that indexes and the text index hold. */
interface Derived {
  readonly id: DocumentId;
  readonly columns: readonly IndexValue[];
  readonly sides: readonly (readonly IndexValue[][])[];
  readonly texts: readonly string[];
}

/** Writes documents with the columns, element rows and terms derived from them. Runs inside a transaction. */
export class DocumentWriter {
  private readonly text: TextIndex;
  private readonly sameUpdate: SameUpdate;
  private readonly derives: boolean;
  private readonly insertNumber: string;
  private readonly insertText: string;
  /** The last upsert replaced. As a guess for the next, it saves a statement in streams of inserts or replacements. */
  private expectsPresent = false;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly layout: CollectionLayout,
  ) {
    this.text = new TextIndex(connection, layout);
    this.sameUpdate = new SameUpdate(connection, layout, this.text);
    const { table, columns } = layout;
    const names = columns.map((column) => `, ${column.name}`).join('');
    const marks = ', ?'.repeat(columns.length);
    const nextTextKey = `(SELECT coalesce(max(k), ${-(2 ** 53)}) + 1 FROM ${table} WHERE k <= ${TEXT_ID_KEYS_END})`;
    this.insertNumber = `INSERT INTO ${table} (k, doc${names}) VALUES (?, ?${marks})`;
    this.insertText = `INSERT INTO ${table} (k, id, doc${names}) VALUES (${nextTextKey}, ?, ?${marks})`;
    this.derives = layout.sides.length > 0 || layout.text.length > 0;
  }

  /** Does `work`, then writes the search terms that it has left for its end. If this throws, roll the transaction back. */
  whole<T>(work: () => T): T {
    try {
      const result = work();
      this.text.settle();
      return result;
    } catch (error) {
      this.text.forget();
      throw error;
    }
  }

  /** Sets the same fields in many documents. @returns the number changed; null if they must be changed one by one */
  setAll(ks: readonly number[], set: Readonly<Record<string, unknown>>): number | null {
    return this.sameUpdate.isFor(set) ? this.sameUpdate.apply(ks, set) : null;
  }

  /** @throws DuplicateKey */
  insert(document: StoredDocument): void {
    this.insertRow(document, '');
  }

  /** @returns whether a document with this `_id` was there */
  upsert(document: StoredDocument): boolean {
    if (this.expectsPresent) this.expectsPresent = this.replaceById(document) || !this.insertRow(document, '');
    else {
      const target = typeof document._id === 'number' ? '(k)' : "(id) WHERE id <> ''";
      const conflict = ` ON CONFLICT ${target} DO NOTHING`;
      this.expectsPresent = !this.insertRow(document, conflict) && this.replaceById(document);
    }
    return this.expectsPresent;
  }

  replace(row: StoredRow, document: StoredDocument): void {
    const before = this.derived(parse(row));
    this.write(row, before, document, JSON.stringify(document));
  }

  /** @returns whether the document has changed */
  update(row: StoredRow, set: Readonly<Record<string, unknown>>): boolean {
    const document = parse(row);
    const fields = new Set(Object.keys(set));
    const before = this.derived(document, fields);
    Object.assign(document, set);
    const json = JSON.stringify(document);
    if (json === row.json) return false;
    this.write(row, before, document, json, fields);
    return true;
  }

  remove(row: StoredRow): void {
    this.run(`DELETE FROM ${this.layout.table} WHERE k = ?`, [row.k]);
    if (!this.derives) return;
    const document = parse(row);
    for (const side of this.layout.sides) this.replaceSideRows(side, row.k, sideRows(side, document), []);
    this.text.remove(row.k, this.text.contents(document));
  }

  /** @returns whether the document was there */
  removeById(id: DocumentId): boolean {
    if (this.derives) {
      const row = this.find(id);
      if (row) this.remove(row);
      return row !== null;
    }
    const [where, value] = idCondition(id);
    return this.run(`DELETE FROM ${this.layout.table} WHERE ${where}`, [value]).changes > 0;
  }

  /** @returns the number of documents removed */
  removeAll(): number {
    const { changes } = this.run(`DELETE FROM ${this.layout.table}`, []);
    for (const side of this.layout.sides) this.run(`DELETE FROM ${side.name}`, []);
    this.text.removeAll();
    return changes;
  }

  find(id: DocumentId): StoredRow | null {
    const [where, value] = idCondition(id);
    const row = this.connection.prepare(`SELECT k, doc FROM ${this.layout.table} WHERE ${where}`).get(value);
    return row ? { k: Number(row[0]), json: String(row[1]) } : null;
  }

  /** Fills columns, element tables and a text index that are newer than the document. */
  derive(row: StoredRow, columns: ReadonlySet<string>, sides: ReadonlySet<string>, text: boolean): void {
    const document = parse(row);
    const values = this.columnValues(document);
    const added = this.layout.columns.flatMap((column, at) => (columns.has(column.path) ? [{ column, at }] : []));
    if (added.length > 0) {
      const assignments = added.map(({ column }) => `${column.name} = ?`).join(', ');
      const parameters = added.map(({ at }) => values[at] ?? NULL_VALUE);
      this.run(`UPDATE ${this.layout.table} SET ${assignments} WHERE k = ?`, [...parameters, row.k]);
    }
    for (const side of this.layout.sides) {
      if (sides.has(side.name)) this.replaceSideRows(side, row.k, [], sideRows(side, document));
    }
    if (text) this.text.add(row.k, this.text.contents(document));
  }

  /** @returns false if the conflict clause prevented the insert */
  private insertRow(document: StoredDocument, conflict: string): boolean {
    const { sides } = this.layout;
    const values = this.columnValues(document);
    const rows = sides.map((side) => sideRows(side, document));
    const json = JSON.stringify(document);
    let k: number;
    if (typeof document._id === 'number') {
      k = numberKey(document._id);
      if (this.run(this.insertNumber + conflict, [k, json, ...values]).changes === 0) return false;
    } else {
      const inserted = this.run(this.insertText + conflict, [idCondition(document._id)[1], json, ...values]);
      if (inserted.changes === 0) return false;
      k = Number(inserted.lastInsertRowid);
    }
    sides.forEach((side, at) => {
      this.replaceSideRows(side, k, [], rows[at] ?? []);
    });
    this.text.add(k, this.text.contents(document));
    return true;
  }

  /** Reads the document only if something derived from it must be removed. @returns whether the document was there */
  replaceById(document: StoredDocument): boolean {
    if (this.derives) {
      const row = this.find(document._id);
      if (row) this.replace(row, document);
      return row !== null;
    }
    const { table, columns } = this.layout;
    const [where, id] = idCondition(document._id);
    const json = JSON.stringify(document);
    const values = this.columnValues(document);
    const same = columns.map((column) => ` AND ${column.name} = ?`).join('');
    // First guess: no column changes. An assigned column costs its indexes even if its value stays.
    if (this.run(`UPDATE ${table} SET doc = ? WHERE ${where}${same}`, [json, id, ...values]).changes > 0) return true;
    if (columns.length === 0) return false;
    const assignments = columns.map((column) => `, ${column.name} = ?`).join('');
    return this.run(`UPDATE ${table} SET doc = ?${assignments} WHERE ${where}`, [json, ...values, id]).changes > 0;
  }

  /** @param fields the only fields that change: nothing else is worked out; null: any field may change */
  private derived(document: StoredDocument, fields: ReadonlySet<string> | null = null): Derived {
    const isOf = (path: string): boolean => fields === null || fields.has(rootOf(path));
    return {
      id: document._id,
      columns: this.layout.columns.map((column) =>
        isOf(column.path) ? this.indexed(column.path, column.get(document)) : NULL_VALUE,
      ),
      sides: this.layout.sides.map((side) =>
        side.index.keys.some(({ path }) => isOf(path)) ? sideRows(side, document) : [],
      ),
      texts: this.text.contents(document),
    };
  }

  private write(
    row: StoredRow,
    before: Derived,
    document: StoredDocument,
    json: string,
    fields: ReadonlySet<string> | null = null,
  ): void {
    if (before.id !== document._id) throw new TypeError(`the _id ${JSON.stringify(before.id)} of a document stays`);
    const after = this.derived(document, fields);
    const changed = this.layout.columns.filter((_, at) => before.columns[at] !== after.columns[at]);
    const values = after.columns.filter((value, at) => before.columns[at] !== value);
    const assignments = ['doc = ?', ...changed.map((column) => `${column.name} = ?`)].join(', ');
    this.run(`UPDATE ${this.layout.table} SET ${assignments} WHERE k = ?`, [json, ...values, row.k]);
    this.layout.sides.forEach((side, at) => {
      this.replaceSideRows(side, row.k, before.sides[at] ?? [], after.sides[at] ?? []);
    });
    this.text.replace(row.k, before.texts, after.texts);
  }

  private columnValues(document: StoredDocument): IndexValue[] {
    return this.layout.columns.map((column) => this.indexed(column.path, column.get(document)));
  }

  private indexed(path: string, value: unknown): IndexValue {
    return encodeIndexValue(value) ?? refuseValue(this.layout.collection, path, value);
  }

  private replaceSideRows(side: SideTable, k: number, before: readonly IndexValue[][], after: readonly IndexValue[][]) {
    if (before.length === 0 && after.length === 0) return;
    const identity = (row: readonly IndexValue[]) => row.join('\u0000');
    const kept = new Set(after.map(identity));
    const known = new Set(before.map(identity));
    const names = side.index.keys.map((key) => key.sql.slice(2));
    for (const row of before) {
      if (kept.has(identity(row))) continue;
      this.run(`DELETE FROM ${side.name} WHERE ${names.map((name) => `${name} = ? AND `).join('')}k = ?`, [...row, k]);
    }
    for (const row of after) {
      if (known.has(identity(row))) continue;
      const marks = '?, '.repeat(names.length);
      this.run(`INSERT INTO ${side.name} (${names.join(', ')}, k) VALUES (${marks}?)`, [...row, k]);
    }
  }

  private run(sql: string, parameters: readonly SqlValue[]) {
    try {
      return this.connection.prepare(sql).run(...parameters);
    } catch (error) {
      const isDuplicate = error instanceof Error && error.message.includes('UNIQUE constraint failed');
      throw isDuplicate ? new DuplicateKey(this.layout.collection) : error;
    }
  }
}

function parse(row: StoredRow): StoredDocument {
  return storedJson(row.json);
}
