import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EventStore, StoredEvent } from '../../../src/platform/log/event-store.js';
import { eventsAt } from '../../../src/platform/log/scattered-events.js';
import { SqliteEventStore } from '../../../src/platform/log/sqlite/sqlite-event-store.js';
import { temporaryDirectory } from '../../support/engines/event-store-directory.js';
import { newEvents } from '../../support/engines/event-store-events.js';

const directory = temporaryDirectory();
let store: SqliteEventStore;
let events: readonly StoredEvent[];

beforeAll(async () => {
  store = await SqliteEventStore.open(directory.path);
  for (const [n, event] of newEvents('Added', 60).entries()) await store.append(`s-${n % 3}`, [event], 'any');
  ({ events } = await store.readAll({ after: 0, limit: 60 }));
});
afterAll(() => store.close().finally(directory.remove));

describe.each<[string, () => Pick<EventStore, 'readStream' | 'readAt'>]>([
  ['by positions', () => store],
  ['from streams', () => ({ readStream: (...options) => store.readStream(...options) })],
])('scattered events that are read %s', (_, log) => {
  it('come in the order of their places', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 59 }), { maxLength: 30 }), async (picks) => {
        const wanted = picks.flatMap((n) => events.slice(n, n + 1));
        expect(await eventsAt(wanted, log())).toEqual(wanted);
      }),
      { numRuns: 40 },
    ));

  it.each<[string, Partial<StoredEvent>]>([
    ['stream', { stream: 's-9' }],
    ['revision', { revision: 99 }],
    ['position', { position: 999 }],
  ])('are refused if the log has another %s there', async (_, change) => {
    const [one] = events.slice(7, 8).map((event) => ({ ...event, ...change }));
    await expect(eventsAt(one ? [one] : [], log())).rejects.toThrow(/^the log has no event /);
  });
});
