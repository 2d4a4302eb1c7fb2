import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AppendResult,
  EventStoreUnavailable,
  type NewEvent,
  RevisionConflict,
} from '../../src/platform/log/event-store.js';
import { EventStoreDbEventStore } from '../../src/platform/log/eventstoredb/eventstoredb-event-store.js';
import { idsOf, newEvent, newEvents } from '../support/engines/event-store-events.js';
import { EventStoreDbServer } from '../support/engines/eventstoredb/server.js';
import { eventually } from '../support/eventually.js';
import { expectRepeat } from './event-store-repeating.contract.js';

/** Appends wait long for a server that comes back. Specs of a server that stays away set a shorter `gate`. */
const timings = { call: 2500, gate: 60_000, append: 60_000, quiet: 500 };

interface Outcome {
  readonly event: NewEvent;
  readonly stream: string;
  readonly result?: AppendResult;
  readonly error?: unknown;
}

describe('the log on EventStoreDB under faults', () => {
  let server: EventStoreDbServer;
  let prefix: string;
  const stores: EventStoreDbEventStore[] = [];

  beforeAll(async () => {
    server = await EventStoreDbServer.start();
  });
  beforeEach(() => {
    prefix = `f${randomUUID().slice(0, 8)}-`;
  });
  afterEach(async () => {
    await server.restore();
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });
  afterAll(() => server.stop());

  /** `as` opens another client, like another process. It does not know the appends of the first client. */
  async function opened(options: { as?: string; timings?: Partial<typeof timings> } = {}) {
    const url = options.as ? `${server.url}&connectionName=${options.as}` : server.url;
    const store = await EventStoreDbEventStore.open({
      url,
      streamPrefix: prefix,
      timings: { ...timings, ...options.timings },
    });
    stores.push(store);
    return store;
  }

  /** Appends the first event. A store that was just opened may not be ready within a short `gate`. */
  const appendFirst = async (store: EventStoreDbEventStore): Promise<void> => {
    const event = newEvent('Added');
    await eventually(() => store.append('users', [event], 'new'));
  };

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('loses no acknowledged event and stores none twice if the server is killed repeatedly', async () => {
    const store = await opened();
    const outcomes: Outcome[] = [];
    let isOver = false;
    const writers = Array.from({ length: 24 }, async (_, writer) => {
      while (!isOver) {
        const stream = `s-${writer % 4}`;
        const event = newEvent('Added', { writer });
        const outcome = await store.append(stream, [event], 'any').then(
          (result) => ({ result }),
          (error: unknown) => ({ error }),
        );
        outcomes.push({ event, stream, ...outcome });
      }
    });
    for (let kill = 1; kill <= 4; kill += 1) {
      await eventually(() => expect(outcomes.length).toBeGreaterThan(kill * 100));
      // The server also loses its memory of ids.
      await server.restart();
    }
    await eventually(() => expect(outcomes.length).toBeGreaterThan(600));
    isOver = true;
    await Promise.all(writers);

    for (const stream of ['s-0', 's-1', 's-2', 's-3']) {
      const stored = await store.readStream(stream);
      const ids = idsOf(stored);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { event, result, error } of outcomes.filter((one) => one.stream === stream)) {
        if (result) expect(stored[result.revision]).toMatchObject({ id: event.id, position: result.position });
        else expect(error).toMatchObject({ name: 'EventStoreUnavailable' });
      }
      // There are no events besides those of the appends.
      expect(ids.length).toBeLessThanOrEqual(outcomes.filter((one) => one.stream === stream).length);
    }
    // Every append found out its outcome within its time limit.
    expect(outcomes.filter(({ error }) => error)).toEqual([]);
  });

  it('finds its stored events when the answer is lost and the server has forgotten their ids', async () => {
    const forgetful = await EventStoreDbServer.start({ idMemory: 0 });
    const store = await EventStoreDbEventStore.open({ url: forgetful.url, streamPrefix: prefix, timings });
    await store.append('users', newEvents('Added', 2), 'new');
    const lost = [newEvents('Renamed', 1), newEvents('Renamed', 1), newEvents('Added', 3), newEvents('Added', 1)];
    for (const events of lost) {
      await forgetful.loseAnswers(1);
      const { revision } = await store.append('users', events, 'any');
      expect((await store.readStream('users', { from: revision, limit: 1 }))[0]?.id).toBe(events.at(-1)?.id);
    }
    await forgetful.loseAnswers(5);
    const atOnce = newEvents('Added', 12);
    await Promise.all(atOnce.map((event) => store.append('users', [event], 'any')));

    const stored = await store.readStream('users');
    expect(idsOf(stored.slice(2, 8))).toEqual(idsOf(lost.flat()));
    expect(idsOf(stored.slice(8)).sort()).toEqual(idsOf(atOnce).sort());
    await store.close();
    await forgetful.stop();
  });

  it('reports a conflict only after a look for the ids of the append', async () => {
    const store = await opened();
    const other = await opened({ as: 'other' });
    await store.append('users', [newEvent('Added')], 'new');
    const event = newEvent('Renamed');
    // The append is stored without an answer. Then another process appends, so that the expected revision is old.
    await server.loseAnswers(1);
    const appending = store.append('users', [event], 0);
    await eventually(async () => expect(await other.readStream('users')).toHaveLength(2));
    await other.append('users', [newEvent('Removed')], 'any');
    expect(await appending).toMatchObject({ revision: 1 });

    const failure = await failureOf(store.append('users', [newEvent('Added')], 0));
    expect(failure).toBeInstanceOf(RevisionConflict);
    expect(failure).toMatchObject({ expected: 0, actual: 2 });
  });

  it('recognizes events that another process appended just before, even if the server does not', async () => {
    const [store, other] = [await opened(), await opened({ as: 'other' })];
    const event = newEvent('Added');
    const first = await other.append('users', [event], 'any');
    await server.forgetIds();
    await eventually(async () => expect(await store.head()).toBe(first.position));
    const seen = store.subscribe({ after: 0, signal: new AbortController().signal })[Symbol.asyncIterator]();
    await seen.next();
    expectRepeat(await store.append('users', [event], 'any'), first);
    expect(await store.readStream('users')).toHaveLength(1);
  });

  it('recognizes events that another process appends at the same moment, for any expected revision', async () => {
    const [store, other] = [await opened(), await opened({ as: 'other' })];
    for (let round = 0; round < 15; round += 1) {
      const event = newEvent('Added');
      const appending = other.append('users', [event], 'any');
      const second = await store.append('users', [event], 99).catch((error: unknown) => error);
      const first = await appending;
      // A conflict is right only if the server handled the second append first.
      if (second instanceof RevisionConflict) expect(second.actual ?? -1).toBeLessThan(first.revision);
      else expectRepeat(second as AppendResult, first);
    }
    expect(await store.readStream('users')).toHaveLength(15);
  });

  it('recognizes the last events of the log after a restart, even if the server does not', async () => {
    const store = await opened();
    const events = newEvents('Added', 3);
    const first = await store.append('users', events, 'any');
    await store.append('users', newEvents('Added', 50), 'any');
    await store.close();
    await server.restart();
    const later = await opened();
    expectRepeat(await later.append('users', events, 'any'), first);
    expect(await later.readStream('users')).toHaveLength(53);
  });

  it('refuses appends whose events the server would store twice or never answer', async () => {
    const store = await opened();
    const [a, b, c] = newEvents('Added', 3);
    const d = newEvent('Added');
    if (!a || !b || !c) throw new Error('three were made');
    await store.append('some', [a, b, c], 'new');
    for (const events of [
      [a, d],
      [d, a],
      [a, c],
      [b, a],
      [c, b, a],
      [c, d],
      [a, b, c, d],
    ]) {
      for (const expected of ['any', 2] as const) {
        const failure = await failureOf(store.append('some', events, expected));
        expect(failure).toBeInstanceOf(RevisionConflict);
        expect(failure).toMatchObject({ stream: 'some', expected, actual: 2 });
      }
    }
    expect(idsOf(await store.readStream('some'))).toEqual(idsOf([a, b, c]));
  });

  it('does not append an old event again at its expected revision', async () => {
    const store = await opened();
    const event = newEvent('Added');
    const first = await store.append('quiet', [event], 'new');
    // These are more events than a store reads at the end of the log when it is opened.
    for (let round = 0; round < 5; round += 1) await store.append('loud', newEvents('Added', 500), 'any');
    await store.close();
    const later = await opened();
    expectRepeat(await later.append('quiet', [event], 0), first);
    expect(await later.readStream('quiet')).toHaveLength(1);
    const next = newEvents('Added', 4);
    await Promise.all(next.map((one, index) => later.append('quiet', [one], index)));
    expect(idsOf(await later.readStream('quiet'))).toEqual(idsOf([event, ...next]));
  });

  it('fails in time while the server is frozen, and finds the outcome when the server goes on', async () => {
    const store = await opened({ timings: { gate: 2500, append: 2500 } });
    await store.append('users', [newEvent('Added')], 'new');
    server.freeze();
    const begun = performance.now();
    const event = newEvent('Renamed');
    const failures = await Promise.all([
      failureOf(store.append('users', [event], 0)),
      failureOf(store.head()),
      failureOf(store.readStream('users')),
      failureOf(store.readAll({ after: 0, limit: 10 })),
    ]);
    for (const failure of failures) expect(failure).toBeInstanceOf(EventStoreUnavailable);
    expect(failures[0]).toMatchObject({ stored: 'unknown' });
    expect(performance.now() - begun).toBeLessThan(60_000);
    // No append is sent while the subscription to the tail is down.
    await eventually(async () => {
      expect(await failureOf(store.append('users', [newEvent('Added')], 'any'))).toMatchObject({ stored: 'no' });
    });

    server.thaw();
    const result = await eventually(() => store.append('users', [event], 0));
    expect(result.revision).toBe(1);
    expect(idsOf(await store.readStream('users')).filter((id) => id === event.id)).toHaveLength(1);
  });

  it('works again after a server accepted its calls and never answered', async () => {
    const store = await opened({ timings: { gate: 2500, append: 3000 } });
    await store.append('users', [newEvent('Added')], 'new');
    const following = store.subscribe({ after: 0, signal: new AbortController().signal })[Symbol.asyncIterator]();
    await following.next();
    await server.acceptAndNeverAnswer();

    const ended = failureOf(following.next());
    const event = newEvent('Added');
    expect(await failureOf(store.append('users', [event], 'any'))).toMatchObject({ stored: 'unknown' });
    expect(await failureOf(store.head())).toBeInstanceOf(EventStoreUnavailable);
    expect(await ended).toBeInstanceOf(EventStoreUnavailable);

    await server.restore();
    const result = await eventually(() => store.append('users', [event], 'any'));
    expect(result.revision).toBe(1);
    expect(await store.head()).toBe(result.position);
  });

  it('reports that nothing was stored if nothing was sent, and ends its subscriptions', async () => {
    const store = await opened({ timings: { gate: 300 } });
    await appendFirst(store);
    const following = store.subscribe({ after: 0, signal: new AbortController().signal })[Symbol.asyncIterator]();
    await following.next();
    await server.kill();

    expect(await failureOf(following.next())).toBeInstanceOf(EventStoreUnavailable);
    const event = newEvent('Added');
    expect(await failureOf(store.append('users', [event], 'any'))).toMatchObject({
      name: 'EventStoreUnavailable',
      stored: 'no',
    });
    const again = store.subscribe({ after: 0, signal: new AbortController().signal })[Symbol.asyncIterator]();
    expect(await failureOf(again.next())).toBeInstanceOf(EventStoreUnavailable);
    await server.restart();
    expect(await eventually(() => store.append('users', [event], 'any'))).toMatchObject({ revision: 1 });
  });

  it('holds appends back until the server is available again', async () => {
    const store = await opened();
    await server.kill();
    await eventually(async () => expect(await failureOf(store.head())).toBeInstanceOf(EventStoreUnavailable));
    const events = newEvents('Added', 20);
    const appends = Promise.all(
      events.map((event, index) => store.append('s', [event], index === 0 ? 'new' : index - 1)),
    );
    await server.restart();
    await appends;
    expect(idsOf(await store.readStream('s'))).toEqual(idsOf(events));
  });

  it('reports a server that refuses every call as unavailable', async () => {
    const store = await opened({ timings: { gate: 300, append: 1000 } });
    await appendFirst(store);
    await server.refuse();
    for (const work of [
      () => store.append('users', [newEvent('Added')], 0),
      () => store.readStream('users'),
      () => store.readAll({ after: 0, limit: 1 }),
      () => store.head(),
    ]) {
      expect(await failureOf(work())).toBeInstanceOf(EventStoreUnavailable);
    }
    await server.restore();
    await eventually(() => store.append('users', [newEvent('Added')], 'any'));
  });

  it('reports a missing permission as such', async () => {
    const store = await opened({ timings: { gate: 2500 } });
    await server.denyAccess();
    const failure = await failureOf(store.append('users', [newEvent('Added')], 'new'));
    expect(failure).toMatchObject({ name: 'EventStoreUnavailable', stored: 'no' });
    await server.restore();
    expect(await eventually(() => store.readStream('users'))).toEqual([]);
  });

  it('delivers every event once and in order to each follower, even if the server drops subscriptions', async () => {
    const [store, other] = [await opened(), await opened({ as: 'other' })];
    const stop = new AbortController();
    const total = 2400;
    const follow = async (from: EventStoreDbEventStore, batchSize: number) => {
      const seen: string[] = [];
      for await (const { events } of from.subscribe({ after: 0, batchSize, signal: stop.signal })) {
        seen.push(...idsOf(events));
        if (seen.length >= total) return seen;
      }
      return seen;
    };
    const followers = [follow(store, 500), follow(store, 7), follow(store, 100), follow(other, 500), follow(other, 33)];
    for (let burst = 0; burst < 8; burst += 1) {
      await Promise.all(
        Array.from({ length: 3 }, (_, index) => store.append(`s-${index}`, newEvents('Added', 100), 'any')),
      );
      await server.dropSubscriptions();
    }
    const seen = await Promise.all(followers);
    const written: string[] = [];
    for (let after = 0, caughtUp = false; !caughtUp; ) {
      const page = await store.readAll({ after, limit: 400 });
      written.push(...idsOf(page.events));
      ({ position: after, caughtUp } = page);
    }
    expect(written).toHaveLength(total);
    for (const one of seen) expect(one).toEqual(written);
    stop.abort();
  });

  it('reports the outcome of an append as unknown if the store is closed meanwhile', async () => {
    const store = await opened({ timings: { call: 400 } });
    await store.append('users', [newEvent('Added')], 'new');
    server.freeze();
    const appending = failureOf(store.append('users', [newEvent('Added')], 'any'));
    await store.close();
    expect(await appending).toMatchObject({ name: 'EventStoreUnavailable', stored: 'unknown' });
    expect(await failureOf(store.append('users', [newEvent('Added')], 'any'))).toMatchObject({ stored: 'no' });
    expect(await failureOf(store.head())).toBeInstanceOf(EventStoreUnavailable);
    server.thaw();
  });

  it.each([
    ['one-', 'two-'],
    ['three-', ''],
    ['four-one-', 'four-'],
  ])('keeps organizations under "%s" and "%s" on one server apart, over one connection', async (first, second) => {
    const one = await EventStoreDbEventStore.open({ url: server.url, streamPrefix: first });
    const two = await EventStoreDbEventStore.open({ url: server.url, streamPrefix: second });
    stores.push(one, two);
    const events = newEvents('Added', 2);
    await one.append('users', events, 'new');
    expect(await two.readStream('users')).toEqual([]);
    expect(await two.readStream(`${first.slice(second.length)}users`)).toEqual([]);
    expect(await two.head()).toBe(0);
    expect(await two.readAll({ after: 0, limit: 10 })).toMatchObject({ events: [], caughtUp: true });
    await two.append('users', events, 'new');
    await one.append('users', [newEvent('Later')], 1);
    const { events: own } = await two.readAll({ after: 0, limit: 10 });
    expect(own.map(({ stream, type }) => `${stream} ${type}`)).toEqual(['users Added', 'users Added']);
    expect(await two.head()).toBe(own.at(-1)?.position);
    await one.close();
    expect(await two.append('users', [newEvent('Added')], 1)).toMatchObject({ revision: 2 });
    await server.restart();
    expect(await two.append('users', [newEvent('Added')], 2)).toMatchObject({ revision: 3 });
  });

  it('refuses an append that is larger than the limit of the server', async () => {
    const store = await opened();
    const big = Array.from({ length: 3 }, () => newEvent('Added', { text: 'x'.repeat(500_000) }));
    await expect(store.append('users', big, 'any')).rejects.toThrow(TypeError);
    expect(await store.readStream('users')).toEqual([]);
  });

  it('refuses to append if it was opened for reading', async () => {
    const store = await EventStoreDbEventStore.open({ url: server.url, streamPrefix: prefix, readOnly: true });
    stores.push(store);
    expect(await failureOf(store.append('users', [newEvent('Added')], 'any'))).toMatchObject({ stored: 'no' });
    expect(await store.head()).toBe(0);
  });
});
