import { median } from '../driver/figures.js';

/** The least part of the release's sends a second that a build may make. */
export const LEAST = 0.95;
/** The most probable that chance may be. */
const CHANCE = 0.01;

export interface Verdict {
  /** Of the pairs, the median of the build's rate to the release's. */
  readonly ratio: number;
  readonly isBelow: boolean;
  /** Whether a build as fast as the release would hardly ever look like this. */
  readonly isSure: boolean;
  /** Pairs in which the build was slower. */
  readonly slower: number;
}

/**
 * Judges pairs of rounds. The median forgets single rounds that other work of the machine has hit. It alone would be no safe
 * bound: on a machine whose rounds differ by a fifth, the median of equal builds is below 0.95 in a fifth of all runs. So the
 * build must also lose so many pairs that chance does not explain it. Of equal builds, each wins a pair with probability 1/2,
 * whatever the noise is like, because they take turns in who comes first: one of them loses 13 or more of 15 pairs in 0.4 % of
 * the runs. That holds for single pairs: those of one start are alike, so the builds are started several times, and equal
 * builds lose in all five starts in 3 % of the runs. A machine that is too noisy thus lets a slower build pass, and does not stop one that is not slower.
 *
 * @param ratios one for each pair
 */
export function judge(ratios: readonly number[]): Verdict {
  const ratio = median(ratios);
  const slower = ratios.filter((one) => one < 1).length;
  return { ratio, isBelow: ratio < LEAST, isSure: chanceOf(slower, ratios.length) < CHANCE, slower };
}

/** The probability that a fair coin shows heads at least so many times. */
function chanceOf(heads: number, throws: number): number {
  let [ways, sum] = [1, 0];
  for (let n = throws; n >= heads; n--) {
    sum += ways;
    ways *= n / (throws - n + 1);
  }
  return sum / 2 ** throws;
}
