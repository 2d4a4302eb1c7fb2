import type { SqliteConnection } from '../../sqlite/driver.js';

interface Replacement {
  readonly before: readonly string[];
  /** null: the document was deleted. */
  readonly after: readonly string[] | null;
  readonly ks: number[];
}

/**
 * Changes of terms that need not be overwritten when they are removed. FTS5 then only notes the removal, in a hundredth
 * of the time. FTS5 has one such setting for a table: these changes wait for the end of an operation's other changes,
 * and are written together. No term of these columns may ever be overwritten: FTS5 would remove only the newest note of
 * the term, and an older note would count again.
 */
export class LooseTerms {
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
