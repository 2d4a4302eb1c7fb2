import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { projections } from '../../projections/index.js';
import { insert, type Projection } from '../../projections/projection.js';
import { Generation } from '../../projections/runner/generation.js';
import { guarded } from '../../projections/runner/guarded-writes.js';
import {
  DocumentStoreUnavailable,
  DuplicateKey,
  type StoredDocument,
} from '../../src/document-store/document-store.js';
import { SqliteDocumentStore } from '../../src/document-store/sqlite/sqlite-document-store.js';
import type { Recorded } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';
import { Fence, Fenced } from '../../src/processes/fence.js';
import { history } from '../support/history.js';
import { type Documents, documentsIn } from '../support/projected.js';
import { recordedEvents } from '../support/recorded.js';
import { userCreated } from '../support/roster.js';
import { withScratch } from '../support/scratch.js';
import { WithoutTransactions } from '../support/without-transactions.js';

let recorded: readonly Recorded[];
beforeAll(async () => {
  recorded = await recordedEvents();
});

const NAME = 'built.v1.g1';

const batchOf = (events: readonly Recorded[]) => ({ events, undecodable: [] });

/** What a projection makes of the events where every batch is a transaction. */
const inTransactions = (projection: Projection): Promise<Documents> =>
  withScratch(async (directory) => {
    const store = await SqliteDocumentStore.open(directory);
    const generation = await Generation.create(store, projection, NAME);
    await generation.apply(batchOf(recorded), recorded.at(-1)?.position ?? 0);
    return documentsIn(generation.database, projection).finally(() => store.close());
  });

/** The same where there are none, and the process ends before one write in so many. */
const stepByStep = (
  projection: Projection,
  events: readonly Recorded[],
  endsBefore: () => boolean,
): Promise<Documents> =>
  withScratch(async (directory) => {
    const last = events.at(-1)?.position ?? 0;
    const sqlite = await SqliteDocumentStore.open(directory);
    const store = new WithoutTransactions(sqlite, () => {
      if (endsBefore()) throw new DocumentStoreUnavailable('the process has ended');
    });
    for (let generation: Generation | null = null; generation?.position !== last; ) {
      try {
        generation =
          (await Generation.open(store, projection, NAME)) ?? (await Generation.create(store, projection, NAME));
        await generation.apply(batchOf(events), last);
      } catch (error) {
        if (!(error instanceof DocumentStoreUnavailable)) throw error;
      }
    }
    return documentsIn(await sqlite.database(NAME), projection).finally(() => sqlite.close());
  });

describe('documents without transactions', () => {
  it.each(projections.map((each) => [each.name, each] as const))(
    'of %s are the same, wherever the process ends between two writes',
    async (_name, projection) => {
      const expected = await inTransactions(projection);
      await fc.assert(
        fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 1, max: 60 })), async (lives) => {
          let left = 30;
          const endsBefore = (): boolean => {
            left--;
            if (left > 0) return false;
            left = lives.next().value;
            return true;
          };
          expect(await stepByStep(projection, recorded, endsBefore)).toEqual(expected);
        }),
        { numRuns: 2 },
      );
    },
  );

  it('are written as they were begun, though what was read for it has changed since', async () => {
    for (let lastWrite = 1; lastWrite <= 16; lastWrite++) {
      let writes = 0;
      const documents = await stepByStep(handedOn, fourUsers(), () => ++writes === lastWrite);
      expect(documents.people).toMatchObject([{ _id: 4, name: 'a' }]);
    }
  });

  it('are not written by whoever has been taken over, nor is what they are still at', () =>
    withScratch(async (directory) => {
      const [first, second, third, fourth] = fourUsers();
      let holdUp = (): void | Promise<void> => undefined;
      const sqlite = await SqliteDocumentStore.open(directory);
      const store = new WithoutTransactions(sqlite, () => holdUp());
      const older = await Generation.create(store, people, NAME, new Fence(1));
      await older.apply(batchOf([first]), first.position);

      // Before the write that comes after entering and noting.
      let writes = 0;
      let freeze = (): void => undefined;
      const frozen = new Promise<void>((resolve) => (freeze = resolve));
      let wake = (): void => undefined;
      const awake = new Promise<void>((resolve) => (wake = resolve));
      holdUp = () => {
        if (++writes !== 3) return undefined;
        freeze();
        return awake;
      };
      const late = older.apply(batchOf([second]), second.position);
      await frozen;
      const newer = await Generation.open(store, people, NAME, new Fence(2));
      await newer?.apply(batchOf([third]), third.position);
      wake();
      await expect(late).rejects.toThrow(DocumentStoreUnavailable);
      await older.recover();
      await expect(older.apply(batchOf([fourth]), fourth.position)).rejects.toThrow(Fenced);

      expect((await documentsIn(await sqlite.database(NAME), people)).people).toMatchObject([{ name: 'c' }]);
      expect(await older.database.checkpoint()).toBe(third.position);
      await sqlite.close();
    }));

  it('that a later event has changed stay, whoever writes late', () =>
    withScratch(async (directory) => {
      const store = await SqliteDocumentStore.open(directory);
      const database = await store.database('guarded');
      await database.ensure({ people: {} });
      const documents = database.collection('people');
      const put = (name: string, position: number) =>
        documents.bulkWrite([guarded(insert('people', person(name, position)).operation, position)]);
      await put('new', 5);
      await expect(put('old', 4)).rejects.toThrow(DuplicateKey);
      const rename = { updateOne: { filter: { _id: 1 }, update: { $set: { name: 'old', position: 4 } } } };
      await documents.bulkWrite([guarded(rename, 4)]);
      await documents.bulkWrite([guarded({ deleteOne: { filter: { _id: 1 } } }, 4)]);
      expect(await documents.findOne({ _id: 1 })).toEqual({ _id: 1, name: 'new', position: 5 });
      await store.close();
    }));
});

interface Person extends StoredDocument {
  readonly name: string;
  readonly position: Position;
}

const person = (name: string, position: Position): Person => ({ _id: 1, name, position });

/** One document, which each event changes. */
const people: Projection = {
  name: 'people',
  version: 1,
  collections: { people: {} },
  on: {
    UserCreated: ({ data, position }) => [
      insert('people', person('fullName' in data ? String(data.fullName) : '', position)),
    ],
  },
};

/** One document, which each event takes away and puts elsewhere: by halves, its name would be lost. */
const handedOn: Projection = {
  ...people,
  on: {
    UserCreated: async ({ data, position }, documents) => {
      if (!('userId' in data) || typeof data.userId !== 'number') return [];
      const before = await documents.collection<Person>('people').findOne({ _id: data.userId - 1 });
      const name = before?.name ?? ('fullName' in data ? String(data.fullName) : '');
      return [
        { collection: 'people', operation: { deleteOne: { filter: { _id: data.userId - 1 } } } },
        insert('people', { ...person(name, position), _id: data.userId }),
      ];
    },
  },
};

function fourUsers(): [Recorded, Recorded, Recorded, Recorded] {
  const [first, second, third, fourth] = history(
    ...['a', 'b', 'c', 'd'].map((name, index) => ['users', userCreated(index + 1, name)] as const),
  );
  if (!first || !second || !third || !fourth) throw new Error('four events');
  return [first, second, third, fourth];
}
