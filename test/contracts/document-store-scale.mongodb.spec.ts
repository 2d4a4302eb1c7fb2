import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DocumentDatabase } from '../../src/document-store/document-store.js';
import { MongoDocumentStore } from '../../src/document-store/mongodb/mongo-document-store.js';
import type { MongoConnection } from '../../src/mongodb/mongo-connection.js';
import { allOf, type Thing } from '../support/document-store-collections.js';
import { describeMongodb, type OwnDatabase, ownDatabase } from '../support/mongodb.js';

/** The connection as it is to a server of its own, which has no transactions. */
function withoutTransactions(connection: MongoConnection): MongoConnection {
  return Object.create(connection, { hasTransactions: { value: false } });
}

describeMongodb('documents in MongoDB', () => {
  let own: OwnDatabase;
  beforeAll(() => {
    own = ownDatabase();
  });
  afterAll(() => own.remove());

  async function open(name: string, connection?: MongoConnection): Promise<DocumentDatabase> {
    const store = await MongoDocumentStore.open(connection ?? (await own.connect()));
    const database = await store.database(name);
    await database.ensure({ things: { indexes: [{ keys: { n: 1 } }], text: ['title'] } });
    return database;
  }

  it('are written in one transaction as a rebuild writes them: 5,000 events, more than one message holds', async () => {
    const database = await open('large');
    await database.transaction(async (transaction) => {
      const things = transaction.collection<Thing>('things');
      const events = Array.from({ length: 5000 }, (_, n) => ({ _id: n, n: n % 7 }));
      await things.bulkWrite(
        events.map((each) => ({ replaceOne: { filter: { _id: each._id }, replacement: each, upsert: true } })),
      );
      const pad = 'x'.repeat(2_000_000);
      const heavy = Array.from({ length: 10 }, (_, n) => ({ _id: `heavy ${n}`, pad }));
      await things.bulkWrite(heavy.map((document) => ({ insertOne: { document } })));
      await transaction.setCheckpoint(5000);
    });
    const things = database.collection<Thing>('things');
    expect(await things.countDocuments({})).toBe(5010);
    expect(await things.countDocuments({ n: 3 })).toBe(714);
    const heavy = await things.find({ _id: { $gt: 'h' } }, { sort: { _id: 1 } });
    expect(heavy.map(({ pad }) => String(pad).length)).toEqual(Array.from({ length: 10 }, () => 2_000_000));
    expect(await database.checkpoint()).toBe(5000);
  });

  it('are written in order, and the checkpoint last, where there are no transactions', async () => {
    const database = await open('in-order', withoutTransactions(await own.connect()));
    const things = database.collection<Thing>('things');
    const apply = (fails: boolean) =>
      database.transaction(async (transaction) => {
        await transaction.setCheckpoint(1);
        await transaction.collection<Thing>('things').replaceOne({ _id: 1 }, { _id: 1, n: 1 }, { upsert: true });
        expect(await database.checkpoint()).toBeNull();
        expect(await transaction.collection<Thing>('things').find({ n: 1 })).toHaveLength(1);
        if (fails) throw new Error('the work failed');
        await transaction.collection<Thing>('things').updateOne({ _id: 1 }, { $set: { title: 'two words' } });
      });
    await expect(apply(true)).rejects.toThrow('the work failed');
    expect(await allOf(things)).toEqual([{ _id: 1, n: 1 }]);

    await apply(false);
    expect(await database.checkpoint()).toBe(1);
    expect(await things.find({ $text: { $search: '"two words"' } })).toEqual([{ _id: 1, n: 1, title: 'two words' }]);
    await things.updateOne({ _id: 1 }, { $set: { title: 'other' } });
    expect(await things.find({ $text: { $search: 'words' } })).toEqual([]);
  });

  it('count no rows unless they are asked to', async () => {
    const store = await MongoDocumentStore.open(await own.connect());
    expect(() => store.rowsExamined()).toThrow(/asked/);
  });

  it('keep what a field holds out of the index it is not declared for, however it comes there', async () => {
    const database = await open('indexed');
    const things = database.collection<Thing>('things');
    await things.insertOne({ _id: 1, n: 1, nested: { deep: 1 } });
    await database.ensure({ things: { indexes: [{ keys: { 'nested.deep': 1 } }] } });
    for (const update of [
      { $push: { n: 2 } },
      { $addToSet: { n: 2 } },
      { $set: { n: [1] } },
      { $set: { n: {} } },
      { $set: { 'n.x': 1 } },
      { $set: { nested: { deep: [1] } } },
      { $set: { nested: [{ deep: 1 }] } },
      { $max: { 'nested.deep': [1] } },
    ]) {
      await expect(things.updateOne({ _id: 1 }, update)).rejects.toThrow(/which its index is not declared for/);
    }
    await things.updateOne({ _id: 1 }, { $set: { nested: { deep: 2, other: [1] } }, $unset: { n: '' } });
    expect(await allOf(things)).toEqual([{ _id: 1, nested: { deep: 2, other: [1] } }]);
  });
});
