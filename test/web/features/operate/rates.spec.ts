import { describe, expect, it } from '@jest/globals';
import { ratesOf, type Sample } from '../../../../web/features/operate/rates.js';

interface Counted extends Sample {
  readonly count: number | null;
}

const rates = (...samples: readonly [at: number, startedAt: number | null, count: number | null][]) =>
  ratesOf(
    samples.map(([at, startedAt, count]): Counted => ({ at, startedAt, count })),
    ({ count }) => count,
  );

describe('rates', () => {
  it('are counts a second from one sample to the next', () => {
    expect(rates()).toEqual([]);
    expect(rates([0, 1, 5])).toEqual([]);
    expect(rates([0, 1, 5], [2000, 1, 9], [2500, 1, 9], [3000, 1, 19])).toEqual([2, 0, 20]);
  });

  it('compare a process with itself alone: others count from nothing', () => {
    expect(rates([0, 1, 500], [1000, 2, 3], [2000, 1, 504], [3000, 2, 5])).toEqual([null, 2, 1]);
  });

  it('are not known without a count, and never less than nothing', () => {
    expect(rates([0, null, null], [1000, 1, 5], [2000, 1, null], [3000, 1, 2], [4000, 1, 1])).toEqual([
      null,
      null,
      null,
      0,
    ]);
  });
});
