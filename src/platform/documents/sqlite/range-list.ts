import type { SqlValue } from '../../sqlite/driver.js';
import { type IndexValue } from '../index-value.js';
import type { IndexRange, Scan } from '../planner.js';
import { indexValueJson, survivesJson } from './index-value-sql.js';
import type { IndexLayout } from './layout.js';
import { type RangeList, type RangeShape, rangeValues, shapeOf } from './range-sql.js';

export interface RangeGroup {
  readonly shape: RangeShape;
  readonly ranges: readonly IndexRange<IndexLayout>[];
}

/** Groups ranges by shape. Each group keeps their order. */
export function groupRanges(ranges: readonly IndexRange<IndexLayout>[]): RangeGroup[] {
  const groups = new Map<Scan<IndexLayout>, Map<string, { shape: RangeShape; ranges: IndexRange<IndexLayout>[] }>>();
  for (const range of ranges) {
    const shape = shapeOf(range);
    const kind = `${shape.low}${shape.high}${shape.ids}`;
    const sameScan =
      groups.get(range.scan) ?? new Map<string, { shape: RangeShape; ranges: IndexRange<IndexLayout>[] }>();
    groups.set(range.scan, sameScan);
    const group = sameScan.get(kind);
    if (group) group.ranges.push(range);
    else sameScan.set(kind, { shape, ranges: [range] });
  }
  return [...groups.values()].flatMap((group) => [...group.values()]);
}

/** null if SQLite would read other values out of JSON: such ranges are read one by one. */
export function rangeList(ranges: readonly IndexRange<IndexLayout>[]): RangeList | null {
  const rows = ranges.map(rangeValues);
  if (!rows.every((values) => values.every(survivesJson))) return null;
  const first = rows[0] ?? [];
  const varying = first.flatMap((value, place) => (rows.every((values) => values[place] === value) ? [] : [place]));
  const constant = first.flatMap((_, place) => (varying.includes(place) ? [] : [place]));
  const alone = varying.length === 1;
  const parameters: SqlValue[] = [rowsJson(rows, varying), ...constant.map((place) => first[place] as IndexValue)];
  return {
    parameters,
    placeholder: (place) => {
      const at = varying.indexOf(place);
      if (at < 0) return `?${constant.indexOf(place) + 2}`;
      return alone ? 'j.value' : `(j.value ->> ${at})`;
    },
  };
}

function rowsJson(rows: readonly IndexValue[][], varying: readonly number[]): string {
  const row = (values: readonly IndexValue[]): string =>
    varying.length === 1
      ? indexValueJson(values[varying[0] as number] as IndexValue)
      : `[${varying.map((place) => indexValueJson(values[place] as IndexValue)).join(',')}]`;
  return `[${rows.map(row).join(',')}]`;
}
