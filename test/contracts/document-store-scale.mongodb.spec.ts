import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DocumentDatabase, StoredDocument } from '../../src/platform/documents/document-store.js';
import { MongoDocumentStore } from '../../src/platform/documents/mongodb/mongo-document-store.js';
import { allOf, type Thing } from '../support/engines/document-store-collections.js';
import { describeMongodb, type OwnDatabase, ownDatabase } from '../support/engines/mongodb.js';

describeMongodb('documents in MongoDB', () => {
  let own: OwnDatabase;
  beforeAll(() => {
    own = ownDatabase();
  });
  afterAll(() => own.remove());

  async function open(name: string): Promise<DocumentDatabase> {
    const store = await MongoDocumentStore.open(await own.connect());
    const database = await store.database(name);
    await database.ensure({ things: { indexes: [{ keys: { n: 1 } }], text: ['title'] } });
    return database;
  }

  it('of 5,000 events, and 6 MB in few documents, are written in one transaction', async () => {
    const database = await open('large');
    await database.transaction(async (transaction) => {
      const things = transaction.collection<Thing>('things');
      const events = Array.from({ length: 5000 }, (_, n) => ({ _id: n, n: n % 7 }));
      await things.bulkWrite(
        events.map((each) => ({ replaceOne: { filter: { _id: each._id }, replacement: each, upsert: true } })),
      );
      const pad = 'x'.repeat(2_000_000);
      const heavy = Array.from({ length: 3 }, (_, n) => ({ _id: `heavy ${n}`, pad }));
      await things.bulkWrite(heavy.map((document) => ({ insertOne: { document } })));
      await transaction.setCheckpoint(5000);
    });
    const things = database.collection<Thing>('things');
    expect(await things.countDocuments({})).toBe(5003);
    expect(await things.countDocuments({ n: 3 })).toBe(714);
    const heavy = await things.find({ _id: { $gt: 'h' } }, { sort: { _id: 1 } });
    expect(heavy.map(({ pad }) => String(pad).length)).toEqual(Array.from({ length: 3 }, () => 2_000_000));
    expect(await database.checkpoint()).toBe(5000);
  });

  it.each([
    ['are rebuilt if a server without transactions stopped within an event', 6, null],
    ['stay if a server without transactions completed its last noted event', 5, 5],
  ])('%s', async (_, noted, checkpoint) => {
    const name = `noted-${noted}`;
    const database = await open(name);
    await database.ensure({ noted: {} });
    await database.collection('noted').insertOne({ _id: 'changes', position: noted, changes: '[]' } as StoredDocument);
    await database.collection<Thing>('things').insertOne({ _id: 1, n: 1 });
    await database.transaction((transaction) => transaction.setCheckpoint(5));

    const reopened = await open(name);
    expect(await reopened.checkpoint()).toBe(checkpoint);
    expect(await reopened.collection('things').countDocuments({})).toBe(checkpoint === null ? 0 : 1);
  });

  it('count examined rows only if the store is opened for that', async () => {
    const store = await MongoDocumentStore.open(await own.connect());
    expect(() => store.rowsExamined()).toThrow(/asked/);
  });

  it('refuse every update that puts an array or an object into an index not declared for it', async () => {
    const database = await open('indexed');
    const things = database.collection<Thing>('things');
    await things.insertOne({ _id: 1, n: 1, nested: { deep: 1 } });
    await database.ensure({ things: { indexes: [{ keys: { 'nested.deep': 1 } }] } });
    for (const update of [
      { $set: { n: [1] } },
      { $set: { n: {} } },
      { $set: { nested: { deep: [1] } } },
      { $set: { nested: [{ deep: 1 }] } },
    ]) {
      await expect(things.updateOne({ _id: 1 }, update)).rejects.toThrow(/which its index is not declared for/);
    }
    await things.updateOne({ _id: 1 }, { $set: { nested: { deep: 2, other: [1] }, n: null } });
    expect(await allOf(things)).toEqual([{ _id: 1, n: null, nested: { deep: 2, other: [1] } }]);
  });
});
