export const median = (values: readonly number[]) => quantile(values, 0.5);

/**
 * Finds the value below which this part of all values lies; NaN if there are none.
 *
 * @param part from 0 to 1
 */
export function quantile(values: readonly number[], part: number) {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

export const p50 = (values: readonly number[]) => quantile(values, 0.5);

export const p99 = (values: readonly number[]) => quantile(values, 0.99);
