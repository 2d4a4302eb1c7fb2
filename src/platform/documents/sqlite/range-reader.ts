import type { Row, SqliteConnection, SqlValue } from '../../sqlite/driver.js';
import { compareIndexValues, type IndexValue } from '../index-value.js';
import { type IndexRange, isPrimary, type Plan, type Scan, type SortKeys } from '../planner.js';
import type { IndexLayout } from './layout.js';
import { groupRanges, mergeRanges, type RangeGroup, type RangeSource, rangeList } from './range-merge.js';
import { headsSql, type RangeShape, rangeListSql, rangeSql, rangeValues, shapeOf } from './range-sql.js';

/** Numbers of rows that queries looked at and returned since the store was opened. */
export interface Tally {
  examined: number;
  returned: number;
}

/** Rows of each statement: behind the first `skip`, about so many as are wanted. */
interface Part {
  readonly wanted: number;
  readonly skip: number;
}

/** Up to so many ranges, reading them one by one costs no more than a look at all their first values. */
const FEW_RANGES = 4;
const FIRST_CHUNK = 64;
const LARGEST_CHUNK = 4096;

/** Reads the documents of a plan's ranges: rows of [row key, ...selected]. */
export class RangeReader {
  constructor(
    private readonly connection: SqliteConnection,
    private readonly tally: Tally,
    /** Creates the index that a statement has missed. @returns false for any other error */
    private readonly createMissed: (error: unknown) => boolean,
  ) {}

  /**
   * @param select columns of the collection's table `t`
   * @param wanted number of rows that the caller is likely to take; Infinity for all
   */
  rows(plan: Plan<IndexLayout>, sort: SortKeys, select: readonly string[], wanted: number): Iterable<Row> {
    if (plan.order !== 'index' || plan.ranges.length <= 1) return this.unordered(plan, select, { wanted, skip: 0 });
    if (plan.ranges.every(({ scan }) => holdsOneAtMost(scan))) return this.singles(plan.ranges, sort, select, wanted);
    return this.merged(plan, sort, select, wanted);
  }

  /** Reads a single range behind its first rows. */
  rowsBehind(skip: number, plan: Plan<IndexLayout>, select: readonly string[], wanted: number): Iterable<Row> {
    return this.unordered(plan, select, { wanted, skip });
  }

  count(plan: Plan<IndexLayout>): number {
    let count = 0;
    for (const group of groupRanges(plan.ranges)) {
      for (const [sql, parameters] of this.statements(group, [])) {
        count += Number(this.run(`SELECT count(*) FROM (${sql})`, parameters)[0]?.[0]);
      }
    }
    this.tally.examined += count;
    return count;
  }

  private *unordered(plan: Plan<IndexLayout>, select: readonly string[], part: Part): Iterable<Row> {
    for (const group of groupRanges(plan.ranges)) {
      for (const [sql, parameters] of this.statements(group, select)) {
        yield* this.pages(`${sql} LIMIT ? OFFSET ?`, parameters, part);
      }
    }
  }

  /** @param sql its last two parameters are a limit and an offset */
  private *pages(sql: string, parameters: readonly SqlValue[], { wanted, skip }: Part): Iterable<Row> {
    for (let offset = skip, size = wanted; ; offset += size, size = grown(size)) {
      const rows = this.all(sql, [...parameters, limitOf(size), offset]);
      yield* rows;
      if (rows.length < size) return;
    }
  }

  /** The fewest statements that read a group. A single range is read in its order. */
  private statements({ shape, ranges }: RangeGroup, select: readonly string[]): [string, readonly SqlValue[]][] {
    const list = ranges.length > 1 ? rangeList(ranges) : null;
    if (list) return [[rangeListSql(shape, list, select), list.parameters]];
    return ranges.map((range) => [rangeSql(shape, select), rangeValues(range)]);
  }

  /** Reads ranges of at most one document each: the order of the ranges is the order of the documents. */
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
   * Finds the ranges that hold rows, each with its first value. If the first `wanted` rows can only come from the `wanted`
   * best ranges, the others are dropped.
   */
  private probed(plan: Plan<IndexLayout>, sort: SortKeys, wanted: number): RangeSource[] {
    const decides = plan.residual === null && plan.disjoint && sort.length === 1;
    return groupRanges(plan.ranges).flatMap(({ shape, ranges }): RangeSource[] => {
      const list = rangeList(ranges);
      const sql = list && headsSql(shape, list, sort);
      if (!sql) return ranges.map((range) => ({ range, shape, head: null }));
      this.tally.examined += ranges.length;
      const heads = this.run(sql, [...list.parameters, limitOf(decides ? wanted : Infinity)]);
      return heads.flatMap(([place, head]) => {
        const range = ranges[Number(place)];
        return range ? [{ range, shape, head: head as IndexValue }] : [];
      });
    });
  }

  private all(sql: string, parameters: readonly SqlValue[]): Row[] {
    const rows = this.run(sql, parameters);
    this.tally.examined += rows.length;
    return rows;
  }

  private run(sql: string, parameters: readonly SqlValue[]): Row[] {
    try {
      return this.connection.prepare(sql).all(...parameters);
    } catch (error) {
      if (!this.createMissed(error)) throw error;
      return this.connection.prepare(sql).all(...parameters);
    }
  }
}

function unprobed(range: IndexRange<IndexLayout>): RangeSource {
  return { range, shape: shapeOf(range), head: null };
}

function holdsOneAtMost({ index, equalKeys }: Scan<IndexLayout>): boolean {
  return isPrimary(index) && equalKeys === 1;
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
