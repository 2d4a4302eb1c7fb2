import { expect, it } from '@jest/globals';
import { namedTime } from '../../../src/platform/kernel/named-time.js';

const DAY = Date.UTC(2026, 0, 31);
const EVENING = Date.UTC(2026, 0, 31, 18, 30);

it.each([
  ['2026-01-31', DAY, DAY + 86_399_999],
  ['2026-01-31T18:30', EVENING, EVENING + 59_999],
  ['2026-01-31 18:30:00', EVENING, EVENING + 999],
  ['2026-01-31T20:30:00+02:00', EVENING, EVENING + 999],
  ['2026-01-31T18:30:00.25Z', EVENING + 250, EVENING + 250],
  ['2026-01-31T18:30:00.1239999Z', EVENING + 123, EVENING + 123],
  [String(EVENING / 1000), EVENING, EVENING + 999],
  ['0', 0, 999],
])('%s lasts from its first millisecond to its last', (text, from, to) => {
  expect(namedTime(text)).toEqual({ from, to });
});

it.each([
  '',
  'yesterday',
  '2026',
  '2026-02-31',
  '2026-13-01',
  '2026-01-31T25:00',
  '2026-01-31T18',
  '2026-01-31T18:30:00 02:00',
  '1969-12-31',
  '-1',
  '1.5',
  '1767225600000',
])('%p names no time', (text) => {
  expect(namedTime(text)).toBeNull();
});
