import { expect, it } from '@jest/globals';
import {
  ConditionFailed,
  type DocumentDatabase,
  type DocumentStore,
  DuplicateKey,
  type WholeWrite,
} from '../../src/platform/documents/document-store.js';
import type { Thing } from '../support/engines/document-store-collections.js';

let made = 0;

async function newDatabase(store: DocumentStore): Promise<DocumentDatabase> {
  const database = await store.database(`whole-${++made}`);
  await database.ensure({ things: {}, guards: {} });
  return database;
}

const inserted = (...ids: readonly number[]): WholeWrite['writes'][number] => ({
  collection: 'things',
  operations: ids.map((_id) => ({ insertOne: { document: { _id } } })),
});

const idsIn = async (database: DocumentDatabase): Promise<unknown[]> =>
  (await database.collection<Thing>('things').find({}, { sort: { _id: 1 }, limit: 10 })).map(({ _id }) => _id);

const guarded = (token: number): Pick<WholeWrite, 'condition'> => ({
  condition: { collection: 'guards', operation: { updateOne: { filter: { _id: token }, update: { $set: { n: 1 } } } } },
});

export function wholeWrites(store: () => DocumentStore): void {
  it('stores writes known as a whole with their checkpoint, and returns a result for each collection', async () => {
    const database = await newDatabase(store());
    const event = { id: 'an-event', stream: 'things', revision: 3, position: 4 };
    const results = await database.write({ writes: [inserted(1, 2), inserted(3)], checkpoint: 5, event });
    expect(results.map((result) => result.inserted)).toEqual([2, 1]);
    expect(await idsIn(database)).toEqual([1, 2, 3]);
    expect(await database.checkpoint()).toBe(5);
    const stored = (await store().checkpoints()).find((one) => one.database === database.name);
    expect(stored).toMatchObject({ position: 5, event });
  });

  it('leaves the checkpoint where it is if a whole write names none', async () => {
    const database = await newDatabase(store());
    await database.write({ writes: [inserted(1)], checkpoint: 3 });
    await database.write({ writes: [inserted(2)] });
    expect(await database.checkpoint()).toBe(3);
    expect(await idsIn(database)).toEqual([1, 2]);
  });

  it('stores nothing of a whole write whose condition matches no document', async () => {
    const database = await newDatabase(store());
    await database.collection<Thing>('guards').insertOne({ _id: 7 });
    await expect(database.write({ ...guarded(8), writes: [inserted(1)], checkpoint: 1 })).rejects.toThrow(
      ConditionFailed,
    );
    expect(await idsIn(database)).toEqual([]);
    expect(await database.checkpoint()).toBeNull();
    const results = await database.write({ ...guarded(7), writes: [inserted(1)], checkpoint: 1 });
    expect(results).toMatchObject([{ inserted: 1 }]);
    expect(await database.checkpoint()).toBe(1);
  });

  it('stores the whole writes of several databases at the same moment, except those that are refused', async () => {
    const databases: DocumentDatabase[] = [];
    for (let n = 0; n < 5; n++) databases.push(await newDatabase(store()));
    const [one, two, three, four, five] = databases as [
      DocumentDatabase,
      DocumentDatabase,
      DocumentDatabase,
      DocumentDatabase,
      DocumentDatabase,
    ];
    await two.write({ writes: [inserted(1)], checkpoint: 1 });
    const outcomes = await Promise.allSettled([
      one.write({ writes: [inserted(1)], checkpoint: 2 }),
      two.write({ writes: [inserted(2, 1)], checkpoint: 2 }),
      three.write({ ...guarded(1), writes: [inserted(1)], checkpoint: 2 }),
      four.write({ writes: [inserted(1)], checkpoint: 2 }),
      five.write({ writes: [] }),
    ]);
    expect(outcomes).toMatchObject([
      { value: [{ inserted: 1 }] },
      { reason: expect.any(DuplicateKey) },
      { reason: expect.any(ConditionFailed) },
      { value: [{ inserted: 1 }] },
      { value: [] },
    ]);
    expect(await Promise.all(databases.map((each) => each.checkpoint()))).toEqual([2, 1, null, 2, null]);
    expect(await Promise.all(databases.map(idsIn))).toEqual([[1], [1], [], [1], []]);
  });

  it('stores one whole write after the other, in the order of the calls', async () => {
    const databases = [await newDatabase(store()), await newDatabase(store())];
    const writes = [1, 2, 3].flatMap((n) =>
      databases.map((database) => database.write({ writes: [inserted(n)], checkpoint: n })),
    );
    await Promise.all(writes);
    for (const database of databases) {
      expect(await database.checkpoint()).toBe(3);
      expect(await idsIn(database)).toEqual([1, 2, 3]);
    }
  });

  it('knows which collections a database has', async () => {
    const database = await newDatabase(store());
    expect([await database.has('things'), await database.has('others')]).toEqual([true, false]);
    await database.ensure({ others: {} });
    expect(await database.has('others')).toBe(true);
  });
}
