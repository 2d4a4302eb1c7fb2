import { describe, expect, it } from '@jest/globals';
import type { Access } from '../../../src/features/accesses/domain/access.js';
import { GatheredAccesses } from '../../../src/features/accesses/domain/gathered-accesses.js';

const by = (address: string, correlationId = 'c') => ({ actorId: null, client: 'test', correlationId, address });
const failed = (account: string): Access => ({
  type: 'LoginFailed',
  data: { userId: null, secret: 'password', reason: 'AUTHENTICATION_FAILED', words: { account } },
});

describe('accesses that are gathered', () => {
  const fail = (gathered: GatheredAccesses, account: string, at: number, address = 'a') =>
    gathered.add(failed(account), by(address, `c${at}`), { source: address, network: address, at });
  const taken = (gathered: GatheredAccesses, at: number, all = false) =>
    gathered.take(at, { all }).map(({ event, by: { address = null, correlationId } }) => {
      const { count, firstAt, lastAt } = event.data;
      const what = event.type === 'LoginFailed' ? event.data.words?.account : event.type;
      return { what, address, correlationId, times: [count, firstAt, lastAt] };
    });

  it('are due at once, and repeats at the end of their minute', () => {
    const gathered = new GatheredAccesses();
    for (const at of [1000, 1100]) fail(gathered, 'iris', at);
    expect(taken(gathered, 2000)).toEqual([
      { what: 'iris', address: 'a', correlationId: 'c1000', times: [2, 1000, 1100] },
    ]);
    for (const at of [3000, 4000, 5000]) fail(gathered, 'iris', at);
    expect(taken(gathered, 60_999)).toEqual([]);
    const repeats = { what: 'iris', address: 'a', correlationId: 'c1000' };
    expect(taken(gathered, 61_000)).toEqual([{ ...repeats, times: [3, 3000, 5000] }]);
    fail(gathered, 'iris', 62_000);
    expect(taken(gathered, 120_999)).toEqual([]);
    expect(taken(gathered, 121_000)).toEqual([{ ...repeats, times: [1, 62_000, 62_000] }]);
    expect(taken(gathered, 181_000)).toEqual([]);
    expect(gathered.isEmpty).toBe(true);
  });

  it('are apart by account and address', () => {
    const gathered = new GatheredAccesses();
    fail(gathered, 'iris', 1);
    fail(gathered, 'zoe', 2);
    fail(gathered, 'iris', 3, 'b');
    expect(taken(gathered, 4).map(({ what, address }) => `${what} ${address}`)).toEqual(['iris a', 'zoe a', 'iris b']);
  });

  it('are all taken when the server stops', () => {
    const gathered = new GatheredAccesses();
    fail(gathered, 'iris', 1);
    taken(gathered, 2);
    fail(gathered, 'iris', 3);
    expect(taken(gathered, 4, true)).toMatchObject([{ times: [1, 3, 3] }]);
    expect(taken(gathered, 5, true)).toEqual([]);
  });

  it('are taken if the clock was set back meanwhile', () => {
    const gathered = new GatheredAccesses();
    fail(gathered, 'iris', 10_000_000);
    taken(gathered, 10_000_000);
    fail(gathered, 'iris', 10_000_001);
    expect(taken(gathered, 1000)).toMatchObject([{ times: [1, 10_000_001, 10_000_001] }]);
  });
});
