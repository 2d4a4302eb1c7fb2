import { type IndexValue, NULL_VALUE } from '../index-value.js';

/** NULL_VALUE in SQL. A literal, as a column's default must be. */
export const NULL_SQL = '-9e999';

/** Whether SQLite reads exactly this value out of JSON. Fractions may differ. */
export function survivesJson(value: IndexValue): boolean {
  return typeof value === 'string' || value === NULL_VALUE || Number.isSafeInteger(value);
}

/** JSON has no infinity. SQLite reads a number that is too large as infinity. */
export function indexValueJson(value: IndexValue): string {
  return value === NULL_VALUE ? NULL_SQL : JSON.stringify(value);
}
