import { median } from './figures.js';

/** A smaller gain than this factor counts as flat. */
const GAIN = 1.05;
/** Levels without a gain that end the search: a single one may be bad luck. */
const FLAT_LEVELS = 2;

/**
 * Raises the level until a higher one gains nothing.
 *
 * @param levels ascending
 * @param times how often each level is measured; the median counts
 * @param measure gives the rate at a level
 * @returns the level of the best rate
 */
export async function raiseUntilFlat(
  levels: readonly number[],
  times: number,
  measure: (level: number) => Promise<number>,
): Promise<number> {
  let best = { level: levels[0] ?? 1, rate: 0 };
  let flat = 0;
  for (const level of levels) {
    const rates = [];
    for (let n = 0; n < times; n++) rates.push(await measure(level));
    const rate = median(rates);
    flat = rate < best.rate * GAIN ? flat + 1 : 0;
    if (rate > best.rate) best = { level, rate };
    if (flat === FLAT_LEVELS) break;
  }
  return best.level;
}
