import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PendingChanges } from '../../../projections/runner/pending-changes.js';
import { ReadDocuments } from '../../../projections/runner/read-documents.js';
import type {
  BulkOperation,
  CollectionSpec,
  DocumentDatabase,
  StoredDocument,
} from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { withScratch } from '../../support/scratch.js';

type Step = { readonly change: BulkOperation<StoredDocument> } | { readonly read: Read };
type Read = { readonly one: number } | { readonly group: number };

interface Item extends StoredDocument {
  readonly group: number;
  readonly n: number;
}

const id = fc.integer({ min: 1, max: 4 });
const group = fc.integer({ min: 1, max: 2 });
const n = fc.integer({ min: 0, max: 9 });

const put = fc
  .record({ _id: id, group, n })
  .map((document) => ({ replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true } }));
const replace = fc
  .record({ _id: id, group, n })
  .map((document) => ({ replaceOne: { filter: { _id: document._id }, replacement: document } }));
const replaceFirst = fc
  .record({ _id: fc.constant(9), group, n })
  .map((document) => ({ replaceOne: { filter: { _id: 9 }, replacement: document, upsert: true } }));
const update = n.map((to) => ({ $set: { n: to } }));
const updateOne = fc.record({ id, update }).map(({ id: _id, update }) => ({ updateOne: { filter: { _id }, update } }));
const updateGroup = fc
  .record({ group, update })
  .map(({ group: which, update }) => ({ updateMany: { filter: { group: which }, update } }));
const updateSome = fc
  .record({ ids: fc.uniqueArray(id), update })
  .map(({ ids, update }) => ({ updateMany: { filter: { _id: { $in: ids } }, update } }));
const remove = id.map((_id) => ({ deleteOne: { filter: { _id } } }));
const removeGroup = group.map((which) => ({ deleteMany: { filter: { group: which } } }));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .oneof(put, put, replace, replaceFirst, updateOne, updateGroup, updateSome, remove, removeGroup)
      .map((change) => ({ change })),
  },
  { weight: 2, arbitrary: id.map((one) => ({ read: { one } })) },
  { weight: 1, arbitrary: group.map((which) => ({ read: { group: which } })) },
);

const collections: Readonly<Record<string, CollectionSpec>> = {
  items: { indexes: [{ keys: { group: 1, _id: 1 } }] },
};

const inOrder = { sort: { _id: 1 }, limit: 100 } as const;

describe('pending changes', () => {
  it('give the same reads and the same documents as changes that are written one by one', () =>
    withScratch(async (directory) => {
      const store = await SqliteDocumentStore.open(directory);
      const buffered = await store.database('buffered');
      const direct = await store.database('direct');
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { maxLength: 30 }),
          fc.boolean(),
          fc.boolean(),
          async (steps, isEmpty, ahead) => {
            for (const database of [buffered, direct]) {
              await database.ensure(collections);
              await database.collection('items').deleteMany({});
            }
            const read = new ReadDocuments({ isEmpty });
            expect(await throughPendingChanges(buffered, steps, read, ahead)).toEqual(await oneByOne(direct, steps));
            expect(await everything(buffered)).toEqual(await everything(direct));
          },
        ),
        { numRuns: 200 },
      );
      await store.close();
    }));

  it('write a document once, however often it changes', () =>
    withScratch(async (directory) => {
      const store = await SqliteDocumentStore.open(directory);
      const database = await store.database('often');
      await database.ensure(collections);
      const { operations } = await database.transaction(async (transaction) => {
        let operations = 0;
        const counted = {
          ...transaction,
          collection: <D extends StoredDocument>(name: string) => {
            const collection = transaction.collection<D>(name);
            const write = collection.bulkWrite.bind(collection);
            collection.bulkWrite = (batch) => {
              operations += batch.length;
              return write(batch);
            };
            return collection;
          },
        };
        const pending = new PendingChanges(counted, collections);
        for (let n = 0; n < 100; n++) {
          const before = await pending.collection<Item>('items').findOne({ _id: 1 });
          pending.add([{ collection: 'items', operation: putOf({ _id: 1, group: 1, n: (before?.n ?? 0) + 1 }) }]);
        }
        return { operations: operations + pending.drain().flatMap((writes) => writes.operations).length };
      });
      expect(operations).toBe(1);
      await store.close();
    }));

  it('refuse a collection that the projection does not declare', () =>
    withScratch(async (directory) => {
      const store = await SqliteDocumentStore.open(directory);
      const database = await store.database('own');
      await database.ensure(collections);
      await database.transaction(async (transaction) => {
        const pending = new PendingChanges(transaction, collections);
        expect(() => pending.collection('others')).toThrow('declares no collection others');
      });
      await store.close();
    }));
});

const putOf = (document: Item): BulkOperation<StoredDocument> => ({
  replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true },
});

const everything = (database: DocumentDatabase): Promise<StoredDocument[]> =>
  database.collection('items').find({}, inOrder);

/**
 * Runs the steps in batches of eight, each in one transaction.
 * @param ahead whether some documents are prefetched
 * @returns the result of each read
 */
async function throughPendingChanges(
  database: DocumentDatabase,
  steps: readonly Step[],
  read: ReadDocuments,
  ahead: boolean,
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let first = 0; first < steps.length; first += 8) {
    await database.transaction(async (transaction) => {
      const pending = new PendingChanges(transaction, collections, read);
      if (ahead) await pending.readAhead([1, 2, 2, 9].map((one) => ['items', one]));
      for (const step of steps.slice(first, first + 8)) {
        if ('change' in step) pending.add([{ collection: 'items', operation: step.change }]);
        else found.push(await answer(pending.collection('items'), step.read));
      }
      await transaction.writeAll(pending.drain());
    });
  }
  return found;
}

function oneByOne(database: DocumentDatabase, steps: readonly Step[]): Promise<unknown[]> {
  return database.transaction(async (transaction) => {
    const collection = transaction.collection('items');
    const found: unknown[] = [];
    for (const step of steps) {
      if ('change' in step) await collection.bulkWrite([step.change]);
      else found.push(await answer(collection, step.read));
    }
    return found;
  });
}

const answer = (collection: ReturnType<PendingChanges['collection']>, read: Read): Promise<unknown> =>
  'one' in read ? collection.findOne({ _id: read.one }) : collection.find({ group: read.group }, inOrder);
