import { randomUUID } from 'node:crypto';
import {
  type AllStreamSubscription,
  type EventStoreDBClient,
  eventTypeFilter,
  excludeSystemEvents,
  type Position,
  type StreamSubscription,
  streamNameFilter,
} from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';
import { eventually } from '../support/eventually.js';
import { connect, event, events, readAll } from './client.js';

describe('EventStoreDB’s stand-in, subscribing', () => {
  let server: EventStoreDbServer;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    server = await EventStoreDbServer.start({ systemEventEvery: 10 });
    client = connect(server.url);
  });
  afterAll(async () => {
    await client.dispose();
    await server.stop();
  });

  /** Collects what a subscription receives: `stream@revision` and `caught up`, and the failure that ends it. */
  function watching(subscription: AllStreamSubscription | StreamSubscription) {
    const told: string[] = [];
    const ended: { error?: unknown } = {};
    subscription.on('caughtUp', () => told.push('caught up'));
    subscription.on('data', ({ event: read }) => told.push(`${read?.streamId}@${read?.revision}`));
    subscription.on('error', (error: unknown) => {
      ended.error = error;
    });
    return { told, ended, end: () => subscription.unsubscribe() };
  }

  const prefixed = (...prefixes: string[]) => streamNameFilter({ prefixes });

  describe('a subscription to a stream', () => {
    it.each([
      ['from the start', undefined, [0, 1, 2]],
      ['after a revision', 0n, [1, 2]],
      ['from the end', 'end' as const, []],
    ])('begins %s, reports that it has caught up, and goes on', async (_, fromRevision, behind) => {
      const stream = randomUUID();
      await client.appendToStream(stream, events(3));
      const { told, end } = watching(client.subscribeToStream(stream, { fromRevision }));
      const expected = [...behind.map((revision) => `${stream}@${revision}`), 'caught up'];
      await eventually(() => expect(told).toEqual(expected));
      await client.appendToStream(stream, event());
      await eventually(() => expect(told).toEqual([...expected, `${stream}@3`]));
      await end();
    });

    it('waits for the first revision after its start', async () => {
      const stream = randomUUID();
      await client.appendToStream(stream, events(3));
      const { told, end } = watching(client.subscribeToStream(stream, { fromRevision: 4n }));
      await eventually(() => expect(told).toEqual(['caught up']));
      await client.appendToStream(stream, events(4));
      await eventually(() => expect(told).toEqual(['caught up', `${stream}@5`, `${stream}@6`]));
      await end();
    });

    it('does not report that it has caught up before the stream exists', async () => {
      const stream = randomUUID();
      const { told, end } = watching(client.subscribeToStream(stream));
      const present = randomUUID();
      const other = watching(client.subscribeToStream(present));
      await client.appendToStream(present, event());
      await eventually(() => expect(other.told).toContain(`${present}@0`));
      expect(told).toEqual([]);
      await client.appendToStream(stream, event());
      await eventually(() => expect(told).toEqual([`${stream}@0`, 'caught up']));
      await Promise.all([end(), other.end()]);
    });
  });

  describe('a subscription to $all', () => {
    it('starts after a position, and includes the events of the server', async () => {
      const stream = randomUUID();
      const { position } = await client.appendToStream(stream, event());
      await client.appendToStream(stream, events(10));
      const { told, end } = watching(client.subscribeToAll({ fromPosition: position as Position }));
      await eventually(() => expect(told).toContain('caught up'));
      expect(told.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, index) => `${stream}@${index + 1}`));
      expect(told[10]).toMatch(/^\$stats/);
      await end();
    });

    it('fails at a position inside a record', async () => {
      const { position } = await client.appendToStream(randomUUID(), event());
      const commit = (position as Position).commit - 1n;
      const { ended } = watching(client.subscribeToAll({ fromPosition: { commit, prepare: commit } }));
      await eventually(() => expect(ended.error).toMatchObject({ type: 'unknown' }));
    });

    it('leaves out one event too many if the event at its position was scavenged', async () => {
      const [gone, stays] = [randomUUID(), randomUUID()];
      const { position } = await client.appendToStream(gone, event());
      const fromPosition = position as Position;
      for (const stream of [stays, stays, gone]) await client.appendToStream(stream, event());
      await client.setStreamMetadata(gone, { truncateBefore: 1 });
      const there = async () =>
        (await readAll(client, { fromPosition })).map(({ streamId, revision }) => `${streamId}@${revision}`);
      const followed = async () => {
        const { told, end } = watching(client.subscribeToAll({ fromPosition }));
        await eventually(() => expect(told).toContain('caught up'));
        await end();
        return told.slice(0, told.indexOf('caught up'));
      };
      const all = await there();
      expect(all[0]).toBe(`${gone}@0`);
      expect(await followed()).toEqual(all.slice(1));
      await server.scavenge();
      expect(await there()).toEqual(all.slice(1));
      expect(await followed()).toEqual(all.slice(2));
    });

    it.each([
      ['stream prefixes', (mark: string) => prefixed(`${mark}-a`, `${mark}-b`), ['a@0', 'b@0', 'a@1', 'b@1']],
      [
        'a pattern of streams',
        (mark: string) => streamNameFilter({ regex: `^${mark}-[bc]$` }),
        ['b@0', 'c@0', 'b@1', 'c@1'],
      ],
      ['type prefixes', (mark: string) => eventTypeFilter({ prefixes: [`${mark}x`] }), ['a@1', 'b@1', 'c@1']],
      ['a pattern of types', (mark: string) => eventTypeFilter({ regex: `^${mark}y$` }), ['a@0', 'b@0', 'c@0']],
    ])('filters by %s, while it catches up and while it is live', async (_, filter, expected) => {
      const mark = randomUUID();
      const write = async (type: string) => {
        for (const name of ['a', 'b', 'c']) {
          await client.appendToStream(`${mark}-${name}`, event(undefined, '', `${mark}${type}`));
        }
      };
      await write('y');
      const { told, end } = watching(client.subscribeToAll({ filter: filter(mark) }));
      await eventually(() => expect(told).toContain('caught up'));
      await write('x');
      await eventually(() =>
        expect(told.filter((one) => one !== 'caught up')).toEqual(expected.map((name) => `${mark}-${name}`)),
      );
      await end();
    });

    it('can leave out the events of the server', async () => {
      const { told, end } = watching(client.subscribeToAll({ filter: excludeSystemEvents() }));
      await eventually(() => expect(told).toContain('caught up'));
      expect(told.length).toBeGreaterThan(10);
      expect(told.filter((one) => one.startsWith('$'))).toEqual([]);
      await end();
    });

    it.each([
      ['32 events considered', {}, 32],
      ['window of 10 events times the interval of 4', { maxSearchWindow: 10, checkpointInterval: 4 }, 40],
    ])('has a checkpoint every %s, from which another subscription resumes', async (_, options, every) => {
      const checkpoints: bigint[] = [];
      const stream = `wanted-${randomUUID()}`;
      await client.appendToStream(randomUUID(), events(100));
      const filter = streamNameFilter({
        prefixes: [stream],
        ...options,
        checkpointReached: async (_subscription, { commit }) => {
          checkpoints.push(commit);
        },
      });
      const { told, end } = watching(client.subscribeToAll({ filter }));
      await eventually(() => expect(told).toEqual(['caught up']));
      await client.appendToStream(stream, event());
      await eventually(() => expect(told).toEqual(['caught up', `${stream}@0`]));
      const all = (await readAll(client)).map(({ position }) => position?.commit);
      const due = all.filter((_commit, index) => (index + 1) % every === 0);
      await eventually(() => expect(checkpoints).toEqual(due));
      await end();

      const commit = checkpoints.at(-1) as bigint;
      const fromPosition = { commit, prepare: commit };
      const resumed = watching(client.subscribeToAll({ fromPosition, filter: prefixed(stream) }));
      await eventually(() => expect(resumed.told).toEqual([`${stream}@0`, 'caught up']));
      await resumed.end();
    });
  });

  describe('a live subscription', () => {
    it('is dropped on a burst of events, and receives each event once when it is resumed', async () => {
      const mark = randomUUID();
      const first = watching(client.subscribeToAll({ filter: prefixed(mark) }));
      await eventually(() => expect(first.told).toEqual(['caught up']));
      await client.appendToStream(mark, events(96));
      await eventually(() => expect(first.ended.error).toMatchObject({ type: 'timeout', code: 10 }));
      expect(String(first.ended.error)).toContain('Consumer too slow');

      const got = first.told.length - 1;
      const fromRevision = got === 0 ? ('start' as const) : BigInt(got - 1);
      const resumed = watching(client.subscribeToStream(mark, { fromRevision }));
      await eventually(() => expect(resumed.told.at(-1)).toBe('caught up'));
      const seen = [...first.told, ...resumed.told].filter((one) => one !== 'caught up');
      expect(seen).toEqual(Array.from({ length: 96 }, (_, revision) => `${mark}@${revision}`));
      await resumed.end();
    });

    it('keeps up with many single events if its consumer reads them at once', async () => {
      const mark = randomUUID();
      const { told, ended, end } = watching(client.subscribeToAll({ filter: prefixed(mark) }));
      await eventually(() => expect(told).toEqual(['caught up']));
      await Promise.all(events(100).map((one) => client.appendToStream(mark, one)));
      await eventually(() => expect(told).toHaveLength(101));
      expect(ended.error).toBeUndefined();
      await end();
    });

    it('is dropped for a slow consumer only when it is live, not while it catches up', async () => {
      const mark = randomUUID();
      const large = () => event(undefined, 'x'.repeat(50_000));
      for (let count = 0; count < 6; count++) await client.appendToStream(mark, Array.from({ length: 10 }, large));
      const subscription = client.subscribeToStream(mark);
      const slowly = watching(subscription);
      subscription.pause();
      await client.appendToStream(mark, Array.from({ length: 10 }, large));
      subscription.resume();
      await eventually(() => expect(slowly.told.at(-1)).toBe('caught up'));
      expect(slowly.told).toHaveLength(71);

      subscription.pause();
      // More than the buffers of two sockets hold on any machine.
      const batch = () => Array.from({ length: 10 }, large);
      for (let count = 0; count < 80; count++) await client.appendToStream(mark, batch());
      subscription.resume();
      await eventually(() => expect(slowly.ended.error).toMatchObject({ type: 'timeout', code: 10 }));
    });
  });
});
