import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { activityOf } from '../../../../web/features/audit/activity.js';

const at = (time: number) => ({ time: new Date(time).toISOString() });

describe('the activity of an audit', () => {
  it('has no bars without events, and one of a second for a single event', () => {
    expect(activityOf([])).toEqual([]);
    expect(activityOf([at(1_500)])).toEqual([{ from: 1_000, to: 2_000, count: 1 }]);
  });

  it('has bars of a width that people know, empty ones between others', () => {
    const minute = 60_000;
    expect(activityOf([at(0), at(5 * minute), at(5 * minute + 1)])).toEqual(
      [1, ...Array(29).fill(0), 2].map((count, n) => ({ from: n * 10_000, to: (n + 1) * 10_000, count })),
    );
  });

  it('counts each event once, in at most 48 bars', () => {
    const times = fc.array(fc.integer({ min: 0, max: 4_102_444_800_000 }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(times, (all) => {
        const bars = activityOf(all.map(at));
        expect(bars.length).toBeLessThanOrEqual(48);
        for (const { from, to, count } of bars)
          expect(all.filter((time) => time >= from && time < to)).toHaveLength(count);
        expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
      }),
    );
  });
});
