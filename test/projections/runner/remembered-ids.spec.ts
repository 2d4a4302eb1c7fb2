import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { Generation } from '../../../projections/runner/generation.js';
import type { UserEvent } from '../../../src/events/users/users.events.js';
import { Fence } from '../../../src/platform/cluster/fence.js';
import {
  type DocumentStore,
  type StoredDocument,
  type WholeWrite,
} from '../../../src/platform/documents/document-store.js';
import { allWrites } from '../../../src/platform/documents/whole-write.js';
import { derivedId } from '../../../src/platform/kernel/ids.js';
import { insert, projection } from '../../../src/platform/read-models/projection.js';
import { history, type InHistory } from '../../support/events/history.js';
import { eventually } from '../../support/eventually.js';
import { countedLookUps } from '../../support/projections/counted-look-ups.js';
import {
  AWAY,
  batchOf,
  documentsOf,
  hooked,
  NAME,
  UNBOUNDED,
  withStore,
} from '../../support/projections/events-in-parts.js';
import { keyIssued, Roster, userDeactivated } from '../../support/projections/roster.js';
import { withScratch } from '../../support/scratch.js';

Logger.overrideLogger(false);

/** Documents in three slices. */
const STORED = 1200;
const idOf = (n: number): string => derivedId('document', n);
const documentOf = (n: number): StoredDocument => ({ _id: idOf(n) });

/** An event makes one document, named by its user. An event of another type makes three. */
const things = projection<UserEvent>({
  name: 'things',
  version: 1,
  collections: { things: {} },
  mostlyMissed: 'things',
  on: {
    ApiKeyIssued: ({ data }) => [insert('things', documentOf(data.userId))],
    UserDeactivated: ({ data }) => [1, 2, 3].map((n) => insert('things', documentOf(data.userId + n))),
  },
});

const made = (n: number): InHistory => ['users', keyIssued(n)];
const madeThree = (n: number): InHistory => ['users', userDeactivated(n)];

/** A generation with stored documents, as an earlier process has left it. */
async function opened(store: DocumentStore, most = UNBOUNDED): Promise<Generation> {
  const earlier = await Generation.create(store, things, NAME);
  const operations = Array.from({ length: STORED }, (_, n) => ({ insertOne: { document: documentOf(n) } }));
  await earlier.database.write({ writes: [{ collection: 'things', operations }] });
  await earlier.close();
  const generation = await Generation.open(store, things, NAME, undefined, most);
  if (!generation) throw new Error('the documents are gone');
  return generation;
}

const lacks = (generation: Generation, n: number): boolean => generation.lacks('things', idOf(n));

/** Resolves when the stored ids are read. */
const isComplete = (generation: Generation): Promise<void> =>
  eventually(() => expect(lacks(generation, Number.MAX_SAFE_INTEGER)).toBe(true));

/** Expects that no document is said to be missing that is stored. */
async function expectRight(generation: Generation): Promise<void> {
  const stored = await generation.database.collection('things').find({ _id: { $gte: '' } });
  expect(stored.filter(({ _id }) => generation.lacks('things', _id))).toEqual([]);
}

/** Expects that no document of a write is said to be missing before it is written. */
function expectAhead(generation: Generation, whole: WholeWrite): void {
  const operations = allWrites(whole).flatMap((write) => (write.collection === 'things' ? write.operations : []));
  const ids = operations.map((operation) => {
    if ('insertOne' in operation) return operation.insertOne.document._id;
    return 'replaceOne' in operation ? operation.replaceOne.replacement._id : '';
  });
  expect(ids.filter((id) => generation.lacks('things', id))).toEqual([]);
}

