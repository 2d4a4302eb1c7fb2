import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { projections } from '../../../projections/index.js';
import { Generation } from '../../../projections/runner/generation.js';
import { PipelinedBuild } from '../../../projections/runner/pipelined-build.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { recordedEvents } from '../../support/events/recorded.js';
import { documentsIn } from '../../support/projections/projected.js';
import { withScratch } from '../../support/scratch.js';

const NAME = 'built.v1.g1';
const COLLECTION = 'people';
const SPEC = { [COLLECTION]: { indexes: [{ keys: { team: 1 } }, { keys: { age: 1 } }] } } as const;
const PEOPLE = [1, 2, 3].map((_id) => ({ _id, team: _id % 2 ? 'odd' : 'even', age: 40 + _id }));

describe('indexes of documents that are loaded', () => {
  let recorded: readonly Recorded[];
  beforeAll(async () => {
    recorded = await recordedEvents();
  });

  /** Tables and indexes of the file, which is sound. */
  const schemaIn = (directory: string): unknown[] => {
    const file = new SqliteConnection(join(directory, 'documents', `${NAME}.sqlite`), { readonly: true });
    try {
      expect(file.prepare('PRAGMA integrity_check').all()).toEqual([['ok']]);
      return file.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all();
    } finally {
      file.close();
    }
  };

  const inStore = <T>(work: (store: SqliteDocumentStore, directory: string) => Promise<T>): Promise<T> =>
    withScratch(async (directory) => {
      const store = await SqliteDocumentStore.open(directory);
      return work(store, directory).finally(() => store.close());
    });

  const whatBecomesOf = (projection: Projection, fill: (generation: Generation) => Promise<void>) =>
    inStore(async (store, directory) => {
      await fill(await Generation.create(store, projection, NAME));
      const database = await store.database(NAME);
      const documents = await documentsIn(database, projection);
      return { documents, schema: schemaIn(directory) };
    });

  const pageOf = (events: readonly Recorded[], position = events.at(-1)?.position ?? 0) => ({
    events: [],
    position,
    caughtUp: false,
    batch: { events, undecodable: [] },
  });

  it.each(projections.map((each) => [each.name, each] as const))(
    'are those of live documents after a build of %s',
    async (_name, projection) => {
      const live = await whatBecomesOf(projection, async (generation) => {
        await generation.complete();
        for (const event of recorded) await generation.apply({ events: [event], undecodable: [] }, event.position);
      });
      const built = await whatBecomesOf(projection, async (generation) => {
        const build = new PipelinedBuild(generation);
        for (let from = 0; from < recorded.length; from += 500)
          await build.apply(pageOf(recorded.slice(from, from + 500)));
        await build.finish();
      });
      expect(built).toEqual(live);
    },
  );

  const named = (directory: string): string[] =>
    schemaIn(directory).flatMap((row) => /^d1i\d+$/.exec(String((row as string[])[1])) ?? []);

  const loaded = (work: (store: SqliteDocumentStore, directory: string) => Promise<void>) => () =>
    inStore(async (store, directory) => {
      const database = await store.database(NAME);
      await database.ensure(SPEC, { indexesLater: true });
      await database.write({
        writes: [{ collection: COLLECTION, operations: PEOPLE.map((document) => ({ insertOne: { document } })) }],
      });
      expect(named(directory)).toEqual([]);
      await work(store, directory);
    });

  it(
    'are made when the documents are opened again, as after a build that was cut off',
    loaded(async (store, directory) => {
      await (await store.database(NAME)).ensure(SPEC);
      expect(named(directory)).toEqual(['d1i0', 'd1i1']);
    }),
  );

  it(
    'are made one by one for queries',
    loaded(async (store, directory) => {
      const people = (await store.database(NAME)).collection(COLLECTION);
      expect(await people.find({ team: 'odd' })).toEqual([PEOPLE[0], PEOPLE[2]]);
      expect(named(directory)).toEqual(['d1i0']);
      expect(await people.countDocuments({ age: { $gt: 41 } })).toBe(2);
      expect(named(directory)).toEqual(['d1i0', 'd1i1']);
    }),
  );

  it(
    'are made for the queries of a transaction, and made again where it is taken back',
    loaded(async (store, directory) => {
      const database = await store.database(NAME);
      const even = { team: 'even' };
      const refused = database.transaction(async (transaction) => {
        expect(await transaction.collection(COLLECTION).find(even)).toEqual([PEOPLE[1]]);
        throw new Error('taken back');
      });
      await expect(refused).rejects.toThrow('taken back');
      expect(named(directory)).toEqual([]);
      await database.write({ writes: [{ collection: COLLECTION, operations: [{ deleteMany: { filter: even } }] }] });
      expect(named(directory)).toEqual(['d1i0']);
      expect(await database.collection(COLLECTION).countDocuments({})).toBe(2);
    }),
  );
});
