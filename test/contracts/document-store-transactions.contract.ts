import { expect, it } from '@jest/globals';
import {
  type DocumentDatabase,
  type DocumentStore,
  DuplicateKey,
} from '../../src/platform/documents/document-store.js';
import type { EventPlace } from '../../src/platform/kernel/event.js';
import type { Thing } from '../support/engines/document-store-collections.js';

let made = 0;

async function newDatabase(store: DocumentStore): Promise<DocumentDatabase> {
  const database = await store.database(`transactions-${++made}`);
  await database.ensure({ things: { indexes: [{ keys: { n: 1 } }] } });
  return database;
}

const thing = (_id: number, n: number): Thing => ({ _id, n });

export function transactions(store: () => DocumentStore): void {
  it('stores documents and checkpoint together', async () => {
    const database = await newDatabase(store());
    expect(await database.checkpoint()).toBeNull();
    const answer = await database.transaction(async (transaction) => {
      await transaction.collection<Thing>('things').insertOne({ _id: 1 });
      await transaction.setCheckpoint(2 ** 41 - 1);
      return 'answer';
    });
    expect(answer).toBe('answer');
    expect(await database.checkpoint()).toBe(2 ** 41 - 1);
    expect(await database.collection('things').countDocuments({})).toBe(1);
  });

  it('reads its own writes, which other callers see only after its end', async () => {
    const database = await newDatabase(store());
    const things = database.collection<Thing>('things');
    await things.insertOne({ _id: 1, n: 1 });
    await database.transaction(async (transaction) => {
      const own = transaction.collection<Thing>('things');
      await own.updateOne({ _id: 1 }, { $set: { n: 2 } });
      await own.insertOne({ _id: 2, n: 2 });
      await transaction.setCheckpoint(7);
      expect(await own.find({ n: 2 }, { sort: { _id: 1 } })).toEqual([
        { _id: 1, n: 2 },
        { _id: 2, n: 2 },
      ]);
      expect(await things.find({ n: { $in: [1, 2] } })).toEqual([{ _id: 1, n: 1 }]);
      expect(await things.countDocuments({})).toBe(1);
      expect(await database.checkpoint()).toBeNull();
    });
    expect(await things.find({ n: 2 })).toHaveLength(2);
    expect(await database.checkpoint()).toBe(7);
  });

  it('writes to several collections at once, and returns a result for each', async () => {
    const database = await newDatabase(store());
    await database.ensure({ others: {} });
    const things = database.collection<Thing>('things');
    await things.insertOne({ _id: 1, n: 1 });
    const results = await database.transaction((transaction) =>
      transaction.writeAll(
        [
          {
            collection: 'things',
            operations: [
              { updateOne: { filter: { _id: 1 }, update: { $set: { n: 2 } } } },
              { replaceOne: { filter: { _id: 2 }, replacement: thing(2, 5), upsert: true } },
              { updateMany: { filter: { n: { $gte: 3 } }, update: { $set: { n: 6 } } } },
            ],
          },
          { collection: 'others', operations: [] },
          {
            collection: 'others',
            operations: [{ insertOne: { document: thing(7, 7) } }, { deleteOne: { filter: { _id: 8 } } }],
          },
          { collection: 'things', operations: [{ deleteMany: { filter: { n: 2 } } }] },
        ],
        9,
      ),
    );
    expect(results).toEqual([
      { matched: 2, modified: 2, inserted: 1, deleted: 0 },
      { matched: 0, modified: 0, inserted: 0, deleted: 0 },
      { matched: 0, modified: 0, inserted: 1, deleted: 0 },
      { matched: 0, modified: 0, inserted: 0, deleted: 1 },
    ]);
    expect(await things.find({ n: { $gte: 0 } })).toEqual([{ _id: 2, n: 6 }]);
    expect(await database.collection('others').countDocuments({})).toBe(1);
    expect(await database.checkpoint()).toBe(9);
    const refused = database.transaction((transaction) =>
      transaction.writeAll(
        [
          { collection: 'things', operations: [{ insertOne: { document: thing(3, 3) } }] },
          { collection: 'others', operations: [{ insertOne: { document: thing(7, 8) } }] },
        ],
        10,
      ),
    );
    const error = await refused.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DuplicateKey);
    expect(error).toMatchObject({ collection: 'others' });
    expect(await things.countDocuments({})).toBe(1);
    expect(await database.checkpoint()).toBe(9);
  });

  it('keeps the event that a checkpoint was stored with, until the next checkpoint', async () => {
    const database = await newDatabase(store());
    await newDatabase(store());
    const stored = async () => {
      const found = (await store().checkpoints()).find((each) => each.database === database.name);
      expect(await store().checkpoints(database.name)).toEqual(found ? [found] : []);
      return found;
    };
    const place = (position: number) => ({ id: `id-${position}`, stream: 'users', revision: position - 3, position });
    const move = (position: number, event?: EventPlace) =>
      database.transaction((transaction) => transaction.setCheckpoint(position, event));
    expect(await stored()).toBeUndefined();
    await move(5);
    expect(await stored()).toEqual({ database: database.name, position: 5, event: null });
    await move(7, place(6));
    await move(8);
    expect(await stored()).toEqual({ database: database.name, position: 8, event: place(6) });
    await database.transaction((transaction) =>
      transaction.writeAll(
        [{ collection: 'things', operations: [{ insertOne: { document: { _id: 1 } } }] }],
        9,
        place(9),
      ),
    );
    const failing = database.transaction(async (transaction) => {
      await transaction.setCheckpoint(10, place(10));
      throw new Error('the work failed');
    });
    await expect(failing).rejects.toThrow('the work failed');
    expect(await stored()).toEqual({ database: database.name, position: 9, event: place(9) });
    expect((await store().checkpoints()).map((each) => each.database)).not.toContain(`transactions-${made}`);
  });

  it('leaves nothing behind when its work fails', async () => {
    const database = await newDatabase(store());
    const things = database.collection<Thing>('things');
    await things.insertOne({ _id: 1, n: 1 });
    await database.transaction((transaction) => transaction.setCheckpoint(3));
    const failing = database.transaction(async (transaction) => {
      await transaction
        .collection<Thing>('things')
        .bulkWrite([{ insertOne: { document: { _id: 2, n: 2 } } }, { deleteOne: { filter: { _id: 1 } } }]);
      await transaction.setCheckpoint(4);
      throw new Error('the work failed');
    });
    await expect(failing).rejects.toThrow('the work failed');
    expect(await things.find({ n: { $gte: 0 } })).toEqual([{ _id: 1, n: 1 }]);
    expect(await database.checkpoint()).toBe(3);
  });

  it('fails as a whole when one of its writes is refused', async () => {
    const database = await newDatabase(store());
    const failing = database.transaction(async (transaction) => {
      for (const _id of [1, 2, 1]) await transaction.collection<Thing>('things').insertOne({ _id });
    });
    await expect(failing).rejects.toThrow(DuplicateKey);
    expect(await database.collection('things').countDocuments({})).toBe(0);
  });

  it('waits for earlier transactions, and runs after one of them failed', async () => {
    const database = await newDatabase(store());
    const things = database.collection<Thing>('things');
    const order: string[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = database.transaction(async (transaction) => {
      order.push('first starts');
      await held;
      await transaction.collection<Thing>('things').insertOne({ _id: 1, n: 0 });
      order.push('first ends');
      throw new Error('first failed');
    });
    const second = database.transaction(async (transaction) => {
      order.push('second starts');
      await transaction.collection<Thing>('things').insertOne({ _id: 2, n: 0 });
    });
    const third = things.updateMany({ n: 0 }, { $set: { n: 1 } });
    release();
    await expect(first).rejects.toThrow('first failed');
    await second;
    expect(await third).toMatchObject({ matched: 1 });
    expect(order).toEqual(['first starts', 'first ends', 'second starts']);
    expect(await things.find({ n: 1 })).toEqual([{ _id: 2, n: 1 }]);
  });

  it('refuses calls after its end', async () => {
    const database = await newDatabase(store());
    const kept = await database.transaction(async (transaction) => transaction);
    await expect(kept.collection<Thing>('things').insertOne({ _id: 1 })).rejects.toThrow();
    await expect(kept.setCheckpoint(1)).rejects.toThrow();
    expect(await database.collection('things').countDocuments({})).toBe(0);
    expect(await database.checkpoint()).toBeNull();
  });
}
