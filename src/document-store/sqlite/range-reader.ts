import type { Row, SqliteConnection, SqlValue } from '../../sqlite/driver.js';
import { compareIndexValues, type IndexValue } from '../index-value.js';
import type { IndexRange, Plan, Scan, SortKeys } from '../planner.js';
import type { IndexLayout } from './layout.js';
import { groupRanges, type RangeGroup, rangeList } from './range-list.js';
import { mergeRanges, type RangeSource } from './range-merge.js';
import { headsSql, type RangeShape, rangeListSql, rangeSql, rangeValues, shapeOf } from './range-sql.js';

/** What queries have looked at and returned, since the store was opened. */
export interface Tally {
  examined: number;
  returned: number;
}

/** Up to here, looking at the ranges one by one costs no more than asking for all their first values at once. */
const FEW_RANGES = 4;
const FIRST_CHUNK = 64;
const LARGEST_CHUNK = 4096;

/** Reads the documents of a plan's ranges: rows of [row key, ...selected]. */
export class RangeReader {
  constructor(
    private readonly connection: SqliteConnection,
    private readonly tally: Tally,
  ) {}

  /**
   * @param select columns of the collection's table `t`
   * @param wanted how many rows the caller is likely to take; Infinity for all
   */
  rows(plan: Plan<IndexLayout>, sort: SortKeys, select: readonly string[], wanted: number): Iterable<Row> {
    if (plan.order !== 'index' || plan.ranges.length <= 1) return this.unordered(plan, select, wanted);
    if (plan.ranges.every(({ scan }) => holdsOneAtMost(scan))) return this.singles(plan.ranges, sort, select, wanted);
    return this.merged(plan, sort, select, wanted);
  }

  count(plan: Plan<IndexLayout>): number {
    let count = 0;
    for (const group of groupRanges(plan.ranges)) {
      for (const [sql, parameters] of this.statements(group, [])) {
        count += Number(this.connection.prepare(`SELECT count(*) FROM (${sql})`).get(...parameters)?.[0]);
      }
    }
    this.tally.examined += count;
    return count;
  }

  private *unordered(plan: Plan<IndexLayout>, select: readonly string[], wanted: number): Iterable<Row> {
    for (const group of groupRanges(plan.ranges)) {
      for (const [sql, parameters] of this.statements(group, select)) {
        for (let offset = 0, size = wanted; ; offset += size, size = grown(size)) {
          const rows = this.all(`${sql} LIMIT ? OFFSET ?`, [...parameters, limitOf(size), offset]);
          yield* rows;
          if (rows.length < size) break;
        }
      }
    }
  }

  /** The fewest statements that read a group. A single range comes in its order. */
  private statements({ shape, ranges }: RangeGroup, select: readonly string[]): [string, readonly SqlValue[]][] {
    const list = ranges.length > 1 ? rangeList(ranges) : null;
    if (list) return [[rangeListSql(shape, list, select), list.parameters]];
    return ranges.map((range) => [rangeSql(shape, select), rangeValues(range)]);
  }

  /** Ranges of one document at most: their own order is that of the documents. */
  private *singles(
    ranges: readonly IndexRange<IndexLayout>[],
    sort: SortKeys,
    select: readonly string[],
    wanted: number,
  ): Iterable<Row> {
    const size = Number.isFinite(wanted) ? Math.max(wanted, FIRST_CHUNK) : LARGEST_CHUNK;
    const sorted = [...ranges].sort((a, b) => compareConstants(a, b, sort));
    for (let at = 0; at < sorted.length; at += size) {
      const chunk = sorted.slice(at, at + size);
      const found = new Map<IndexRange<IndexLayout>, Row>();
      for (const { shape, ranges: group } of groupRanges(chunk)) {
        const list = rangeList(group);
        const rows = list
          ? this.all(rangeListSql(shape, list, [...select, 'j.key']), list.parameters)
          : group.flatMap((range, key) =>
              this.all(rangeSql(shape, select), rangeValues(range)).map((row) => [...row, key]),
            );
        for (const row of rows) {
          const range = group[Number(row.at(-1))];
          if (range) found.set(range, row);
        }
      }
      yield* chunk.flatMap((range) => [found.get(range) ?? []].filter((row) => row.length > 0));
    }
  }

