import type { Row, SqliteConnection, SqlValue } from '../../sqlite/driver.js';
import type { Branch } from '../filter-branches.js';
import type { SortKeys } from '../planner.js';
import { type CollectionLayout, TEXT_ID_KEYS_END } from './layout.js';
import type { Tally } from './range-reader.js';
import { matchExpression } from './text-index.js';

const LARGEST_CHUNK = 4096;

/** Reads the documents that hold what `$text` searches, in the order of their row keys. */
export class TextSearch {
  constructor(
    private readonly connection: SqliteConnection,
    private readonly layout: CollectionLayout,
    private readonly tally: Tally,
  ) {}

  /**
   * @param branches what the rest of the filter bounds; only bounds of `_id` narrow the search
   * @returns whether the rows come in the order of `sort`
   */
  rows(
    search: string,
    branches: readonly Branch[],
    sort: SortKeys,
    wanted: number,
  ): { readonly rows: Iterable<Row>; readonly sorted: boolean } {
    if (this.layout.text.length === 0) throw new Error(`${this.layout.collection} has no text fields to search`);
    const expression = matchExpression(search);
    if (expression === null || branches.length === 0) return { rows: [], sorted: true };
    const [path, direction] = sort[0] ?? [];
    const byId = sort.length === 0 || (path === '_id' && !this.hasTextIds());
    const chunk = byId ? wanted : Number.POSITIVE_INFINITY;
    return { rows: this.read(expression, idBounds(branches), direction === -1, chunk), sorted: byId };
  }

  private *read(
    expression: string,
    [above, below]: readonly [SqlValue, SqlValue],
    descending: boolean,
    wanted: number,
  ): Iterable<Row> {
    const { table, textTable } = this.layout;
    const sql =
      `SELECT t.k, t.doc FROM ${textTable} AS w CROSS JOIN ${table} AS t ON t.k = w.rowid ` +
      `WHERE w.${textTable} MATCH ? AND w.rowid >= ? AND w.rowid <= ? ORDER BY w.rowid ${descending ? 'DESC' : 'ASC'} ` +
      'LIMIT ? OFFSET ?';
    const statement = this.connection.prepare(sql);
    for (let offset = 0, size = wanted; ; offset += size, size = Math.min(size * 2, LARGEST_CHUNK)) {
      const rows = statement.all(expression, above, below, Number.isFinite(size) ? size : -1, offset);
      this.tally.examined += rows.length;
      yield* rows;
      if (rows.length < size) break;
    }
  }

  private hasTextIds(): boolean {
    return (
      this.connection.prepare(`SELECT 1 FROM ${this.layout.table} WHERE k <= ${TEXT_ID_KEYS_END} LIMIT 1`).get() !==
      undefined
    );
  }
}

/** Whole row keys between which the documents lie, inclusive; everything where the filter does not bound numeric ids. */
function idBounds(branches: readonly Branch[]): readonly [SqlValue, SqlValue] {
  const everything = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;
  const constraint = branches.length === 1 ? branches[0]?.fields.get('_id') : undefined;
  if (constraint?.kind !== 'interval' || typeof constraint.low.value !== 'number') return everything;
  const { low, high } = constraint;
  const above = Math.max(low.value as number, TEXT_ID_KEYS_END);
  const below = typeof high.value === 'number' ? high.value : Number.MAX_SAFE_INTEGER;
  return [above, Math.min(below, Number.MAX_SAFE_INTEGER)];
}
