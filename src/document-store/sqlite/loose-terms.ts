import type { SqliteConnection } from '../../sqlite/driver.js';

interface Replacement {
  readonly before: readonly string[];
  /** null: the document is gone. */
  readonly after: readonly string[] | null;
  readonly ks: number[];
}

/**
 * Terms that need not be overwritten when they go: FTS5 then only notes that they are gone, which takes it a
 * hundredth of the time. It has one setting for a table, so such changes wait until an operation has done with the
 * others, and are written together. A term of these columns is never overwritten: FTS5 would take away the newest
 * note of it alone, and an older one would count again.
 */
export class LooseTerms {
  private readonly waiting = new Map<string, Replacement>();
  private readonly changed = new Set<number>();

  constructor(
    private readonly connection: SqliteConnection,
    private readonly textTable: string,
    private readonly names: readonly string[],
  ) {}

  /** Whether something of the document waits to be written. */
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

  /** One document after the other, what goes before what comes: FTS5 begins anew wherever a row key is less than the last. */
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
