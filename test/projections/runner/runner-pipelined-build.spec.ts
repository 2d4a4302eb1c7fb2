import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { projections } from '../../../projections/index.js';
import { Generation } from '../../../projections/runner/generation.js';
import { type DecodedPage, PipelinedBuild } from '../../../projections/runner/pipelined-build.js';
import {
  type DocumentDatabase,
  type DocumentStore,
  DocumentStoreUnavailable,
} from '../../../src/platform/documents/document-store.js';
import { MongoDocumentStore } from '../../../src/platform/documents/mongodb/mongo-document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { writeIn } from '../../../src/platform/documents/whole-write.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';
import { describeMongodb, ownDatabase } from '../../support/engines/mongodb.js';
import { history } from '../../support/events/history.js';
import { recordedEvents } from '../../support/events/recorded.js';
import { eventually } from '../../support/eventually.js';
import { type Documents, documentsIn } from '../../support/projections/projected.js';
import { applications, delicate, roster, userCreated, userDeactivated } from '../../support/projections/roster.js';
import { withScratch } from '../../support/scratch.js';

describe('a build whose steps overlap', () => {
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

  const pageOf = (events: readonly Recorded[]): DecodedPage => ({
    events: [],
    position: events.at(-1)?.position ?? 0,
    caughtUp: false,
    batch: { events, undecodable: [] },
  });

  /** Whether a transaction is stored, and whether the caller is told that it is. */
  type WriteOutcome = 'stored' | 'lost' | 'stored, and not told';

  const AWAY = new DocumentStoreUnavailable('away');

  const disturb = (database: DocumentDatabase, outcomes: Iterator<WriteOutcome>): void => {
    const transaction = database.transaction.bind(database);
    database.transaction = async (work) => {
      const outcome = outcomes.next().value;
      const result = await transaction(async (open) => {
        const worked = await work(open);
        if (outcome === 'lost') throw AWAY;
        return worked;
      });
      if (outcome === 'stored, and not told') throw AWAY;
      return result;
    };
    database.write = (write) => database.transaction((open) => writeIn(open, database.name, write));
  };

  /** The documents of a build that takes pages of the given sizes, while the writes have the given outcomes. */
  const filled = (
    withStore: WithStore,
    projection: Projection,
    sizes: Iterator<number>,
    outcomes: Iterator<WriteOutcome>,
  ): Promise<Documents> =>
    withStore(async (store) => {
      const generation = await Generation.create(store, projection, NAME);
      disturb(generation.database, outcomes);
      const build = new PipelinedBuild(generation);
      for (let from = 0; from < recorded.length; ) {
        const to = from + sizes.next().value;
        await build.apply(pageOf(recorded.slice(from, to)));
        from = to;
      }
      await build.finish();
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
      'builds the same documents of %s as one event after the other, whichever writes fail',
      async (_name, projection) => {
        const expected = await atOnce(projection);
        const size = fc.infiniteStream(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 200 })));
        const outcome = fc.infiniteStream(
          fc.oneof(
            { weight: 8, arbitrary: fc.constant<WriteOutcome>('stored') },
            fc.constantFrom<WriteOutcome[]>('lost', 'stored, and not told'),
          ),
        );
        await fc.assert(
          fc.asyncProperty(size, outcome, async (sizes, outcomes) => {
            expect(await filled(withStore, projection, sizes, outcomes)).toEqual(expected);
          }),
          { numRuns },
        );
      },
    );

  describe('a rebuild page by page', () => {
    comesOutTheSame(embedded, 10);

    const users = history(
      ...['a', 'b', 'c', 'd'].map((name, index) => ['users', userCreated(index + 1, name)] as const),
    );
    const [first, second, third, fourth] = users.map((event) => pageOf([event])) as [
      DecodedPage,
      DecodedPage,
      DecodedPage,
      DecodedPage,
    ];

    it('works out the changes of a page while the page before it is written', () =>
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

        const build = new PipelinedBuild(generation);
        await build.apply(first);
        const taken = build.apply(second);
        await eventually(() => expect(seen).toHaveLength(2));
        expect(await generation.database.checkpoint()).toBe(0);
        letPass();
        await taken;
        await build.apply(third);
        await build.finish();
        expect(await (await store.database(NAME)).checkpoint()).toBe(3);
      }));

    it('stores no page after one that could not be written', () =>
      embedded(async (store) => {
        const generation = await Generation.create(store, applications, NAME);
        disturb(generation.database, (['stored', 'lost', 'stored'] as WriteOutcome[]).values());
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

    it('stores the checkpoint of a page that changes nothing', () =>
      embedded(async (store) => {
        const unhandled = { ...pageOf([]), position: 5 };
        const withoutEffect = pageOf(
          history(['users', userDeactivated(1)]).map((event) => ({ ...event, position: 6 })),
        );
        const generation = await Generation.create(store, roster, NAME);
        const build = new PipelinedBuild(generation);
        await build.apply(unhandled);
        await build.apply(withoutEffect);
        expect(await generation.database.checkpoint()).toBe(5);
        await build.apply({ ...pageOf([]), position: 7 });
        expect(await generation.database.checkpoint()).toBe(6);
        await build.finish();
      }));

    it('goes on within a page, and applies no event of it again', () =>
      embedded(async (store) => {
        const events = [first, second, third, fourth].flatMap(({ batch }) => batch.events);
        const begun = await Generation.create(store, applications, NAME);
        await begun.apply({ events: events.slice(0, 2), undecodable: [] }, 2);
        await begun.close();
        const generation = await Generation.open(store, applications, NAME);
        await generation?.goOn();
        if (!generation) throw new Error('the generation has a checkpoint');
        const build = new PipelinedBuild(generation);
        await build.apply(first);
        await build.apply(pageOf(events));
        const { counts = [] } = await build
          .finish()
          .then(async () => documentsIn(await store.database(NAME), applications));
        expect(counts.map((count) => 'times' in count && count.times)).toEqual([1, 1, 1, 1]);
      }));

    it('stores everything before an event that is refused', () =>
      embedded(async (store) => {
        const refused = pageOf(
          history(['users', userCreated(5, 'refused')]).map((event) => ({ ...event, position: 5 })),
        );
        const generation = await Generation.create(store, delicate, NAME);
        const build = new PipelinedBuild(generation);
        for (const page of [first, second, third, fourth]) await build.apply(page);
        await expect(build.apply(refused)).rejects.toMatchObject({ name: 'ApplyFailed', event: { position: 5 } });
        expect(await generation.database.checkpoint()).toBe(4);
      }));
  });

  describeMongodb('a rebuild page by page on MongoDB', () => comesOutTheSame(onMongodb, 1));
});
