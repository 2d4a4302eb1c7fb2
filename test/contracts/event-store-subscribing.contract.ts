import { expect, it } from '@jest/globals';
import {
  BATCH_BYTES,
  type Batch,
  type EventFilter,
  type EventStore,
  type NewEvent,
  type StoredEvent,
} from '../../src/platform/log/event-store.js';
import {
  appendLarge,
  bytesOf,
  idsOf,
  newEvent,
  newEvents,
  ownStreams,
  readPages,
} from '../support/engines/event-store-events.js';

interface Following {
  readonly events: StoredEvent[];
  readonly batches: Batch[];
  readonly done: Promise<void>;
}

export function subscribing(store: () => EventStore): void {
  /** Follows until the condition holds. Each batch is handled before the next one is requested. */
  function follow(
    options: { after: number; filter?: EventFilter; batchSize?: number },
    until: (following: Following, batch: Batch) => boolean,
    handle: (batch: Batch) => Promise<unknown> = async () => {},
  ): Following {
    const stop = new AbortController();
    const events: StoredEvent[] = [];
    const batches: Batch[] = [];
    const run = async () => {
      for await (const batch of store().subscribe({ ...options, signal: stop.signal })) {
        batches.push(batch);
        events.push(...batch.events);
        await handle(batch);
        if (until(following, batch)) stop.abort();
      }
    };
    const following: Following = { events, batches, done: Promise.resolve().then(run) };
    return following;
  }

  const appendEach = (stream: string, events: readonly NewEvent[]) =>
    events.reduce<Promise<unknown>>(
      (last, event) => last.then(() => store().append(stream, [event], 'any')),
      Promise.resolve(),
    );

  it('begins with the existing events, in batches of the requested size', async () => {
    const stream = ownStreams()('users');
    const start = await store().head();
    const events = newEvents('Added', 25);
    await store().append(stream, events, 'new');

    const following = follow({ after: start, batchSize: 10 }, (_, { caughtUp }) => caughtUp);
    await following.done;

    expect(idsOf(following.events)).toEqual(idsOf(events));
    for (const batch of following.batches) expect(batch.events.length).toBeLessThanOrEqual(10);
  });

  it('ends a batch of large events early', async () => {
    const start = await store().head();
    const events = await appendLarge(store(), ownStreams()('value-1'));

    const following = follow({ after: start, batchSize: 5000 }, (_, { caughtUp }) => caughtUp);
    await following.done;

    expect(idsOf(following.events)).toEqual(idsOf(events));
    for (const batch of following.batches) expect(bytesOf(batch.events)).toBeLessThan(BATCH_BYTES * 1.5);
  });

  it('reports at once that it has caught up when there is nothing to read', async () => {
    const start = await store().head();
    const following = follow({ after: start }, (_, { caughtUp }) => caughtUp);
    await following.done;
    expect(following.batches).toEqual([{ events: [], position: start, caughtUp: true }]);
  });

  it('continues with events that are appended later', async () => {
    const stream = ownStreams()('users');
    const start = await store().head();
    const following = follow({ after: start }, ({ events }) => events.length === 20);
    for (let index = 0; index < 20; index += 4) await store().append(stream, newEvents('Added', 4), 'any');
    await following.done;
    expect(following.events).toEqual(await store().readStream(stream));
  });

  it('goes from existing to live events without gap or repeat, in log order, during many appends', async () => {
    const named = ownStreams();
    const start = await store().head();
    await store().append(named('s-0'), newEvents('Added', 100), 'any');
    const storms = Array.from({ length: 8 }, (_, writer) => ({
      stream: named(`s-${writer}`),
      events: newEvents('Added', 60),
    }));
    const total = 100 + 8 * 60;

    const appended = Promise.all(storms.map(({ stream, events }) => appendEach(stream, events)));
    const following = follow({ after: start, batchSize: 16 }, ({ events }) => events.length >= total);
    await appended;
    await following.done;

    // The events are equal in all fields, whether they were read or came live.
    expect(following.events).toEqual(await readPages(store(), start, 100, named('s-')));
    const positions = following.batches.map(({ position }) => position);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  });

  it('can be resumed from the position of any batch', async () => {
    const stream = ownStreams()('users');
    const start = await store().head();
    const events = newEvents('Added', 30);
    await store().append(stream, events, 'new');

    const seen: string[] = [];
    for (let after = start; seen.length < 30; ) {
      const one = follow({ after, batchSize: 7 }, () => true);
      await one.done;
      seen.push(...idsOf(one.events));
      after = one.batches[0]?.position ?? after;
    }
    expect(seen).toEqual(idsOf(events));
  });

  it('waits for a slow consumer, which misses no event', async () => {
    const stream = ownStreams()('users');
    const start = await store().head();
    const events = newEvents('Added', 200);
    const waiting = [...events];
    // The log grows by twenty events while each batch of at most five is handled.
    const grow = () => appendEach(stream, waiting.splice(0, 20));
    await grow();
    const following = follow({ after: start, batchSize: 5 }, ({ events }) => events.length === 200, grow);
    await following.done;
    expect(idsOf(following.events)).toEqual(idsOf(events));
  });

  it('delivers at once the events that were appended while the last batch was handled', async () => {
    const stream = ownStreams()('users');
    const start = await store().head();
    const events = newEvents('Added', 5);
    const waiting = [...events];
    // No other append can wake the subscription.
    const following = follow(
      { after: start },
      ({ events }) => events.length === 5,
      () => appendEach(stream, waiting.splice(0, 1)),
    );
    await following.done;
    expect(idsOf(following.events)).toEqual(idsOf(events));
  });

  it('delivers to each of several subscribers by its own filter', async () => {
    const named = ownStreams();
    const start = await store().head();
    const everything = follow({ after: start }, ({ events }) => events.length === 30);
    const renamed = follow({ after: start, filter: { types: ['Renamed'] } }, ({ events }) => events.length === 10);
    const second = follow(
      { after: start, filter: { streamPrefixes: [named('b-')] } },
      ({ events }) => events.length === 15,
    );
    const events: NewEvent[] = [];
    for (let index = 0; index < 30; index += 1) {
      const event = newEvent(index % 3 === 0 ? 'Renamed' : 'Added');
      events.push(event);
      await store().append(named(index % 2 === 0 ? 'a-1' : 'b-1'), [event], 'any');
    }
    await Promise.all([everything.done, renamed.done, second.done]);

    expect(idsOf(everything.events)).toEqual(idsOf(events));
    expect(idsOf(renamed.events)).toEqual(idsOf(events.filter(({ type }) => type === 'Renamed')));
    expect(idsOf(second.events)).toEqual(idsOf(events.filter((_, index) => index % 2 === 1)));
  });

  it('moves its position past events that the filter leaves out', async () => {
    const stream = ownStreams()('users');
    const start = await store().head();
    const { position } = await store().append(stream, newEvents('Added', 100), 'new');
    const filter = { types: ['Unheard-of'] };

    const following = follow({ after: start, filter }, (_, { caughtUp }) => caughtUp);
    await following.done;

    expect(following.events).toEqual([]);
    expect(following.batches.at(-1)?.position).toBe(position);
  });

  it('delivers events of types that did not exist when it began', async () => {
    const named = ownStreams();
    const start = await store().head();
    const filter = { types: [named('First'), named('Second')] };
    const following = follow({ after: start, filter }, ({ events }) => events.length === 2);
    await store().append(named('a-1'), [newEvent(named('First'))], 'any');
    await store().append(named('b-1'), [newEvent('Added'), newEvent(named('Second'))], 'any');
    await following.done;
    expect(following.events.map(({ type }) => type)).toEqual(filter.types);
  });

  it('ends without an error when it is aborted while it waits', async () => {
    const start = await store().head();
    const stop = new AbortController();
    const batches: Batch[] = [];
    for await (const batch of store().subscribe({ after: start, signal: stop.signal })) {
      batches.push(batch);
      setImmediate(() => stop.abort());
    }
    expect(batches).toHaveLength(1);
  });

  it('delivers nothing if it was aborted before it began', async () => {
    await store().append(ownStreams()('users'), newEvents('Added', 3), 'new');
    const batches: Batch[] = [];
    for await (const batch of store().subscribe({ after: 0, signal: AbortSignal.abort() })) batches.push(batch);
    expect(batches).toEqual([]);
  });

  it('may be ended at any batch', async () => {
    const start = await store().head();
    await store().append(ownStreams()('users'), newEvents('Added', 3), 'new');
    for await (const { events } of store().subscribe({
      after: start,
      batchSize: 1,
      signal: new AbortController().signal,
    })) {
      expect(events).toHaveLength(1);
      break;
    }
    expect(await store().head()).toBeGreaterThan(start);
  });
}
