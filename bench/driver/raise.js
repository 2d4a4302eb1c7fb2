// @ts-check
import { median } from './figures.js';

/** Less than so much more counts as flat. */
const GAIN = 1.05;
/** One level may be an unlucky one. */
const FLAT_LEVELS = 2;

/**
 * Raises the level until that brings nothing more.
 *
 * @param {readonly number[]} levels ascending
 * @param {number} times that each level is measured: the middle one counts
 * @param {(level: number) => Promise<number>} measure a rate
 * @returns {Promise<number>} the level of the best rate
 */
export async function raiseUntilFlat(levels, times, measure) {
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
