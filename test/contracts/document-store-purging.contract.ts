import { expect, it } from '@jest/globals';
import type { DocumentDatabase, DocumentStore } from '../../src/platform/documents/document-store.js';
import type { Thing } from '../support/engines/document-store-collections.js';

let made = 0;

async function newDatabase(store: DocumentStore): Promise<DocumentDatabase> {
  const database = await store.database(`purging-${++made}`);
  await database.ensure({ things: { indexes: [{ keys: { n: 1 } }], text: ['title'] } });
  return database;
}

/** The contract covers the documents after a purge. The bytes left in files depend on the engine. */
export function purging(store: () => DocumentStore): void {
  it('leaves the other documents, their indexes, their search terms and the checkpoint unchanged', async () => {
    const database = await newDatabase(store());
    const things = database.collection<Thing>('things');
    for (let n = 1; n <= 20; n++) await things.insertOne({ _id: n, n: n % 4, title: `word number${n}` });
    await database.transaction((transaction) => transaction.setCheckpoint(9));
    await things.deleteMany({ n: 1 });
    await things.replaceOne({ _id: 2 }, { _id: 2, n: 2, title: 'another' });
    const before = await things.find({}, { sort: { _id: 1 }, limit: 100 });

    await database.purge();
    expect(await things.find({}, { sort: { _id: 1 }, limit: 100 })).toEqual(before);
    expect((await things.find({ n: 2 }, { sort: { _id: 1 } })).map(({ _id }) => _id)).toEqual([2, 6, 10, 14, 18]);
    const ids = async ($search: string) => (await things.find({ $text: { $search } })).map(({ _id }) => _id);
    expect([await ids('number1'), await ids('number2'), await ids('another')]).toEqual([[], [], [2]]);
    expect(await ids('word')).toHaveLength(14);
    expect(await database.checkpoint()).toBe(9);
  });

  it('does nothing when no document was deleted, or none ever existed', async () => {
    const database = await newDatabase(store());
    await database.purge();
    await database.collection<Thing>('things').insertOne({ _id: 1 });
    await Promise.all([database.purge(), database.purge()]);
    expect(await database.collection<Thing>('things').countDocuments({})).toBe(1);
  });

  it('lets other callers write and read meanwhile', async () => {
    const database = await newDatabase(store());
    const things = database.collection<Thing>('things');
    await things.insertOne({ _id: 0, n: 0, title: 'gone' });
    await things.deleteOne({ _id: 0 });
    await Promise.all([
      database.purge(),
      database.transaction(async (transaction) => {
        await transaction.collection<Thing>('things').insertOne({ _id: 1, n: 1 });
        await transaction.setCheckpoint(3);
      }),
      things.find({ n: 1 }),
      database.purge(),
    ]);
    expect(await things.find({ n: 1 })).toEqual([{ _id: 1, n: 1 }]);
    expect(await database.checkpoint()).toBe(3);
  });
}