  private merged(plan: Plan<IndexLayout>, sort: SortKeys, select: readonly string[], wanted: number): Iterable<Row> {
    const sources = plan.ranges.length > FEW_RANGES ? this.probed(plan, sort, wanted) : plan.ranges.map(unprobed);
    const first = Number.isFinite(wanted) ? Math.ceil(wanted / Math.max(1, sources.length)) + 1 : FIRST_CHUNK;
    const statements = new Map<RangeShape, string>();
    return mergeRanges(sources, sort, ({ range, shape }, offset) => {
      const sql = statements.get(shape) ?? `${rangeSql(shape, select)} LIMIT ? OFFSET ?`;
      statements.set(shape, sql);
      const size = offset === 0 ? first : Math.min(offset * 2, LARGEST_CHUNK);
      const rows = this.all(sql, [...rangeValues(range), size, offset]);
      return { rows, last: rows.length < size };
    });
  }

  /**
   * The ranges that hold anything, each with its first value. Where the first `wanted` rows can come from the `wanted`
   * best of them only, the others are dropped.
   */
  private probed(plan: Plan<IndexLayout>, sort: SortKeys, wanted: number): RangeSource[] {
    const sources: RangeSource[] = [];
    for (const { shape, ranges } of groupRanges(plan.ranges)) {
      const list = varies(shape.scan) ? rangeList(ranges) : null;
      if (!list) {
        for (const range of ranges) sources.push({ range, shape, head: null });
        continue;
      }
      const places = shape.scan.sortPlaces ?? [];
      const decides = plan.residual === null && plan.disjoint && places.length === 1;
      const headPlace = places.findIndex((place) => place >= shape.scan.equalKeys);
      const sql = headsSql(shape, list, sort[headPlace]?.[1] === -1);
      const heads = this.connection.prepare(sql).all(...list.parameters, limitOf(decides ? wanted : Infinity));
      this.tally.examined += ranges.length;
      for (const [place, head] of heads) {
        const range = ranges[Number(place)];
        if (range) sources.push({ range, shape, head: head as IndexValue });
      }
    }
    return sources;
  }

  private all(sql: string, parameters: readonly SqlValue[]): Row[] {
    const rows = this.connection.prepare(sql).all(...parameters);
    this.tally.examined += rows.length;
    return rows;
  }
}

function unprobed(range: IndexRange<IndexLayout>): RangeSource {
  return { range, shape: shapeOf(range), head: null };
}

/** Whether the order within a range is of any account; not where every sort key is constant in it. */
function varies(scan: Scan<IndexLayout>): boolean {
  return (scan.sortPlaces ?? []).some((place) => place >= scan.equalKeys);
}

function holdsOneAtMost({ index, equalKeys }: Scan<IndexLayout>): boolean {
  return index.unique && index.multikey === null && equalKeys === index.keys.length;
}

function compareConstants(a: IndexRange<IndexLayout>, b: IndexRange<IndexLayout>, sort: SortKeys): number {
  for (const [at, [, direction]] of sort.entries()) {
    const left = a.equal[a.scan.sortPlaces?.[at] ?? 0];
    const right = b.equal[b.scan.sortPlaces?.[at] ?? 0];
    const order = left === undefined || right === undefined ? 0 : compareIndexValues(left, right);
    if (order !== 0) return order * direction;
  }
  return 0;
}

function grown(size: number): number {
  return Math.min(Math.max(size * 2, FIRST_CHUNK), LARGEST_CHUNK);
}

function limitOf(size: number): number {
  return Number.isFinite(size) ? size : -1;
}
