// @ts-check

/** Less than so much more counts as flat. */
const GAIN = 1.05;

/**
 * Raises the level until that brings nothing more.
 *
 * @param {readonly number[]} levels ascending
 * @param {(level: number) => Promise<number>} measure a rate
 * @returns {Promise<number>} the level of the best rate
 */
export async function raiseUntilFlat(levels, measure) {
  let best = { level: levels[0] ?? 1, rate: 0 };
  for (const level of levels) {
    const rate = await measure(level);
    if (rate < best.rate * GAIN) return rate > best.rate ? level : best.level;
    best = { level, rate };
  }
  return best.level;
}
