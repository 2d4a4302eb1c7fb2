import { type IndexValue, NULL_VALUE } from '../index-value.js';

/** NULL_VALUE in SQL; literal, because a column's default must be. */
export const NULL_SQL = '-9e999';

/** Whether SQLite reads the value out of JSON as exactly what the binding would have given it (fractions it may not). */
export function survivesJson(value: IndexValue): boolean {
  return typeof value === 'string' || value === NULL_VALUE || Number.isSafeInteger(value);
}

/** JSON has no infinity, but SQLite reads one out of a number too large. */
export function indexValueJson(value: IndexValue): string {
  return value === NULL_VALUE ? NULL_SQL : JSON.stringify(value);
}
