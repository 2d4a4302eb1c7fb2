import { expect, it } from '@jest/globals';
import {
  type AppendResult,
  type EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  RevisionConflict,
} from '../../src/platform/log/event-store.js';
import { idsOf, newEvent, newEvents, ownStreams } from '../support/engines/event-store-events.js';

/** Repeats soon after the first append. How long ids are known depends on the engine (`idMemory`). */
export function repeating(store: () => EventStore): void {
  it.each<[string, ExpectedRevision]>([
    ['any', 'any'],
    ['that the stream is new', 'new'],
    ['an old revision', 0],
  ])('returns the first result if it expects %s', async (_, expected) => {
    const stream = ownStreams()('users');
    await store().append(stream, newEvents('Added', 2), 'new');
    const event = newEvent('Renamed');
    const first = await store().append(stream, [event], 'any');
    await store().append(stream, newEvents('Added', 2), 'any');

    expectRepeat(await store().append(stream, [event], expected), first);
    expect(await store().readStream(stream)).toHaveLength(5);
  });

  it('returns the first result for several events, too', async () => {
    const stream = ownStreams()('users');
    const events = newEvents('Added', 3);
    const first = await store().append(stream, events, 'new');
    await store().append(stream, [newEvent('Renamed')], 2);

    expectRepeat(await store().append(stream, events, 'new'), first);
    expect(await store().readStream(stream)).toHaveLength(4);
  });

  it('compares ids only, and does not store other data in the repeat', async () => {
    const stream = ownStreams()('users');
    const event = newEvent('Added', { name: 'first' });
    const first = await store().append(stream, [event], 'any');
    expectRepeat(await store().append(stream, [{ ...event, data: { name: 'second' } }], 'any'), first);
    expect((await store().readStream(stream)).map(({ data }) => data)).toEqual([{ name: 'first' }]);
  });

  it('fails with a conflict if a new event follows a known one', async () => {
    const stream = ownStreams()('users');
    const event = newEvent('Added');
    await store().append(stream, [event], 'new');

    const failure = await store()
      .append(stream, [event, newEvent('Renamed')], 'any')
      .catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(RevisionConflict);
    expect(failure).toMatchObject({ stream, expected: 'any', actual: 0 });
    expect(idsOf(await store().readStream(stream))).toEqual([event.id]);
  });

  it('knows ids per stream, so that another stream may hold the same id', async () => {
    const named = ownStreams();
    const event = newEvent('Added');
    await store().append(named('a'), [event], 'new');
    await store().append(named('b'), [event], 'new');
    expect(await store().readStream(named('a'))).toHaveLength(1);
    expect(await store().readStream(named('b'))).toHaveLength(1);
  });

  it('stores an event once if it is appended several times at once', async () => {
    const stream = ownStreams()('users');
    const event = newEvent('Added');
    const attempts = Array.from({ length: 5 }, () => store().append(stream, [event], 'any'));

    const outcomes = await Promise.allSettled(attempts);

    const results = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(results.length).toBeGreaterThan(0);
    for (const { revision, position } of results) expect({ revision, position }).toEqual(placeOf(results[0]));
    expect(results.filter(({ isRepeat }) => isRepeat === false).length).toBeLessThanOrEqual(1);
    for (const outcome of outcomes) {
      // An engine may give up on the second append while it writes the first. It must not answer that nothing was stored.
      if (outcome.status === 'fulfilled') continue;
      expect(outcome.reason).toBeInstanceOf(EventStoreUnavailable);
      expect(outcome.reason).toMatchObject({ stored: 'unknown' });
    }
    expect(await store().readStream(stream)).toHaveLength(1);
  });
}

const placeOf = (result: AppendResult | undefined) => ({ revision: result?.revision, position: result?.position });

/** Expects the place of the first append. `isRepeat` may be unknown, but must not contradict. */
export function expectRepeat(result: AppendResult, first: AppendResult): void {
  expect(placeOf(result)).toEqual(placeOf(first));
  expect(result.isRepeat).not.toBe(false);
  expect(first.isRepeat).not.toBe(true);
}
