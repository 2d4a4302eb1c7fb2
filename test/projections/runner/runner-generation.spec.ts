import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ApplyFailed, Generation } from '../../../projections/runner/generation.js';
import { DocumentStoreUnavailable } from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { history } from '../../support/events/history.js';
import { documentsIn } from '../../support/projections/projected.js';
import { applications, delicate, userCreated } from '../../support/projections/roster.js';
import { withScratch } from '../../support/scratch.js';

const users = (names: readonly string[]): Recorded[] =>
  history(...names.map((name, index) => ['users', userCreated(index + 1, name)] as const));

const batchOf = (events: readonly Recorded[]) => ({ events, undecodable: [] });

const withStore = (work: (store: SqliteDocumentStore) => Promise<void>) => () =>
  withScratch(async (directory) => {
    const store = await SqliteDocumentStore.open(directory);
    try {
      await work(store);
    } finally {
      await store.close();
    }
  });

const timesApplied = async (generation: Generation): Promise<unknown[]> => {
  const { counts = [] } = await documentsIn(generation.database, applications);
  return counts.map((document) => ('times' in document ? document.times : undefined));
};

describe('a generation', () => {
  it(
    'applies an event once even if batches overlap',
    withStore(async (store) => {
      const events = users(['a', 'b', 'c', 'd', 'e']);
      const generation = await Generation.create(store, applications, 'applications.v1.g1');
      await generation.apply(batchOf(events.slice(0, 3)), 3);
      await generation.apply(batchOf(events.slice(1, 4)), 4);
      await generation.apply(batchOf(events.slice(0, 2)), 2);
      await generation.apply(batchOf(events), 5);
      expect(await timesApplied(generation)).toEqual([1, 1, 1, 1, 1]);
      expect(generation.position).toBe(5);
    }),
  );

  it(
    'goes on from its checkpoint when it is opened again, and does not exist without a checkpoint',
    withStore(async (store) => {
      const events = users(['a', 'b', 'c']);
      const generation = await Generation.create(store, applications, 'applications.v1.g1');
      await generation.apply(batchOf(events.slice(0, 2)), 2);
      await generation.close();

      const again = await Generation.open(store, applications, 'applications.v1.g1');
      expect(again?.position).toBe(2);
      await again?.apply(batchOf(events), 3);
      expect(again && (await timesApplied(again))).toEqual([1, 1, 1]);
      expect(await Generation.open(store, applications, 'applications.v1.g2')).toBeNull();
    }),
  );

  it.each([
    ['an unavailable engine', new DocumentStoreUnavailable('away')],
    ['any other error', new Error('a bug')],
  ])('reads its position from the database after a transaction was answered with %s', (_what, answer) =>
    withStore(async (store) => {
      const events = users(['a', 'b', 'c']);
      const generation = await Generation.create(store, applications, 'applications.v1.g1');
      const { database } = generation;
      const transaction = database.transaction.bind(database);
      database.transaction = async (work) => {
        await transaction(work);
        throw answer;
      };
      await generation.apply(batchOf(events.slice(0, 1)), 1).catch(() => generation.recover());
      expect(generation.position).toBe(1);

      database.transaction = transaction;
      await generation.apply(batchOf(events), 3);
      expect(await timesApplied(generation)).toEqual([1, 1, 1]);
    })(),
  );

  it(
    'discards what a batch read and changed when its transaction is rolled back',
    withStore(async (store) => {
      const events = users(['a', 'b', 'refused']);
      const both = { ...applications, on: { ...applications.on, UserCreated: countThenRefuse } };
      const generation = await Generation.create(store, both, 'applications.v1.g1');
      await expect(generation.apply(batchOf(events), 3)).rejects.toThrow(ApplyFailed);
      expect(await timesApplied(generation)).toEqual([1, 1]);
      expect(generation.position).toBe(2);
    }),
  );

  it(
    'waits for the events before a refused one, which are still being written',
    withStore(async (store) => {
      const events = users(['a', 'b', 'c', 'refused']);
      const both = { ...applications, on: { ...applications.on, UserCreated: countThenRefuse } };
      const most = { documents: 1, bytes: Number.MAX_SAFE_INTEGER };
      const generation = await Generation.create(store, both, 'applications.v1.g1', undefined, most);
      const { database } = generation;
      const write = database.write.bind(database);
      database.write = async (whole) => {
        // Many turns of the event loop: the next part is refused meanwhile.
        for (let turn = 0; turn < 100; turn++) await setImmediate();
        return write(whole);
      };
      const failure = await generation.apply(batchOf(events), 4).catch((error: unknown) => error);
      expect(failure).toMatchObject({ message: 'this one is refused', event: { position: 4 } });
      expect(await timesApplied(generation)).toEqual([1, 1, 1]);
      expect(generation.position).toBe(3);
    }),
  );

  it(
    'applies all events before one that cannot be decoded, and stops there',
    withStore(async (store) => {
      const [first, unreadable, last] = users(['a', 'b', 'c']);
      if (!first || !unreadable || !last) throw new Error('three events');
      const { address: _, ...metadata } = unreadable.metadata;
      const undecodable = [
        { event: { ...unreadable, metadata, version: 1, data: {} }, error: new Error('its words were altered') },
      ];
      const generation = await Generation.create(store, delicate, 'delicate.v1.g1');
      const failure = await generation
        .apply({ events: [first, last], undecodable }, 3)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ApplyFailed);
      expect(failure).toMatchObject({ message: 'its words were altered', event: { position: 2 } });
      expect(generation.position).toBe(1);
      expect((await documentsIn(generation.database, delicate)).people).toMatchObject([{ name: 'a' }]);
    }),
  );
});

const countThenRefuse: NonNullable<(typeof applications.on)[string]> = async (event, documents) => {
  const counted = await applications.on.UserCreated?.(event, documents);
  if ('fullName' in event.data && event.data.fullName === 'refused') throw new Error('this one is refused');
  return counted ?? [];
};