describe('remembered ids', () => {
  it('tell nothing before they are read, and then which documents are missing', () =>
    withStore(async (store) => {
      const generation = await opened(store);
      expect(lacks(generation, STORED)).toBe(false);
      generation.rememberIds();
      expect(lacks(generation, STORED)).toBe(false);
      await isComplete(generation);
      expect(lacks(generation, STORED)).toBe(true);
      await expectRight(generation);
    }));

  it('have documents that are stored before, while and after they are read', () =>
    withStore(async (store) => {
      const generation = await opened(store);
      generation.rememberIds();
      const events = history(...Array.from({ length: 600 }, (_, n) => made(STORED + n)));
      for (const event of events) {
        await generation.apply(batchOf([event]), event.position);
        expect(lacks(generation, STORED + event.position - 1)).toBe(false);
      }
      await isComplete(generation);
      await generation.apply(batchOf(history(...events.map((_, n) => made(STORED + n)), made(9999))), 601);
      expect(lacks(generation, 9999)).toBe(false);
      await expectRight(generation);
    }));

  it('have a document as soon as it can be found, whichever writes fail and whether their failure is hidden', () =>
    fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.constantFrom('none', 'none', 'before', 'after')), async (faults) =>
        withStore(async (store) => {
          const generation = await opened(store, { documents: 2, bytes: UNBOUNDED.bytes });
          generation.rememberIds();
          await isComplete(generation);
          const events = history(made(2000), madeThree(3000), made(2001), madeThree(4000), made(2002));
          const stored = generation.database.write.bind(generation.database);
          hooked(generation.database, (whole) => {
            expectAhead(generation, whole);
            const fault = faults.next().value;
            return fault === 'none' ? undefined : { [fault]: AWAY };
          });
          const hidden = generation.database.write;
          while (generation.position < events.length) {
            const failure = await generation.apply(batchOf(events), events.length).catch((error: unknown) => error);
            await expectRight(generation);
            if (failure === undefined) continue;
            expect(failure).toBe(AWAY);
            generation.database.write = stored;
            await generation.recover();
            generation.database.write = hidden;
          }
          await expectRight(generation);
        }),
      ),
      { numRuns: 20 },
    ));

  it('have the documents of an event that an earlier process has half applied', () =>
    withStore(async (store) => {
      const most = { documents: 1, bytes: UNBOUNDED.bytes };
      const before = await opened(store, most);
      let parts = 0;
      const write = before.database.write.bind(before.database);
      hooked(before.database, (whole) => (documentsOf(whole) > 0 && ++parts > 1 ? { before: AWAY } : undefined));
      const events = history(madeThree(2000), made(3000));
      await expect(before.apply(batchOf(events), 2)).rejects.toBe(AWAY);
      before.database.write = write;

      const generation = await Generation.open(store, things, NAME, undefined, most);
      if (!generation) throw new Error('the documents are gone');
      generation.rememberIds();
      await isComplete(generation);
      expect(lacks(generation, 2003)).toBe(true);
      hooked(generation.database, (whole) => {
        expectAhead(generation, whole);
        return undefined;
      });
      await generation.apply(batchOf(events), 2);
      expect([2001, 2002, 2003, 3000].some((n) => lacks(generation, n))).toBe(false);
    }));

  it('are read on by the next look-up if a query has failed', () =>
    withStore(async (store) => {
      const generation = await opened(store);
      const collection = generation.database.collection.bind(generation.database);
      let queries = 0;
      generation.database.collection = <D extends StoredDocument>(name: string) => {
        if (++queries === 2) throw AWAY;
        return collection<D>(name);
      };
      generation.rememberIds();
      await isComplete(generation);
      await expectRight(generation);
    }));

  it('are of one collection, and of texts', () =>
    withStore(async (store) => {
      const generation = await opened(store);
      generation.rememberIds();
      await isComplete(generation);
      expect(generation.lacks('others', idOf(STORED))).toBe(false);
      expect(generation.lacks('things', STORED)).toBe(false);
    }));
});

describe('a query by an id that is missing', () => {
  /** Counts the queries of the live documents. */
  const counted = async (server: Roster): Promise<() => number> => {
    const lookUps = countedLookUps(await server.engines.documentStore.database(server.statusOf(things).database ?? ''));
    return () => lookUps.count;
  };
  const find = (server: Roster, n: number): Promise<StoredDocument | null> =>
    server.runner.collection(things, 'things').findOne({ _id: idOf(n) });
  const running = (options: object, work: (server: Roster) => Promise<void>) => () =>
    withScratch(async (dataDirectory) => {
      const server = await Roster.start({ dataDirectory, projections: [things], ...options });
      await work(server).finally(() => server.close());
    });

  it(
    'is answered from memory, until the document is there',
    running({}, async (server) => {
      await server.append(keyIssued(1), keyIssued(2));
      await server.caughtUp();
      const queries = await counted(server);
      await eventually(async () => {
        const before = queries();
        expect(await find(server, 3)).toBeNull();
        expect(queries()).toBe(before);
      });
      expect(await find(server, 2)).toMatchObject(documentOf(2));
      await server.append(keyIssued(3));
      await server.caughtUp();
      expect(await find(server, 3)).toMatchObject(documentOf(3));
    }),
  );

  it(
    'is made if other processes may write the documents',
    running(
      { shared: { fenceOf: () => new Fence(1), keepReplacedFor: 0, onFenced: () => {}, onChanged: () => {} } },
      async (server) => {
        const queries = await counted(server);
        // Time enough to read a slice, were it read.
        for (let n = 1; n <= 20; n++) {
          await server.append(keyIssued(n));
          await server.caughtUp();
          expect(await find(server, 1000)).toBeNull();
        }
        expect(queries()).toBe(20);
      },
    ),
  );
});
