import { expect, it } from '@jest/globals';
import {
  BATCH_BYTES,
  type EventFilter,
  type EventStore,
  type EventText,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StoredEvent,
} from '../../src/platform/log/event-store.js';
import { canonicalEvent } from '../../src/platform/transparency/leaf.js';
import {
  appendLarge,
  bytesOf,
  idsOf,
  newEvent,
  newEvents,
  ownStreams,
  readPages,
} from '../support/engines/event-store-events.js';

const byPosition = (places: readonly number[], events: readonly StoredEvent[]): Map<number, StoredEvent> =>
  new Map(places.flatMap((n) => events.slice(n, n + 1)).map((event) => [event.position, event]));

export function reading(store: () => EventStore): void {
  const streamReads: [ReadStreamOptions, number[]][] = [
    [{}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [{ limit: 3 }, [0, 1, 2]],
    [{ from: 4, limit: 3 }, [4, 5, 6]],
    [{ from: 8, limit: 5 }, [8, 9]],
    [{ from: 10 }, []],
    [{ direction: 'backwards' }, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
    [{ direction: 'backwards', limit: 2 }, [9, 8]],
    [{ direction: 'backwards', from: 5, limit: 2 }, [5, 4]],
    [{ direction: 'backwards', from: 1, limit: 5 }, [1, 0]],
    [{ direction: 'backwards', from: 50, limit: 2 }, [9, 8]],
  ];
  it.each(streamReads)('reads a stream of ten with %j', async (options, revisions) => {
    const stream = ownStreams()('users');
    const events = newEvents('Added', 10);
    await store().append(stream, events, 'new');

    const read = await store().readStream(stream, options);

    expect(read.map(({ revision }) => revision)).toEqual(revisions);
    expect(idsOf(read)).toEqual(revisions.map((revision) => events[revision]?.id));
  });

  it('finds nothing in a stream that does not exist', async () => {
    const stream = ownStreams()('users');
    expect(await store().readStream(stream)).toEqual([]);
    expect(await store().readStream(stream, { direction: 'backwards', limit: 1 })).toEqual([]);
  });

  it('reads one stream, not those whose names begin alike', async () => {
    const named = ownStreams();
    for (const stream of ['user', 'user-1', 'user-11']) await store().append(named(stream), [newEvent(stream)], 'new');
    expect((await store().readStream(named('user-1'))).map(({ type }) => type)).toEqual(['user-1']);
  });

  it('reads all events in pages, each of which starts where the last one ended', async () => {
    const named = ownStreams();
    const start = await store().head();
    const events = newEvents('Added', 23);
    for (const [index, event] of events.entries()) await store().append(named(`s-${index % 3}`), [event], 'any');

    const seen: string[] = [];
    let page = await store().readAll({ after: start, limit: 5 });
    for (; page.events.length > 0; page = await store().readAll({ after: page.position, limit: 5 })) {
      expect(page.events.length).toBeLessThanOrEqual(5);
      expect(page.position).toBe(page.events.at(-1)?.position);
      seen.push(...idsOf(page.events));
    }
    expect(seen).toEqual(idsOf(events));
    expect(page.caughtUp).toBe(true);
  });

  it('reads events at positions, if the engine finds them so', async () => {
    const start = await store().head();
    const named = ownStreams();
    for (const [n, event] of newEvents('Added', 9).entries())
      await store().append(named(`place-${n % 2}`), [event], 'any');
    const { events } = await store().readAll({ after: start, limit: 9 });
    const wanted = [7, 0, 3].map((n) => events[n]?.position ?? 0);
    const absent = Number(events.at(-1)?.position) + 1000;
    const read = await store().readAt?.([...wanted, absent, 0]);
    if (read) expect(new Map(read.map((event) => [event.position, event]))).toEqual(byPosition([7, 0, 3], events));
    if (read) expect(await store().readAt?.([])).toEqual([]);
  });

  it('reads events as canonical JSON, if the engine keeps texts', async () => {
    const start = await store().head();
    const named = ownStreams();
    const data = { b: 1, a: { d: 'ü\n\u0001\ud800"', c: null }, '10': 1, '9': [] };
    for (const [n, event] of newEvents('Added', 150).entries())
      await store().append(named(`s"ä-${n % 2}`), [{ ...event, data: { ...data, n } }], 'any');
    const { events } = await store().readAll({ after: start, limit: 150 });
    const read: EventText[] = [];
    for (let after = start; store().readTexts && read.length < 150; after = read.at(-1)?.position ?? after) {
      const page = (await store().readTexts?.({ after, limit: 150 - read.length })) ?? [];
      expect(page.length).toBeGreaterThan(0);
      read.push(...page);
    }
    const all = events.map((event) => ({ position: event.position, text: canonicalEvent(event) }));
    if (store().readTexts) {
      expect(read).toEqual(all);
      expect(await store().readTexts?.({ after: start, limit: 2 })).toEqual(all.slice(0, 2));
      expect(await store().readTexts?.({ after: read.at(-1)?.position ?? 0, limit: 2 })).toEqual([]);
    }
  });

  it.each([
    ['all events', () => ({})],
    ['one type', () => ({ filter: { types: ['Grown'] } })],
    ['a part of a family', (prefix: string) => ({ filter: { streamPrefixes: [prefix] } })],
  ])('ends a page of %s when it is large', async (_, filterOf) => {
    const prefix = `${ownStreams()('value')}-1`;
    const start = await store().head();
    const events = await appendLarge(store(), prefix);

    const seen: string[] = [];
    const sizes: number[] = [];
    for (let position = start, caughtUp = false; !caughtUp; ) {
      const page = await store().readAll({ after: position, limit: 5000, ...filterOf(prefix) });
      sizes.push(bytesOf(page.events));
      seen.push(...idsOf(page.events));
      ({ position, caughtUp } = page);
    }

    expect(seen).toEqual(idsOf(events));
    expect(Math.max(...sizes)).toBeLessThan(BATCH_BYTES * 1.5);
    expect(await store().head()).toBeGreaterThan(start);
  });

  it('reports that it has caught up only with the last page', async () => {
    const stream = ownStreams()('users');
    const start = await store().head();
    const { position } = await store().append(stream, newEvents('Added', 4), 'new');

    expect(await store().readAll({ after: start, limit: 3 })).toMatchObject({ caughtUp: false });
    expect(await store().readAll({ after: start, limit: 100 })).toMatchObject({ caughtUp: true, position });
    expect(await store().readAll({ after: position, limit: 3 })).toEqual({ events: [], position, caughtUp: true });
  });

  const filters: [string, (name: (stream: string) => string) => EventFilter, number[]][] = [
    ['one type', () => ({ types: ['Renamed'] }), [1, 4, 6]],
    ['several types', () => ({ types: ['Renamed', 'Removed', 'Unheard-of'] }), [1, 3, 4, 6]],
    ['a type that nothing has', () => ({ types: ['Unheard-of'] }), []],
    ['no type', () => ({ types: [] }), []],
    ['a whole stream', (name) => ({ streamPrefixes: [name('users')] }), [0, 1, 7]],
    ['a family of streams', (name) => ({ streamPrefixes: [name('user-')] }), [2, 3, 4, 5]],
    ['the beginning of a name', (name) => ({ streamPrefixes: [name('user')] }), [0, 1, 2, 3, 4, 5, 7]],
    ['the beginning of a number', (name) => ({ streamPrefixes: [name('user-1')] }), [2, 4, 5]],
    ['one stream and a family', (name) => ({ streamPrefixes: [name('user-2'), name('channel-')] }), [3, 6]],
    ['a type in a family', (name) => ({ streamPrefixes: [name('user-')], types: ['Renamed'] }), [4]],
    ['a prefix that nothing has', (name) => ({ streamPrefixes: [name('nobody')] }), []],
  ];
  const scattered = [
    ['users', 'Added'],
    ['users', 'Renamed'],
    ['user-1', 'Added'],
    ['user-2', 'Removed'],
    ['user-1', 'Renamed'],
    ['user-12', 'Added'],
    ['channel-1', 'Renamed'],
    ['users', 'Added'],
  ] as const;
  it.each(filters)('filters all events by %s', async (_, filterOf, expected) => {
    const named = ownStreams();
    const start = await store().head();
    const events = scattered.map(([, type]) => newEvent(type));
    for (const [index, [stream]] of scattered.entries()) {
      const event = events[index];
      if (event) await store().append(named(stream), [event], 'any');
    }
    const filter = filterOf(named);

    const seen: string[] = [];
    let page = await store().readAll({ after: start, limit: 2, filter });
    for (; ; page = await store().readAll({ after: page.position, limit: 2, filter })) {
      seen.push(...idsOf(page.events));
      if (page.caughtUp) break;
    }

    expect(seen).toEqual(expected.map((index) => events[index]?.id));
    // This holds even if the filter left out the last events.
    expect(page.position).toBe(await store().head());
  });

  it('reads a growing log in pages without gap or repeat', async () => {
    const named = ownStreams();
    const start = await store().head();
    const events = newEvents('Added', 60);
    const appends = events.map((event, index) => store().append(named(`s-${index % 4}`), [event], 'any'));
    const during = await readPages(store(), start, 7, named('s-'));
    await Promise.all(appends);
    const after = await readPages(store(), during.at(-1)?.position ?? start, 7, named('s-'));
    expect(idsOf([...during, ...after]).sort()).toEqual(idsOf(events).sort());
  });

  const badReads: ReadAllOptions[] = [
    { after: -1, limit: 1 },
    { after: 0.5, limit: 1 },
    { after: 0, limit: 0 },
    { after: 0, limit: Number.NaN },
  ];
  it.each(badReads)('refuses to read all events with %j', async (options) => {
    await expect(store().readAll(options)).rejects.toThrow(TypeError);
  });

  it.each([{ from: -1 }, { from: 1.5 }, { limit: 0 }, { limit: -1 }])(
    'refuses to read a stream with %j',
    async (options) => {
      await expect(store().readStream(ownStreams()('users'), options)).rejects.toThrow(TypeError);
    },
  );
}
