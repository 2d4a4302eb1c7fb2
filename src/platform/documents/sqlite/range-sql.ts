import type { SqlValue } from '../../sqlite/driver.js';
import { type IndexValue, NULL_VALUE } from '../index-value.js';
import { type IndexRange, isPrimary, type Scan, type SortKeys } from '../planner.js';
import { type IndexKey, type IndexLayout, NULL_SQL, TEXT_ID_KEYS_END } from './layout.js';

/** The form of ranges that one statement can read: they differ only in their values. */
export interface RangeShape {
  readonly scan: Scan<IndexLayout>;
  readonly low: '>' | '>=' | null;
  readonly high: '<' | '<=' | null;
  /** The part of `_id` that the range lies in; null if `_id` is not bounded. */
  readonly ids: 'numbers' | 'texts' | null;
}

/** Writes the placeholder of a range's n-th value. */
type Placeholder = (place: number) => string;

export function shapeOf(range: IndexRange<IndexLayout>): RangeShape {
  const { scan, equal, low, high } = range;
  const idPlace = scan.index.keys.findIndex((key) => key.path === '_id');
  const bounded = idPlace < scan.equalKeys ? equal[idPlace] : idPlace === scan.equalKeys ? low?.value : undefined;
  return {
    scan,
    low: low && (low.inclusive ? '>=' : '>'),
    high: high && (high.inclusive ? '<=' : '<'),
    ids: bounded === undefined ? null : typeof bounded === 'number' ? 'numbers' : 'texts',
  };
}

/** The range's values in the order of its placeholders. */
export function rangeValues(range: IndexRange<IndexLayout>): IndexValue[] {
  const { scan, low, high } = range;
  const amongNumbers = scan.index.keys[scan.equalKeys]?.path === '_id' && typeof low?.value === 'number';
  const values = range.equal.map((value, place) =>
    // Row keys of text ids are no numbers that a document may have.
    scan.index.keys[place]?.path === '_id' && typeof value === 'number' && value <= TEXT_ID_KEYS_END
      ? NULL_VALUE
      : value,
  );
  if (low) values.push(amongNumbers ? Math.max(Number(low.value), TEXT_ID_KEYS_END) : low.value);
  if (high) values.push(amongNumbers && typeof high.value === 'string' ? 2 ** 53 : high.value);
  for (const { value } of scan.index.tests ?? []) values.push(value);
  return values;
}

function fromSql(shape: RangeShape, keysOnly = false): string {
  const { index } = shape.scan;
  if (!isPrimary(index)) return keysOnly ? index.keysFrom : index.from;
  const table = index.from.slice(0, -' AS t'.length);
  return shape.ids === 'texts' ? `${index.from} INDEXED BY ${table}id` : `${index.from} NOT INDEXED`;
}

function whereSql(shape: RangeShape, placeholder: Placeholder): string {
  const { index, equalKeys } = shape.scan;
  const { tests = [] } = index;
  const conditions: string[] = [];
  const bounds = index.keys.slice(0, equalKeys + (shape.low || shape.high ? 1 : 0));
  bounds.forEach((key, place) => {
    const column = boundColumn(shape, key);
    if (key.path === '_id' && shape.ids === 'texts') conditions.push(`${key.sql} <> ''`);
    if (key.path === '_id' && shape.ids === 'numbers' && index.keys.length > 1) conditions.push(`${key.sql} = ''`);
    if (place < equalKeys) conditions.push(`${column} = ${placeholder(place)}`);
    else {
      if (shape.low) conditions.push(`${column} ${shape.low} ${placeholder(place)}`);
      if (shape.high) conditions.push(`${column} ${shape.high} ${placeholder(place + (shape.low ? 1 : 0))}`);
    }
  });
  // SQLite uses a partial index only if the query repeats the index's condition.
  if (index.sparse && index.multikey === null) conditions.push(`${index.keys[0]?.sql} > ${NULL_SQL}`);
  const own = equalKeys + (shape.low ? 1 : 0) + (shape.high ? 1 : 0);
  conditions.push(...tests.map(({ sql }, at) => sql(placeholder(own + at))));
  return conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
}

