import type { Row } from '../../sqlite/driver.js';
import { compareIndexValues, type IndexValue } from '../index-value.js';
import type { IndexRange, SortKeys } from '../planner.js';
import type { IndexLayout } from './layout.js';
import type { RangeShape } from './range-sql.js';

export interface RangeSource {
  readonly range: IndexRange<IndexLayout>;
  readonly shape: RangeShape;
  /** The first value of the first sort key that varies within the range; null where it is not known. */
  readonly head: IndexValue | null;
}

/** The range's next rows; each ends with the values of the sort keys that vary within the range. */
export type Pull = (source: RangeSource, offset: number) => { readonly rows: readonly Row[]; readonly last: boolean };

interface Cursor {
  readonly source: RangeSource;
  /** The sort keys of the next row; before the first is read, as many as are known of it. */
  key: readonly IndexValue[];
  rows: readonly Row[];
  at: number;
  pulled: number;
  last: boolean;
}

/** The rows of all ranges in the order of `sort`, reading no range before its first row could be the next. */
export function* mergeRanges(sources: readonly RangeSource[], sort: SortKeys, pull: Pull): Iterable<Row> {
  const cursors = sources.map((source) => ({
    source,
    key: expectedKey(source, sort),
    rows: [],
    at: 0,
    pulled: 0,
    last: false,
  }));
  const heap = new CursorHeap(cursors, sort);
  for (let cursor = heap.best(); cursor; cursor = heap.best()) {
    const row = cursor.rows[cursor.at];
    if (row) {
      yield row;
      cursor.at++;
    }
    if (cursor.at >= cursor.rows.length && !cursor.last) refill(cursor, pull);
    const next = cursor.rows[cursor.at];
    if (!next) heap.removeBest();
    else {
      cursor.key = rowKey(cursor.source.range, next);
      heap.bestHasChanged();
    }
  }
}

function refill(cursor: Cursor, pull: Pull): void {
  const { rows, last } = pull(cursor.source, cursor.pulled);
  cursor.rows = rows;
  cursor.at = 0;
  cursor.pulled += rows.length;
  cursor.last = last;
}

/** What is known of the first row's sort keys: constants of the range, and a head or the bound that it cannot pass. */
function expectedKey({ range, head }: RangeSource, sort: SortKeys): IndexValue[] {
  const key: IndexValue[] = [];
  const places = range.scan.sortPlaces ?? [];
  for (const [at, place] of places.entries()) {
    const constant = range.equal[place];
    if (constant !== undefined) {
      key.push(constant);
      continue;
    }
    const bound = place === range.scan.equalKeys ? (sort[at]?.[1] === 1 ? range.low : range.high) : null;
    const first = head ?? bound?.value;
    if (first !== undefined) key.push(first);
    break;
  }
  return key;
}

function rowKey(range: IndexRange<IndexLayout>, row: Row): IndexValue[] {
  const { sortPlaces, equalKeys } = range.scan;
  const places = sortPlaces ?? [];
  let value = row.length - places.filter((place) => place >= equalKeys).length;
  return places.map((place) => (place < equalKeys ? range.equal[place] : row[value++]) as IndexValue);
}

/** A binary heap, best first. A key that is known in part goes before all that continue it. */
class CursorHeap {
  private readonly directions: readonly (1 | -1)[];

  constructor(
    private readonly cursors: Cursor[],
    sort: SortKeys,
  ) {
    this.directions = sort.map(([, direction]) => direction);
    for (let at = (cursors.length >> 1) - 1; at >= 0; at--) this.sink(at);
  }

  best(): Cursor | undefined {
    return this.cursors[0];
  }

  bestHasChanged(): void {
    this.sink(0);
  }

  removeBest(): void {
    const last = this.cursors.pop();
    if (last === undefined || this.cursors.length === 0) return;
    this.cursors[0] = last;
    this.sink(0);
  }

  private sink(from: number): void {
    const { cursors } = this;
    const moved = cursors[from];
    if (!moved) return;
    let at = from;
    for (;;) {
      const left = cursors[2 * at + 1];
      const right = cursors[2 * at + 2];
      if (!left) break;
      const childAt = right && this.isBefore(right, left) ? 2 * at + 2 : 2 * at + 1;
      const child = childAt === 2 * at + 1 ? left : (right ?? left);
      if (!this.isBefore(child, moved)) break;
      cursors[at] = child;
      at = childAt;
    }
    cursors[at] = moved;
  }

  private isBefore(a: Cursor, b: Cursor): boolean {
    const length = Math.min(a.key.length, b.key.length);
    for (let at = 0; at < length; at++) {
      const order = compareIndexValues(a.key[at] as IndexValue, b.key[at] as IndexValue);
      if (order !== 0) return order * (this.directions[at] ?? 1) < 0;
    }
    return a.key.length < b.key.length;
  }
}
