import { expect, it } from '@jest/globals';
import { MOST_A_MINUTE, toldInMinute } from '../../../src/features/accesses/services/known-addresses.js';

const MINUTE_MS = 60_000;

it('new addresses of all keys are told up to a limit, and again in the next minute', () => {
  const told = toldInMinute();
  const begin = 1_700_000_000_000;
  for (let n = 0; n < MOST_A_MINUTE; n++) {
    expect(told.isFull(begin + n)).toBe(false);
    told.add(begin + n);
  }
  expect(told.isFull(begin + MOST_A_MINUTE)).toBe(true);
  expect(told.isFull(begin + MINUTE_MS - 1)).toBe(true);
  expect(told.isFull(begin + MINUTE_MS)).toBe(false);
  // A clock that is put back does not hold it up for ever.
  expect(told.isFull(begin - 1)).toBe(false);
});
