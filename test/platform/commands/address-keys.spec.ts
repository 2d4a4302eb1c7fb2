import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { CommandRunner, type RunnerSettings } from '../../../src/platform/commands/command-runner.js';
import { AddressKeySweeper } from '../../../src/platform/commands/month-key-sweeper.js';
import type { ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { newContentKey } from '../../../src/platform/content-keys/seal.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { eventsIn, newSide, type Side } from '../../support/engines/sides.js';

const ADDRESS = '203.0.113.7';
const DAY_MS = 86_400_000;
const by = (actorId: number | null) => ({ actorId, client: 'test', correlationId: 'c', address: ADDRESS });
const deleted = { type: 'QueueDeleted', data: { queueId: 'q' } };

describe('addresses of requests', () => {
  let side: Side;
  let puts: string[];
  let keys: ContentKeys;
  let codec: EventCodec;

  beforeEach(async () => {
    side = await newSide();
    puts = [];
    const { contentKeys } = side;
    keys = {
      putIfAbsent: (id, key) => {
        puts.push(id);
        return contentKeys.putIfAbsent(id, key);
      },
      getMany: (ids) => contentKeys.getMany(ids),
      missing: (ids) => contentKeys.missing(ids),
      destroy: (ids) => contentKeys.destroy(ids),
      names: (prefix) => contentKeys.names(prefix),
      close: () => contentKeys.close(),
    };
    codec = new EventCodec(keys, eventRegistry);
  });
  afterEach(() => side.remove());

  const runner = (settings: RunnerSettings = {}) => new CommandRunner(side.eventStore, keys, codec, settings);
  const addresses = async () =>
    (await codec.decodeWithAddresses(await eventsIn(side))).map(({ metadata }) => metadata.address);

  it('are sealed under one key an account and month, which is looked up once', async () => {
    let now = Date.UTC(2026, 0, 31);
    const own = runner({ now: () => now });
    for (const actorId of [1, 1, null, 2, 1, null]) await own.report('eventQueues', deleted, by(actorId));
    now += DAY_MS;
    for (const actorId of [1, 1]) await own.report('eventQueues', deleted, by(actorId));
    const ids = ['address:1:2026-01', 'address:none:2026-01', 'address:2:2026-01', 'address:1:2026-02'];
    expect(puts).toEqual(ids);
    const stored = await eventsIn(side);
    expect(JSON.stringify(stored)).not.toContain(ADDRESS);
    const used = stored.map(({ metadata }) => ids.indexOf(metadata.address?.keyId ?? ''));
    expect(used).toEqual([0, 0, 1, 2, 0, 1, 3, 3]);
    expect(new Set(stored.map(({ metadata }) => metadata.address?.box)).size).toBe(8);
    expect(await addresses()).toEqual(Array.from({ length: 8 }, () => ADDRESS));
  });

  it('are sealed under the key that another process has stored', async () => {
    for (const own of [runner(), runner()]) await own.report('eventQueues', deleted, by(1));
    expect(new Set(puts).size).toBe(1);
    expect(await addresses()).toEqual([ADDRESS, ADDRESS]);
  });

  it('have a durable key before the event is appended, and another try after a failure', async () => {
    const own = runner();
    const { putIfAbsent } = keys;
    keys.putIfAbsent = () => Promise.reject(new Error('the disk is full'));
    await expect(own.report('eventQueues', deleted, by(1))).rejects.toThrow('the disk is full');
    expect(await eventsIn(side)).toEqual([]);
    keys.putIfAbsent = putIfAbsent;
    await own.report('eventQueues', deleted, by(1));
    expect(await addresses()).toEqual([ADDRESS]);
  });

  it('are not kept without a request, nor if the setting keeps none', async () => {
    await runner().report('eventQueues', deleted, { actorId: null, client: 'annals', correlationId: 'c' });
    await runner({ keepsAddresses: false }).report('eventQueues', deleted, by(1));
    expect(puts).toEqual([]);
    for (const { metadata } of await eventsIn(side)) expect(metadata).not.toHaveProperty('address');
  });

  describe('that are old', () => {
    const namesLeft = async () => {
      const names: string[] = [];
      for await (const batch of keys.names('address:')) names.push(...batch);
      return names.sort();
    };
    const sweeper = (days: number) => new AddressKeySweeper(keys, days * DAY_MS);
    const endOfJanuary = Date.UTC(2026, 1, 1);

    beforeEach(async () => {
      for (const month of [11, 12, 13]) {
        const own = runner({ now: () => Date.UTC(2025, month, 15) });
        for (const actorId of [1, null]) await own.report('eventQueues', deleted, by(actorId));
      }
      await keys.putIfAbsent('0198a3de-0000-7000-8000-000000000001', newContentKey());
    });

    it('cannot be read any more, once their month ended longer ago than the setting says', async () => {
      await sweeper(10).sweep(endOfJanuary + 10 * DAY_MS);
      expect(await addresses()).toEqual([null, null, ADDRESS, ADDRESS, ADDRESS, ADDRESS]);
      await sweeper(10).sweep(endOfJanuary + 10 * DAY_MS + 1);
      expect(await addresses()).toEqual([null, null, null, null, ADDRESS, ADDRESS]);
      expect(await namesLeft()).toEqual(['address:1:2026-02', 'address:none:2026-02']);
      expect((await keys.getMany(['0198a3de-0000-7000-8000-000000000001'])).size).toBe(1);
    });

    it('go when their month has ended, if none are kept any more', async () => {
      await sweeper(0).sweep(endOfJanuary - 1);
      expect(await namesLeft()).toHaveLength(4);
      await sweeper(0).sweep(Date.UTC(2026, 2, 1) + 1);
      expect(await namesLeft()).toEqual([]);
    });
  });
});
