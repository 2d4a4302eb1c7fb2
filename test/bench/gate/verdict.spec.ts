import { describe, expect, it } from '@jest/globals';
import { judge } from '../../../bench/gate/verdict.js';

/** So many pairs of the one ratio, then of the other. */
const pairs = (some: number, ratio: number, others: number, other: number): number[] => [
  ...Array.from({ length: some }, () => ratio),
  ...Array.from({ length: others }, () => other),
];

describe("the gate's verdict", () => {
  it('is sure of a build that loses nearly all pairs', () => {
    expect(judge(pairs(15, 0.9, 0, 1))).toEqual({ ratio: 0.9, isBelow: true, isSure: true, slower: 15 });
    expect(judge(pairs(13, 0.8, 2, 1.3))).toEqual({ ratio: 0.8, isBelow: true, isSure: true, slower: 13 });
    expect(judge(pairs(7, 0.9, 0, 1))).toMatchObject({ isBelow: true, isSure: true });
  });

  it('is not sure of a median that noise has made low', () => {
    expect(judge(pairs(12, 0.8, 3, 1.3))).toEqual({ ratio: 0.8, isBelow: true, isSure: false, slower: 12 });
    expect(judge(pairs(6, 0.8, 1, 1.3))).toMatchObject({ isBelow: true, isSure: false });
  });

  it('allows what a feature may cost, and single rounds that were hit', () => {
    expect(judge(pairs(15, 0.96, 0, 1))).toMatchObject({ isBelow: false, slower: 15 });
    expect(judge(pairs(7, 0.1, 8, 1))).toMatchObject({ ratio: 1, isBelow: false });
  });

  it('stops an equal build in less than one of a hundred runs, however noisy the machine', () => {
    // All outcomes of fifteen pairs, each as probable as the others.
    let stopped = 0;
    for (let outcome = 0; outcome < 2 ** 15; outcome++) {
      const lost = outcome.toString(2).replaceAll('0', '').length;
      const { isBelow, isSure } = judge(pairs(lost, 0.5, 15 - lost, 2));
      if (isBelow && isSure) stopped++;
    }
    expect(stopped).toBe(121);
  });
});
