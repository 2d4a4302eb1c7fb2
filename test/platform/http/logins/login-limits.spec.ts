import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SqliteDocumentStore } from '../../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { type LoginLimitSettings, LoginLimits } from '../../../../src/platform/http/logins/login-limits.js';
import { SharedLimits } from '../../../../src/platform/http/logins/shared-limits.js';
import { DomainError } from '../../../../src/platform/kernel/deciding.js';

const HOUR_MS = 3_600_000;
const MANY = 1000;
const UNLIMITED: LoginLimitSettings = {
  pairInMinute: MANY,
  pairInHour: MANY,
  account: MANY,
  address: MANY,
  all: MANY,
  keys: MANY,
  allKeys: MANY,
};

describe('failed logins', () => {
  let folder: string;
  let store: SqliteDocumentStore;
  let now = 0;
  let opened: SharedLimits[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'annals-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  beforeEach(async () => {
    store = await SqliteDocumentStore.open(folder);
    now = Date.now();
    opened = [];
    for (const name of await store.databases()) await store.dropDatabase(name);
  });
  afterEach(() => store.close());

  /** The limits of one process: each has its own counts, and shares the documents. */
  const process = async (settings: Partial<LoginLimitSettings>) => {
    const shared = await SharedLimits.open(store, () => now);
    opened.push(shared);
    return LoginLimits.open(store, shared, { ...UNLIMITED, ...settings }, () => now);
  };
  const allStored = () => Promise.all(opened.map((limits) => limits.onApplicationShutdown()));
  const passes = async (attempt: Promise<unknown>): Promise<boolean> => {
    try {
      await attempt;
      return true;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'RATE_LIMIT_HIT') throw error;
      expect(error.data).toEqual({ 'retry-after': expect.any(Number) });
      return false;
    }
  };
  /** How many of so many attempts pass, one after the other, through the processes by turns. */
  const passed = async (
    processes: readonly LoginLimits[],
    times: number,
    of: (index: number) => { address: string; account: string },
  ): Promise<number> => {
    let count = 0;
    for (let index = 0; index < times; index += 1) {
      const limits = processes[index % processes.length] as LoginLimits;
      if (await passes(limits.takePassword(of(index)))) count += 1;
    }
    return count;
  };

  const oneAccount = (index: number) => ({
    address: `10.0.0.${index}`,
    account: index % 2 ? 'IAGO@x.org' : 'iago@x.org',
  });
  const oneAddress = (index: number) => ({ address: '10.0.0.1', account: `user${index}@x.org` });
  const allOver = (index: number) => ({ address: `10.0.0.${index}`, account: `user${index}@x.org` });

  it.each([
    ['many addresses guess at one account', { account: 4 }, oneAccount],
    ['one address guesses at many accounts', { address: 4 }, oneAddress],
    ['many addresses guess at many accounts', { all: 4 }, allOver],
    ['one address guesses at one account', { pairInHour: 4 }, () => oneAccount(0)],
  ] as const)('are limited over all processes if %s', async (_, settings, of) => {
    expect(await passed([await process(settings), await process(settings)], 9, of)).toBe(4);
  });

  it('never pass beyond the limit, whatever comes at the same moment through several processes', async () => {
    const processes = await Promise.all([1, 2, 3].map(() => process({ account: 6 })));
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        passes((processes[index % 3] as LoginLimits).takePassword(oneAccount(index))),
      ),
    );
    expect(answers.filter(Boolean).length).toBeLessThanOrEqual(6);
    expect(await passed(await Promise.all([process({ account: 6 })]), 9, oneAccount)).toBe(
      6 - answers.filter(Boolean).length,
    );
  });

  it('stay counted when the process starts again', async () => {
    expect(await passed([await process({ account: 3 })], 5, oneAccount)).toBe(3);
    await store.close();
    store = await SqliteDocumentStore.open(folder);
    expect(await passed([await process({ account: 3 })], 5, oneAccount)).toBe(0);
  });

  it('are counted without the attempts that are given back, and without refused ones', async () => {
    const [one, other] = [await process({ account: 2, all: 3 }), await process({ account: 2, all: 3 })];
    for (let times = 0; times < 5; times += 1) (await one.takePassword(oneAccount(times)))();
    expect(await passed([one], 5, oneAccount)).toBe(2);
    await allStored();
    expect(await passed([other], 3, (index) => allOver(index + 50))).toBe(1);
  });

  it('of strangers do not stop the owner at an address that was used lately, and has a limit of its own', async () => {
    const [one, other] = [await process({ account: 3, all: 4 }), await process({ account: 3, all: 4, pairInHour: 2 })];
    one.remember({ address: '192.0.2.7', account: 'iago@x.org' });
    await one.onApplicationShutdown();
    expect(await passed([one], 9, oneAccount)).toBe(3);
    expect(await passed([one], 9, allOver)).toBe(1);
    expect(await passed([other], 9, () => ({ address: '192.0.2.7', account: 'Iago@x.org' }))).toBe(2);
    expect(await passed([one], 1, () => ({ address: '192.0.2.7', account: 'othello@x.org' }))).toBe(0);
  });

  it('are forgotten when their hour has ended, and an address after sixty days', async () => {
    const limits = await process({ account: 3 });
    limits.remember({ address: '192.0.2.7', account: 'iago@x.org' });
    expect(await passed([limits], 9, oneAccount)).toBe(3);
    now += HOUR_MS;
    expect(await passed([limits], 9, oneAccount)).toBe(3);
    await limits.onApplicationShutdown();
    const atHome = () => ({ address: '192.0.2.7', account: 'iago@x.org' });
    expect(await passed([limits], 5, atHome)).toBe(5);
    now += 60 * 24 * HOUR_MS;
    expect(await passed([limits], 5, atHome)).toBe(3);
  });

  it('are limited by the process alone while the documents are away', async () => {
    const limits = await process({ account: 3 });
    await store.close();
    expect(await passed([limits], 9, oneAccount)).toBe(3);
  });

  it.each([
    ['by account', { keys: 3 }, oneAccount],
    ['by address', { keys: 3 }, oneAddress],
    ['in all', { allKeys: 3 }, allOver],
  ] as const)('with API keys are limited %s, over all processes', async (_, settings, of) => {
    const processes = [await process(settings), await process(settings)];
    const answers: boolean[] = [];
    for (let index = 0; index < 12; index += 1)
      answers.push(await passes((processes[index % 2] as LoginLimits).countWrongKey(of(index))));
    expect(answers.filter(Boolean)).toHaveLength(3);
  });
});
