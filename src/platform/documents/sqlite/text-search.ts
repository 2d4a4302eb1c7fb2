import type { Row, SqliteConnection } from '../../sqlite/driver.js';
import type { Branch } from '../filter-branches.js';
import type { SortKeys } from '../planner.js';
import { branchScope } from '../text-scope.js';
import type { Search } from '../tokenize.js';
import { type CollectionLayout, TEXT_ID_KEYS_END } from './layout.js';
import type { Tally } from './range-reader.js';
import { matchExpression, scopeExpression } from './text-index.js';

const LARGEST_CHUNK = 4096;
/** More searches at once cost more than looking at documents in vain. */
const MOST_SEARCHES = 64;

interface FoundRows {
  readonly rows: Iterable<Row>;
  /** The rows come in the order of the sort. */
  readonly sorted: boolean;
  /** All rows satisfy the filter. */
  readonly isExact: boolean;
}

/** Reads the documents that have the stems of a `$text`, in the order of their row keys. */
export class TextSearch {
  constructor(
    private readonly connection: SqliteConnection,
    private readonly layout: CollectionLayout,
    private readonly tally: Tally,
  ) {}

  /** @param branches of the rest of the filter: bounds of `_id` and values of the text scope narrow the search */
  rows(search: Search, branches: readonly Branch[], sort: SortKeys, wanted: number): FoundRows {
    if (this.layout.text.length === 0) throw new Error(`${this.layout.collection} has no text fields to search`);
    const expression = matchExpression(search, this.layout.text.length);
    if (expression === null || branches.length === 0) return { rows: [], sorted: true, isExact: true };
    const [path, direction] = sort[0] ?? [];
    const sorted = sort.length === 0 || (path === '_id' && !this.hasTextIds());
    const { searches, isExact } = this.searches(expression, branches);
    const first = sorted && Number.isFinite(wanted) ? Math.ceil(wanted / searches.length) + 1 : LARGEST_CHUNK;
    const size = searches.length === 1 && Number.isFinite(wanted) ? wanted : first;
    const streams = searches.map((one) => this.read(one, direction === -1, size));
    const [only] = streams;
    const rows = only && streams.length === 1 ? only : merged(streams, direction === -1);
    return { rows, sorted, isExact };
  }

  /** One search for each range of ids: branches with the same range are searched together. */
  private searches(expression: string, branches: readonly Branch[]) {
    const stretches = new Map<string, { bounds: IdBounds; within: string[] }>();
    let isExact = true;
    for (const branch of branches) {
      const { oneOf, isAll } = branchScope(branch, this.layout.scope);
      const bounds = idBounds(branch);
      isExact &&= isAll && bounds.isExact;
      const name = `${bounds.above} ${bounds.below}`;
      const within = scopeExpression(oneOf);
      const known = stretches.get(name);
      if (known) known.within.push(within);
      else stretches.set(name, { bounds, within: [within] });
    }
    if (stretches.size > MOST_SEARCHES) return { searches: [{ expression, bounds: EVERYTHING }], isExact: false };
    const searches = [...stretches.values()].map(({ bounds, within }) => {
      if (within.includes('')) return { expression, bounds, isWhole: within.length === 1 };
      return {
        expression: `${expression} AND (${within.map((one) => `(${one})`).join(' OR ')})`,
        bounds,
        isWhole: true,
      };
    });
    return { searches, isExact: isExact && searches.every(({ isWhole }) => isWhole) };
  }

  private *read({ expression, bounds }: Reading, descending: boolean, wanted: number): Generator<Row, void> {
    const { table, textTable } = this.layout;
    const sql =
      `SELECT t.k, t.doc FROM ${textTable} AS w CROSS JOIN ${table} AS t ON t.k = w.rowid ` +
      `WHERE w.${textTable} MATCH ? AND w.rowid >= ? AND w.rowid <= ? ORDER BY w.rowid ${descending ? 'DESC' : 'ASC'} LIMIT ?`;
    const statement = this.connection.prepare(sql);
    let { above, below } = bounds;
    for (let size = wanted; above <= below; size = Math.min(size * 2, LARGEST_CHUNK)) {
      const rows = statement.all(expression, above, below, size);
      this.tally.examined += rows.length;
      yield* rows;
      if (rows.length < size) break;
      const last = Number(rows.at(-1)?.[0]);
      if (descending) below = last - 1;
      else above = last + 1;
    }
  }

  private hasTextIds(): boolean {
    return (
      this.connection.prepare(`SELECT 1 FROM ${this.layout.table} WHERE k <= ${TEXT_ID_KEYS_END} LIMIT 1`).get() !==
      undefined
    );
  }
}

interface Reading {
  readonly expression: string;
  readonly bounds: IdBounds;
}

/** A range of row keys, both ends included. */
interface IdBounds {
  readonly above: number;
  readonly below: number;
  /** The range is the whole condition on `_id`. */
  readonly isExact: boolean;
}

const EVERYTHING: IdBounds = { above: -Number.MAX_SAFE_INTEGER, below: Number.MAX_SAFE_INTEGER, isExact: true };

/** All row keys if the branch does not bound numeric ids. */
function idBounds({ fields }: Branch): IdBounds {
  const constraint = fields.get('_id');
  if (!constraint) return EVERYTHING;
  if (constraint.kind !== 'interval') return { ...EVERYTHING, isExact: false };
  const { low, high } = constraint;
  if (typeof low.value !== 'number') return { ...EVERYTHING, isExact: false };
  const above = low.inclusive ? Math.ceil(low.value) : Math.floor(low.value) + 1;
  const isBelow = typeof high.value === 'number';
  const below = isBelow ? (high.inclusive ? Math.floor(high.value) : Math.ceil(high.value) - 1) : EVERYTHING.below;
  return { above: Math.max(above, TEXT_ID_KEYS_END + 1), below: Math.min(below, EVERYTHING.below), isExact: true };
}

/** Merges streams of rows by row key, each row once. */
function* merged(streams: readonly Generator<Row, void>[], descending: boolean): Iterable<Row> {
  const heads = streams.map((stream) => ({ stream, head: stream.next() }));
  let last: number | null = null;
  for (;;) {
    let best: (typeof heads)[number] | null = null;
    for (const one of heads) {
      if (one.head.done) continue;
      const isBefore = best === null || best.head.done || isAhead(one.head.value, best.head.value, descending);
      if (isBefore) best = one;
    }
    if (!best || best.head.done) return;
    const row = best.head.value;
    if (Number(row[0]) !== last) yield row;
    last = Number(row[0]);
    best.head = best.stream.next();
  }
}

const isAhead = (a: Row, b: Row, descending: boolean): boolean =>
  descending ? Number(a[0]) > Number(b[0]) : Number(a[0]) < Number(b[0]);
