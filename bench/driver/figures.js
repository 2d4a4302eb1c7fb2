// @ts-check

/** @param {readonly number[]} values */
export const median = (values) => quantile(values, 0.5);

/**
 * The value below which this part of all values lies; NaN where there are none.
 *
 * @param {readonly number[]} values
 * @param {number} part from 0 to 1
 */
export function quantile(values, part) {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

/** @param {readonly number[]} values */
export const p50 = (values) => quantile(values, 0.5);

/** @param {readonly number[]} values */
export const p99 = (values) => quantile(values, 0.99);