function orderSql(shape: RangeShape): string {
  const { index, reverse } = shape.scan;
  const terms = varyingSortKeys(shape.scan).flatMap((key) => {
    const direction = (key.direction === -1) === reverse ? 'ASC' : 'DESC';
    if (key.path !== '_id') return [`${key.sql} ${direction}`];
    if (shape.ids === 'numbers') return [`${index.row} ${direction}`];
    if (shape.ids === 'texts') return [`${key.sql} ${direction}`];
    return [`${key.sql} ${direction}`, `${index.row} ${direction}`];
  });
  return terms.length > 0 ? ` ORDER BY ${terms.join(', ')}` : '';
}

/** The values of the sort keys: rows of different ranges are compared by them. */
function sortValuesSql(shape: RangeShape): string[] {
  const { index, sortPlaces } = shape.scan;
  return (sortPlaces ?? []).flatMap((place) => {
    const key = index.keys[place];
    if (!key) return [];
    if (key.path !== '_id' || shape.ids !== null) return [boundColumn(shape, key)];
    return [`iif(${key.sql} = '', ${index.row}, ${key.sql})`];
  });
}

/** Reads one range in order. Each row ends with the values of the sort keys. Parameters: the range's values. */
export function rangeSql(shape: RangeShape, select: readonly string[]): string {
  const columns = [shape.scan.index.row, ...select, ...sortValuesSql(shape)].join(', ');
  return `SELECT ${columns} FROM ${fromSql(shape)}${whereSql(shape, () => '?')}${orderSql(shape)}`;
}

/** The values of many ranges: one JSON list, followed by the values that all ranges share as parameters. */
export interface RangeList {
  readonly parameters: readonly SqlValue[];
  readonly placeholder: Placeholder;
}

/** Reads the ranges of a list, one after the other. Parameters: the list's. */
export function rangeListSql(shape: RangeShape, list: RangeList, select: readonly string[], keysOnly = false): string {
  const from = `json_each(?1) AS j CROSS JOIN ${fromSql(shape, keysOnly)}`;
  return `SELECT ${[shape.scan.index.row, ...select].join(', ')} FROM ${from}${whereSql(shape, list.placeholder)}`;
}

/**
 * Reads the first value of each range that has one, best first: [place in the list, value]. null if no sort key varies
 * within a range. The last parameter is a limit. Materialised: SQLite looks a range up once, not for every mention.
 */
export function headsSql(shape: RangeShape, list: RangeList, sort: SortKeys): string | null {
  const { sortPlaces, equalKeys } = shape.scan;
  const at = (sortPlaces ?? []).findIndex((place) => place >= equalKeys);
  if (at < 0) return null;
  const head = `SELECT ${sortValuesSql(shape)[at]} FROM ${fromSql(shape, true)}${whereSql(shape, list.placeholder)}${orderSql(shape)} LIMIT 1`;
  return (
    `WITH heads AS MATERIALIZED (SELECT j.key AS place, (${head}) AS head FROM json_each(?1) AS j) ` +
    `SELECT place, head FROM heads WHERE head IS NOT NULL ORDER BY head ${sort[at]?.[1] === -1 ? 'DESC' : 'ASC'} ` +
    `LIMIT ?${list.parameters.length + 1}`
  );
}

function varyingSortKeys(scan: Scan<IndexLayout>): IndexKey[] {
  return (scan.sortPlaces ?? []).flatMap((place) => (place < scan.equalKeys ? [] : (scan.index.keys[place] ?? [])));
}

function boundColumn(shape: RangeShape, key: IndexKey): string {
  return key.path === '_id' && shape.ids === 'numbers' ? shape.scan.index.row : key.sql;
}
