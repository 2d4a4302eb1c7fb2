import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Batch, EventFilter, StoredEvent } from '../../src/platform/log/event-store.js';
import { EventStoreDbEventStore } from '../../src/platform/log/eventstoredb/eventstoredb-event-store.js';
import { idsOf, newEvent, newEvents } from '../support/engines/event-store-events.js';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';

/** Rounds of appends, so many that a store reads only the last ones into memory when it is opened. */
const ROUNDS = 60;

describe('the part of the log on EventStoreDB that is not in memory', () => {
  let server: EventStoreDbServer;
  let written: StoredEvent[];
  const stores: EventStoreDbEventStore[] = [];

  async function opened(streamPrefix: string): Promise<EventStoreDbEventStore> {
    const store = await EventStoreDbEventStore.open({ url: server.url, streamPrefix });
    stores.push(store);
    return store;
  }

  beforeAll(async () => {
    server = await EventStoreDbServer.start();
    const [ours, others] = [await opened('ours-'), await opened('others-')];
    for (let round = 0; round < ROUNDS; round += 1) {
      await ours.append(`user-${round % 3}`, newEvents('Added', 49), 'any');
      await ours.append('users', [newEvent(round % 20 === 3 ? 'Rare' : 'Renamed')], 'any');
      await others.append('users', newEvents('Added', 30), 'any');
    }
    const all = await Promise.all(['user-0', 'user-1', 'user-2', 'users'].map((stream) => ours.readStream(stream)));
    written = all.flat().sort((a, b) => a.position - b.position);
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });
  afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())));
  afterAll(() => server.stop());

  const filters: [string, EventFilter | undefined, (event: StoredEvent) => boolean][] = [
    ['without a filter', undefined, () => true],
    ['by a rare type', { types: ['Rare'] }, ({ type }) => type === 'Rare'],
    ['by a type that is a prefix of another', { types: ['Ra', 'Renamed'] }, ({ type }) => type === 'Renamed'],
    ['by streams', { streamPrefixes: ['user-1', 'users'] }, ({ stream }) => stream === 'user-1' || stream === 'users'],
    ['by streams and types', { streamPrefixes: ['user'], types: ['Rare'] }, ({ type }) => type === 'Rare'],
    ['by a type that nothing has', { types: ['Unheard-of'] }, () => false],
    ['by an empty list of types', { types: [] }, () => false],
  ];

  it.each(filters)('is followed from its start %s', async (_, filter, wanted) => {
    const store = await opened('ours-');
    const stop = new AbortController();
    const batches: Batch[] = [];
    for await (const batch of store.subscribe({
      after: 0,
      batchSize: 200,
      signal: stop.signal,
      ...(filter ? { filter } : {}),
    })) {
      batches.push(batch);
      if (batch.caughtUp) stop.abort();
    }
    expect(batches.flatMap(({ events }) => events)).toEqual(written.filter(wanted));
    for (const { events, position } of batches) {
      expect(events.length).toBeLessThanOrEqual(200);
      expect(position).toBeGreaterThanOrEqual(events.at(-1)?.position ?? 0);
    }
    expect(batches.at(-1)?.position).toBe(await store.head());
  });

  it.each(filters)('is read in pages from its start %s', async (_, filter, wanted) => {
    const store = await opened('ours-');
    const events: StoredEvent[] = [];
    let page: Batch = { events: [], position: 0, caughtUp: false };
    while (!page.caughtUp) {
      page = await store.readAll({ after: page.position, limit: 170, ...(filter ? { filter } : {}) });
      expect(page.events.length).toBeLessThanOrEqual(170);
      events.push(...page.events);
    }
    expect(events).toEqual(written.filter(wanted));
    expect(page.position).toBe(await store.head());
  });

  it('is read in full pages, however many events of the same types other logs have in between', async () => {
    const [others, few] = [await opened('others-'), await opened('few-')];
    const { position: first } = await few.append('users', [newEvent('Added')], 'new');
    for (let round = 0; round < 10; round += 1) await others.append('between', newEvents('Added', 500), 'any');
    const { position: second } = await few.append('users', [newEvent('Added')], 'any');
    await few.close();

    const later = await opened('few-');
    const page = await later.readAll({ after: 0, limit: 3, filter: { types: ['Added'] } });
    expect(page.events.map(({ position }) => position)).toEqual([first, second]);
    expect(page.caughtUp).toBe(true);
  });

  it('can be resumed from the position of any batch', async () => {
    const store = await opened('ours-');
    const filter = { types: ['Renamed', 'Rare'] };
    const seen: string[] = [];
    for (let after = 0, isOver = false; !isOver; ) {
      for await (const batch of store.subscribe({
        after,
        filter,
        batchSize: 9,
        signal: new AbortController().signal,
      })) {
        seen.push(...idsOf(batch.events));
        ({ position: after, caughtUp: isOver } = batch);
        break;
      }
    }
    expect(seen).toEqual(idsOf(written.filter(({ type }) => type !== 'Added')));
  });

  it('leaves out events that another program wrote into its streams', async () => {
    const store = await opened('mixed-');
    await store.append('users', [newEvent('Added')], 'new');
    const client = EventStoreDBClient.connectionString(server.url);
    await client.appendToStream('mixed-users', jsonEvent({ type: 'Foreign', data: { by: 'hand' } }));
    await client.dispose();
    const { revision, position } = await store.append('users', [newEvent('Added')], 'any');
    expect(revision).toBe(2);
    expect((await store.readStream('users')).map((event) => event.revision)).toEqual([0, 2]);
    expect((await store.readAll({ after: 0, limit: 10 })).events.map(({ type }) => type)).toEqual(['Added', 'Added']);
    expect(await store.head()).toBe(position);
  });

  it('is delivered to a follower that fell far behind the others', async () => {
    const store = await opened('race-');
    const stop = new AbortController();
    // These are more bytes than a store keeps in memory.
    const events = newEvents('Added', 44).map((event) => ({ ...event, data: { text: 'x'.repeat(900_000) } }));
    const slow = store.subscribe({ after: 0, batchSize: 4, signal: stop.signal })[Symbol.asyncIterator]();
    const quick: string[] = [];
    const quickly = (async () => {
      for await (const batch of store.subscribe({ after: 0, signal: stop.signal })) {
        quick.push(...idsOf(batch.events));
        if (quick.length === events.length) return;
      }
    })();
    await slow.next();
    for (const event of events) await store.append('race', [event], 'any');
    await quickly;
    const seen: string[] = [];
    while (seen.length < events.length) seen.push(...idsOf((await slow.next()).value.events));
    stop.abort();
    expect(quick).toEqual(idsOf(events));
    expect(seen).toEqual(idsOf(events));
  });

  it('is followed by live events that are frozen', async () => {
    const store = await opened('frozen-');
    const following = store.subscribe({ after: 0, signal: new AbortController().signal })[Symbol.asyncIterator]();
    await following.next();
    await store.append('frozen', [newEvent('Added', { list: [{ name: 'a' }] })], 'new');
    const [event] = (await following.next()).value.events;
    expect(() => {
      event.data.list[0].name = 'b';
    }).toThrow(TypeError);
  });

  it('ends at its own head, even if other logs have got many events since', async () => {
    const [others, ours] = [await opened('others-'), await opened('ours-')];
    const head = written.at(-1)?.position;
    expect(await ours.head()).toBe(head);
    // These are more events than a store examines one by one.
    for (let round = 0; round < 17; round += 1) await others.append('loud', newEvents('Added', 500), 'any');
    expect(await ours.head()).toBe(head);
    await ours.close();

    const later = await opened('ours-');
    expect(await later.head()).toBe(head);
    const following = later
      .subscribe({ after: head ?? 0, signal: new AbortController().signal })
      [Symbol.asyncIterator]();
    expect((await following.next()).value).toEqual({ events: [], position: head, caughtUp: true });
    const { position } = await later.append('users', [newEvent('Renamed')], 'any');
    expect((await following.next()).value).toMatchObject({ events: [{ position }], position });
    expect(await later.head()).toBe(position);
  });
});
