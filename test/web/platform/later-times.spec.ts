import { describe, expect, it } from '@jest/globals';
import { choicesAt, fieldOf, secondsOf } from '../../../web/platform/later-times.js';

/** A Thursday, by the zone of the machine. */
const THURSDAY = new Date(2026, 0, 29, 23, 5);
const SUNDAY = new Date(2026, 1, 1, 8, 0);
const MONDAY = new Date(2026, 1, 2, 8, 0);

const offered = (now: Date) => Object.fromEntries(choicesAt(now).map(({ label, at }) => [label, fieldOf(at)]));

describe('times to come', () => {
  it('are offered across ends of days and months', () => {
    expect(offered(THURSDAY)).toEqual({
      'In an hour': '2026-01-30T00:05',
      'Tomorrow morning': '2026-01-30T09:00',
      'Monday morning': '2026-02-02T09:00',
    });
  });

  it('are offered once each', () => {
    expect(Object.keys(offered(SUNDAY))).toEqual(['In an hour', 'Tomorrow morning']);
    expect(offered(MONDAY)['Monday morning']).toBe('2026-02-09T09:00');
  });

  it('are the same in a field and for the API', () => {
    expect(secondsOf(fieldOf(THURSDAY))).toBe(THURSDAY.getTime() / 1000);
  });
});
