import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { projections } from '../../projections/index.js';
import type { Projection } from '../../projections/projection.js';
import { Filling, type Page } from '../../projections/runner/filling.js';
import { Generation } from '../../projections/runner/generation.js';
import {
  type DocumentDatabase,
  type DocumentStore,
  DocumentStoreUnavailable,
} from '../../src/document-store/document-store.js';
import { MongoDocumentStore } from '../../src/document-store/mongodb/mongo-document-store.js';
import { SqliteDocumentStore } from '../../src/document-store/sqlite/sqlite-document-store.js';
import type { Recorded } from '../../src/kernel/event.js';
import { eventually } from '../support/eventually.js';
import { history } from '../support/history.js';
import { describeMongodb, ownDatabase } from '../support/mongodb.js';
import { type Documents, documentsIn } from '../support/projected.js';
import { recordedEvents } from '../support/recorded.js';
import { applications, delicate, userCreated } from '../support/roster.js';
import { withScratch } from '../support/scratch.js';

let recorded: readonly Recorded[];
beforeAll(async () => {
  recorded = await recordedEvents();
});

const NAME = 'built.v1.g1';

type WithStore = <T>(work: (store: DocumentStore) => Promise<T>) => Promise<T>;

const embedded: WithStore = (work) =>
  withScratch(async (directory) => {
    const store = await SqliteDocumentStore.open(directory);
    return work(store).finally(() => store.close());
  });

const onMongodb: WithStore = async (work) => {
  const own = ownDatabase();
  try {
    return await work(await MongoDocumentStore.open(await own.connect()));
  } finally {
    await own.remove();
  }
};

const pageOf = (events: readonly Recorded[]): Page => ({
  events: [],
  position: events.at(-1)?.position ?? 0,
  caughtUp: false,
  batch: { events, undecodable: [] },
});

/** Whether a transaction is stored, and whether that is answered. */
type Fate = 'stored' | 'lost' | 'stored, and not told';

const AWAY = new DocumentStoreUnavailable('away');

const disturb = (database: DocumentDatabase, fates: Iterator<Fate>): void => {
  const transaction = database.transaction.bind(database);
  database.transaction = async (work) => {
    const fate = fates.next().value;
    const result = await transaction(async (open) => {
      const worked = await work(open);
      if (fate === 'lost') throw AWAY;
      return worked;
    });
    if (fate === 'stored, and not told') throw AWAY;
    return result;
  };
};

/** In pages of so many events, one after the other; what the database is answered with. */
const filled = (
  withStore: WithStore,
  projection: Projection,
  sizes: Iterator<number>,
  fates: Iterator<Fate>,
): Promise<Documents> =>
  withStore(async (store) => {
    const generation = await Generation.create(store, projection, NAME);
    disturb(generation.database, fates);
    const filling = new Filling(generation);
    for (let from = 0; from < recorded.length; ) {
      const to = from + sizes.next().value;
      await filling.take(pageOf(recorded.slice(from, to)));
      from = to;
    }
    await filling.finish();
    const database = await store.database(NAME);
    expect(await database.checkpoint()).toBe(recorded.at(-1)?.position);
    return documentsIn(database, projection).finally(() => database.close());
  });

const atOnce = (projection: Projection): Promise<Documents> =>
  embedded(async (store) => {
    const generation = await Generation.create(store, projection, NAME);
    for (const event of recorded) await generation.apply({ events: [event], undecodable: [] }, event.position);
    return documentsIn(generation.database, projection);
  });

const comesOutTheSame = (withStore: WithStore, numRuns: number) =>
  it.each(projections.map((each) => [each.name, each] as const))(
    'fills %s with the documents of one event after the other, whatever writes fail',
    async (_name, projection) => {
      const expected = await atOnce(projection);
      const size = fc.infiniteStream(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 200 })));
      const fate = fc.infiniteStream(
        fc.oneof(
          { weight: 8, arbitrary: fc.constant<Fate>('stored') },
          fc.constantFrom<Fate[]>('lost', 'stored, and not told'),
        ),
      );
      await fc.assert(
        fc.asyncProperty(size, fate, async (sizes, fates) => {
          expect(await filled(withStore, projection, sizes, fates)).toEqual(expected);
        }),
        { numRuns },
      );
    },
    120_000,
  );

describe('a rebuild, page by page,', () => {
  comesOutTheSame(embedded, 10);

  const users = history(...['a', 'b', 'c', 'd'].map((name, index) => ['users', userCreated(index + 1, name)] as const));
  const [first, second, third, fourth] = users.map((event) => pageOf([event])) as [Page, Page, Page, Page];

  it('works out what a page changes while the one before it is written', () =>
    embedded(async (store) => {
      const seen: string[] = [];
      const applied: Projection['on'][string] = (event, documents) => {
        seen.push(event.id);
        return applications.on.UserCreated?.(event, documents) ?? [];
      };
      const projection = { ...applications, on: { UserCreated: applied } };
      const generation = await Generation.create(store, projection, NAME);
      const transaction = generation.database.transaction.bind(generation.database);
      let letPass = (): void => {};
      const held = new Promise<void>((resolve) => {
        letPass = resolve;
      });
      generation.database.transaction = async (work) => {
        await held;
        return transaction(work);
      };

      const filling = new Filling(generation);
      await filling.take(first);
      const taken = filling.take(second);
      await eventually(() => expect(seen).toHaveLength(2));
      expect(await generation.database.checkpoint()).toBe(0);
      letPass();
      await taken;
      await filling.take(third);
      await filling.finish();
      expect(await (await store.database(NAME)).checkpoint()).toBe(3);
    }));

  it('stores nothing that was worked out after a page that could not be written', () =>
    embedded(async (store) => {
      const generation = await Generation.create(store, applications, NAME);
      disturb(generation.database, (['stored', 'lost', 'stored'] as Fate[]).values());
      const written: Promise<void>[] = [];
      for (const page of [first, second, third]) {
        written.push((await generation.begin(page.batch, page.position)).written);
      }
      expect(await Promise.allSettled(written)).toMatchObject([
        { status: 'fulfilled' },
        { status: 'rejected', reason: AWAY },
        { status: 'rejected', reason: AWAY },
      ]);
      expect(await generation.database.checkpoint()).toBe(1);
    }));

  it('stores everything before an event that is refused', () =>
    embedded(async (store) => {
      const refused = pageOf(history(['users', userCreated(5, 'refused')]).map((event) => ({ ...event, position: 5 })));
      const generation = await Generation.create(store, delicate, NAME);
      const filling = new Filling(generation);
      for (const page of [first, second, third, fourth]) await filling.take(page);
      await expect(filling.take(refused)).rejects.toMatchObject({ name: 'ApplyFailed', event: { position: 5 } });
      expect(await generation.database.checkpoint()).toBe(4);
    }));
});

describeMongodb('a rebuild on MongoDB, page by page,', () => comesOutTheSame(onMongodb, 1));
