import { expect, it } from '@jest/globals';
import {
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  RevisionConflict,
} from '../../src/platform/log/event-store.js';
import { idsOf, newEvent, newEvents, ownStreams } from '../support/engines/event-store-events.js';

export function appending(store: () => EventStore): void {
  it('numbers a stream from 0 without gaps, and returns revision and position of the last event', async () => {
    const stream = ownStreams()('users');
    const first = await store().append(stream, newEvents('Added', 2), 'any');
    const second = await store().append(stream, newEvents('Added', 3), 'any');

    expect([first.revision, second.revision]).toEqual([1, 4]);
    const events = await store().readStream(stream);
    expect(events.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4]);
    expect(events[1]?.position).toBe(first.position);
    expect(events[4]?.position).toBe(second.position);
  });

  it('returns each event as it was appended', async () => {
    const stream = ownStreams()('users');
    const data = {
      text: 'ž\u0000\u2028"\\ 🜁 \ud800',
      numbers: [0, -1.5, 1e300, 2 ** 53],
      nested: { none: null, yes: true },
    };
    const event: NewEvent = { ...newEvent('Added', data), version: 3 };
    const { position } = await store().append(stream, [event], 'new');

    expect(await store().readStream(stream)).toEqual([{ ...event, stream, revision: 0, position }]);
  });

  it('stores data of up to a megabyte, and refuses more', async () => {
    const stream = ownStreams()('users');
    const big = newEvent('Added', { text: 'x'.repeat(900_000) });
    await store().append(stream, [big], 'new');
    expect((await store().readStream(stream))[0]?.data).toEqual(big.data);

    const tooBig = newEvent('Added', { text: 'ž'.repeat(600_000) });
    await expect(store().append(stream, [tooBig], 'any')).rejects.toThrow(TypeError);
  });

  it('orders positions like the appends', async () => {
    const named = ownStreams();
    const positions: number[] = [await store().head()];
    for (const stream of ['a', 'b', 'a', 'c-1', 'b']) {
      positions.push((await store().append(named(stream), [newEvent('Added')], 'any')).position);
    }
    expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    expect(await store().head()).toBe(positions.at(-1));
    expect([null, positions.at(-1)]).toContain(store().knownHead);
  });

  it('appends in the order of the calls, even if they do not wait for each other', async () => {
    const stream = ownStreams()('users');
    const events = newEvents('Added', 50);
    await Promise.all(events.map((event, index) => store().append(stream, [event], index === 0 ? 'new' : index - 1)));
    expect(idsOf(await store().readStream(stream))).toEqual(idsOf(events));
  });

  const conflicts: { expected: ExpectedRevision; events: number; actual: number | null }[] = [
    { expected: 'new', events: 1, actual: 0 },
    { expected: 'new', events: 3, actual: 2 },
    { expected: 0, events: 3, actual: 2 },
    { expected: 3, events: 3, actual: 2 },
    { expected: 0, events: 0, actual: null },
  ];
  it.each(conflicts)('fails with a conflict if $expected is expected of a stream with $events events', async (row) => {
    const stream = ownStreams()('users');
    if (row.events > 0) await store().append(stream, newEvents('Added', row.events), 'new');

    const failure = await store()
      .append(stream, newEvents('Added', 2), row.expected)
      .catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(RevisionConflict);
    expect(failure).toMatchObject({ stream, expected: row.expected, actual: row.actual });
    expect(await store().readStream(stream)).toHaveLength(row.events);
  });

  it('lets exactly one of several concurrent appends have a revision', async () => {
    const stream = ownStreams()('users');
    await store().append(stream, [newEvent('Added')], 'new');
    const rivals = newEvents('Renamed', 16);

    const outcomes = await Promise.allSettled(rivals.map((event) => store().append(stream, [event], 0)));

    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(lost).toHaveLength(15);
    for (const reason of lost) {
      expect(reason).toBeInstanceOf(RevisionConflict);
      expect(reason).toMatchObject({ expected: 0, actual: 1 });
    }
    const winner = rivals[outcomes.findIndex(({ status }) => status === 'fulfilled')];
    expect((await store().readStream(stream))[1]?.id).toBe(winner?.id);
  });

  it('lets exactly one of several concurrent appends create a stream', async () => {
    const stream = ownStreams()('users');
    const outcomes = await Promise.allSettled(
      newEvents('Added', 8).map((event) => store().append(stream, [event], 'new')),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await store().readStream(stream)).toHaveLength(1);
  });

  it('gives each of many concurrent appends its own revision and position', async () => {
    const named = ownStreams();
    const appends = Array.from({ length: 200 }, (_, index) => ({
      stream: named(`s-${index % 5}`),
      events: newEvents('Added', 1 + (index % 3)),
    }));
    const results = await Promise.all(appends.map(({ stream, events }) => store().append(stream, events, 'any')));

    expect(new Set(results.map(({ position }) => position)).size).toBe(200);
    for (const [index, { stream, events }] of appends.entries()) {
      const from = (results[index]?.revision ?? 0) - events.length + 1;
      expect(idsOf(await store().readStream(stream, { from, limit: events.length }))).toEqual(idsOf(events));
    }
    const stored = await Promise.all([0, 1, 2, 3, 4].map((index) => store().readStream(named(`s-${index}`))));
    expect(stored.flat()).toHaveLength(appends.flatMap(({ events }) => events).length);
    for (const events of stored) expect(events.map(({ revision }) => revision)).toEqual([...events.keys()]);
  });

  const circular: Record<string, unknown> = {};
  circular.itself = circular;
  const badEvents: [string, unknown[]][] = [
    ['no event', []],
    ['an id that is no UUID', [newEvent('Added', {}, 'one')]],
    ['the same id twice', [newEvent('Added', {}, SAME), newEvent('Added', {}, SAME)]],
    ['no type', [newEvent('')]],
    ['version 0', [{ ...newEvent('Added'), version: 0 }]],
    ['NaN', [{ ...newEvent('Added'), data: { value: Number.NaN } }]],
    ['a bigint', [{ ...newEvent('Added'), data: { value: 1n } }]],
    ['a date', [{ ...newEvent('Added'), data: { list: [new Date(0)] } }]],
    ['a function', [{ ...newEvent('Added'), data: { call: () => 1 } }]],
    ['a list with a hole', [{ ...newEvent('Added'), data: { list: [undefined] } }]],
    ['a circle', [{ ...newEvent('Added'), data: circular }]],
    ['data that are a list', [{ ...newEvent('Added'), data: [] }]],
  ];
  it.each(badEvents)('refuses %s, even if the other events are valid', async (_, bad) => {
    const stream = ownStreams()('users');
    const events = (bad.length === 0 ? [] : [newEvent('Added'), ...bad]) as NewEvent[];
    await expect(store().append(stream, events, 'any')).rejects.toThrow(TypeError);
    expect(await store().readStream(stream)).toEqual([]);
  });

  it.each([-1, 0.5, Number.NaN, 'latest'])('refuses the expected revision %s', async (expected) => {
    const append = store().append(ownStreams()('users'), [newEvent('Added')], expected as ExpectedRevision);
    await expect(append).rejects.toThrow(TypeError);
  });

  it.each(['', 'a\nb', 'x'.repeat(300)])('refuses the stream name %j', async (stream) => {
    await expect(store().append(stream, [newEvent('Added')], 'any')).rejects.toThrow(TypeError);
  });
}

const SAME = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
