import { describe, expect, it } from '@jest/globals';
import { ALL_ACCESSES, addressesOf, endOfMonth, monthKeyId } from '../../../src/platform/content-keys/month-key.js';

describe('the key of a month', () => {
  it('is named by its holder and the month in UTC', () => {
    const lastOfYear = Date.UTC(2026, 11, 31, 23, 59, 59, 999);
    expect(monthKeyId(addressesOf(17), lastOfYear)).toBe('address:17:2026-12');
    expect(monthKeyId(addressesOf(null), lastOfYear + 1)).toBe('address:none:2027-01');
    expect(monthKeyId(ALL_ACCESSES, lastOfYear)).toBe('access:2026-12');
  });

  it('tells by its name when the month ended', () => {
    expect(endOfMonth('address:17:2026-02')).toBe(Date.UTC(2026, 2, 1));
    expect(endOfMonth('address:none:2026-12')).toBe(Date.UTC(2027, 0, 1));
    expect(endOfMonth('access:2026-12')).toBe(Date.UTC(2027, 0, 1));
  });

  it.each([
    ['0198a3de-0000-7000-8000-000000000001'],
    ['address:17:soon'],
    ['x address:17:2026-02'],
    ['access:17:2026-02'],
    [''],
  ])('is not one named %j', (name) => expect(endOfMonth(name)).toBeNull());
});
