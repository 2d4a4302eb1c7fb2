import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RevisionConflict } from '../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../src/platform/log/sqlite/sqlite-event-store.js';
import { temporaryDirectory } from '../support/engines/event-store-directory.js';
import { idsOf, newEvent, newEvents } from '../support/engines/event-store-events.js';
import { expectRepeat } from './event-store-repeating.contract.js';

describe('the log on SQLite', () => {
  const directory = temporaryDirectory();
  let store: SqliteEventStore;
  beforeAll(async () => {
    store = await SqliteEventStore.open(directory.path);
  });
  afterAll(() => store.close().finally(directory.remove));

  it('numbers positions from 1 without gaps, even after failed appends', async () => {
    await store.append('users', newEvents('Added', 2), 'new');
    await expect(store.append('users', newEvents('Added', 2), 'new')).rejects.toThrow(RevisionConflict);
    await store.append('channels', [newEvent('Created')], 'new');
    const { events } = await store.readAll({ after: 0, limit: 10 });
    expect(events.map(({ position }) => position)).toEqual([1, 2, 3]);
  });

  it('knows ids for ever, whichever revision the repeat expects', async () => {
    const events = newEvents('Added', 3);
    const first = await store.append('long', events, 'new');
    const [, second] = events;
    await Promise.all(newEvents('Added', 2000).map((event) => store.append('long', [event], 'any')));

    for (const expected of ['any', 'new', 0, 2, 2002, 99_999] as const) {
      expectRepeat(await store.append('long', events, expected), first);
    }
    if (second) expect(await store.append('long', [second], 'any')).toMatchObject({ revision: 1 });
    expect(await store.readStream('long')).toHaveLength(2003);
  });

  it('fails with a conflict if only some ids are repeated, or ids in another order', async () => {
    const [a, b, c] = newEvents('Added', 3);
    const d = newEvent('Added');
    if (!a || !b || !c) throw new Error('three were made');
    await store.append('some', [a, b, c], 'new');
    for (const events of [
      [a, d],
      [d, a],
      [a, c],
      [b, a],
      [c, d],
      [a, b, c, d],
    ]) {
      for (const expected of ['any', 2] as const) {
        await expect(store.append('some', events, expected)).rejects.toMatchObject({
          stream: 'some',
          expected,
          actual: 2,
        });
      }
    }
    expect(idsOf(await store.readStream('some'))).toEqual(idsOf([a, b, c]));
  });

  it('returns the same result for the same append several times in one commit', async () => {
    const event = newEvent('Added');
    const results = await Promise.all(Array.from({ length: 5 }, () => store.append('twice', [event], 'new')));
    expect(new Set(results.map(({ revision, position }) => `${revision} ${position}`)).size).toBe(1);
    expect(results.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
  });

  it('finds events of more types than one statement can merge', async () => {
    const types = Array.from({ length: 450 }, (_, index) => `Type${index}`);
    const events = types.map((type) => newEvent(type));
    const start = await store.head();
    await store.append('many', events, 'new');
    await store.append('few', [newEvent('Other')], 'new');
    const found: string[] = [];
    for (let after = start, caughtUp = false; !caughtUp; ) {
      const page = await store.readAll({ after, limit: 100, filter: { types } });
      found.push(...idsOf(page.events));
      ({ position: after, caughtUp } = page);
    }
    expect(found).toEqual(idsOf(events));
  });

  it('delivers every event to a follower that fell far behind the others', async () => {
    const start = await store.head();
    const stop = new AbortController();
    const events = Array.from({ length: 12 }, () => newEvents('Added', 1000)).flat();
    const slow = store.subscribe({ after: start, batchSize: 60, signal: stop.signal })[Symbol.asyncIterator]();
    const quick: string[] = [];
    const quickly = (async () => {
      for await (const batch of store.subscribe({ after: start, signal: stop.signal })) {
        quick.push(...idsOf(batch.events));
        if (quick.length === events.length) return;
      }
    })();
    await slow.next();
    for (let index = 0; index < events.length; index += 1000) {
      await store.append('race', events.slice(index, index + 1000), 'any');
    }
    await quickly;
    const seen: string[] = [];
    while (seen.length < events.length) seen.push(...idsOf((await slow.next()).value.events));
    stop.abort();

    expect(quick).toEqual(idsOf(events));
    expect(seen).toEqual(idsOf(events));
  });

  it('delivers the same frozen live event to all followers', async () => {
    const start = await store.head();
    const stop = new AbortController();
    const one = store.subscribe({ after: start, signal: stop.signal })[Symbol.asyncIterator]();
    await one.next();
    const next = one.next();
    await store.append('frozen', [newEvent('Added', { list: [{ name: 'a' }] })], 'new');
    const [event] = (await next).value.events;
    expect(() => {
      event.data.list[0].name = 'b';
    }).toThrow(TypeError);
    stop.abort();
  });

  it('finds one stream of a large family, and a rare type, after many other events', async () => {
    const start = await store.head();
    for (let group = 0; group < 25; group += 1) await store.append('family-1', newEvents('Common', 1000), 'any');
    const rare = newEvent('Rare');
    await store.append('family-2', [rare], 'new');

    const byType = await store.readAll({ after: start, limit: 10, filter: { types: ['Rare'] } });
    expect(idsOf(byType.events)).toEqual([rare.id]);
    // The index holds families of streams. So a read examines a bounded number of events of the family at once.
    const filter = { streamPrefixes: ['family-2'] };
    const first = await store.readAll({ after: start, limit: 10, filter });
    expect(first).toMatchObject({ events: [], caughtUp: false });
    expect(first.position).toBeGreaterThan(start);
    const second = await store.readAll({ after: first.position, limit: 10, filter });
    expect(idsOf(second.events)).toEqual([rare.id]);
    expect(second.caughtUp).toBe(true);
  });
});
