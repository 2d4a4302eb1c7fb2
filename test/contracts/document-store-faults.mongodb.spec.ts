import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Binary } from 'mongodb';
import {
  type DocumentDatabase,
  type DocumentStore,
  DocumentStoreUnavailable,
} from '../../src/platform/documents/document-store.js';
import { MongoDocumentStore } from '../../src/platform/documents/mongodb/mongo-document-store.js';
import type { Thing } from '../support/engines/document-store-collections.js';
import { standInReport } from '../support/engines/mongodb/report.js';
import {
  describeMongodb,
  disturbedServer,
  mongodbWith,
  type OwnDatabase,
  ownDatabase,
  shortfallsOfServer,
} from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import type { TcpProxy } from '../support/outside/tcp-proxy.js';

const shortfalls = await shortfallsOfServer();

const CALL = 1500;
/** By itself, the driver waits for ever for a server that does not answer. */
const BOUND = 60_000;

let direct: OwnDatabase;
let stores: DocumentStore[];
beforeEach(() => {
  direct = ownDatabase();
  stores = [];
});
afterEach(async () => {
  await Promise.allSettled(stores.map((store) => store.close()));
  await direct.remove();
});

async function openStore(database = direct, timeouts?: { findServer: number; call: number }): Promise<DocumentStore> {
  const store = await MongoDocumentStore.open(await database.connect(timeouts));
  stores.push(store);
  return store;
}

async function openThings(store: DocumentStore, name = 'faults'): Promise<DocumentDatabase> {
  const database = await store.database(name);
  await database.ensure({ things: { indexes: [{ keys: { n: 1 } }], text: ['title'] } });
  return database;
}

const write = (database: DocumentDatabase, n: number) =>
  database.transaction(async (transaction) => {
    await transaction.collection<Thing>('things').replaceOne({ _id: 1 }, { _id: 1, n }, { upsert: true });
    await transaction.setCheckpoint(n);
  });

/** The stored document and checkpoint, read by another process. */
async function stored(): Promise<readonly unknown[]> {
  const database = await openThings(await openStore());
  const [thing] = await database.collection<Thing>('things').find({ _id: 1 });
  return [thing?.n ?? null, await database.checkpoint()];
}

describeMongodb('documents in a MongoDB that cannot be reached', () => {
  let proxy: TcpProxy;
  let database: DocumentDatabase;
  let disturbed: OwnDatabase;
  beforeEach(async () => {
    const between = await disturbedServer();
    proxy = between.proxy;
    disturbed = ownDatabase(between.server, direct.name);
    database = await openThings(await openStore(disturbed, { findServer: CALL, call: CALL }));
    await write(database, 1);
  });
  afterEach(async () => {
    await disturbed.close();
    await proxy.close();
  });

  it('fail as unavailable in bounded time while the server does not answer, and then work again', async () => {
    proxy.freeze();
    const started = performance.now();
    const things = database.collection<Thing>('things');
    const asked = await Promise.allSettled([
      things.find({ _id: 1 }),
      things.countDocuments({}),
      database.checkpoint(),
      write(database, 2),
    ]);
    for (const each of asked) {
      expect(each).toMatchObject({ status: 'rejected', reason: expect.any(DocumentStoreUnavailable) });
    }
    expect(performance.now() - started).toBeLessThan(BOUND);

    proxy.thaw();
    await eventually(async () => expect(await database.checkpoint()).toBe(1));
    await eventually(() => write(database, 3));
    expect(await stored()).toEqual([3, 3]);
  });

  it('agree with the checkpoint after the connection was cut within a transaction', async () => {
    const failing = database.transaction(async (transaction) => {
      const things = transaction.collection<Thing>('things');
      await things.replaceOne({ _id: 1 }, { _id: 1, n: 2 }, { upsert: true });
      await proxy.cut();
      await transaction.setCheckpoint(2);
    });
    await expect(failing).rejects.toThrow(DocumentStoreUnavailable);
    expect(await stored()).toEqual([1, 1]);

    await proxy.restore();
    await eventually(() => write(database, 3));
    expect(await stored()).toEqual([3, 3]);
  });

  it('are committed once if the answer to the commit is lost', async () => {
    const committed = database.transaction(async (transaction) => {
      const things = transaction.collection<Thing>('things');
      // A second insert would be refused.
      await things.insertOne({ _id: 2, n: 11 });
      await transaction.setCheckpoint(2);
      void proxy.loseAnswers().then(() => proxy.answersLost());
      return 'answer';
    });
    expect(await committed).toBe('answer');
    expect(await stored()).toEqual([1, 2]);
    expect(await database.collection('things').findOne({ _id: 2 })).toEqual({ _id: 2, n: 11 });
    await write(database, 3);
    expect(await stored()).toEqual([3, 3]);
  });

  it('are written once if the answer to a single write is lost', async () => {
    const things = database.collection<Thing>('things');
    void proxy.loseAnswers().then(() => proxy.answersLost());
    expect(await things.insertOne({ _id: 2, n: 11 })).toMatchObject({ inserted: 1 });
    expect(await things.findOne({ _id: 2 })).toEqual({ _id: 2, n: 11 });
  });
});

describeMongodb('documents that several processes write', () => {
  it('can be written at the first call although a dead process left a transaction open', async () => {
    const dead = await openThings(await openStore());
    await write(dead, 1);
    let release = (): void => undefined;
    const abandoned = dead.transaction(async (transaction) => {
      await transaction.collection<Thing>('things').replaceOne({ _id: 1 }, { _id: 1, n: 2 });
      await transaction.setCheckpoint(2);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const other = await openThings(await openStore());
    await eventually(async () => expect(await other.collection('things').countDocuments({ n: 1 })).toBe(1));

    const replaced = { replaceOne: { filter: { _id: 1 }, replacement: { _id: 1, n: 3 } } };
    await other.write({ writes: [{ collection: 'things', operations: [replaced] }], checkpoint: 3 });

    expect(await stored()).toEqual([3, 3]);
    release();
    await expect(abandoned).rejects.toThrow(DocumentStoreUnavailable);
    expect(await stored()).toEqual([3, 3]);
  });

  it('can be written without a transaction, and dropped, although a dead process left a transaction open', async () => {
    // The server itself would end the transaction only long after this spec.
    const proxy = await mongodbWith({ transactionLifetime: 600_000 });
    const behind = ownDatabase(proxy.url, direct.name);
    const killed = async () => (await standInReport((await behind.connect()).database)).commands.killSessions ?? 0;
    const dead = await openThings(await openStore(behind));
    await write(dead, 1);
    let release = (): void => undefined;
    const abandon = async (): Promise<{ readonly abandoned: Promise<unknown> }> => {
      let abandoned: Promise<unknown> = Promise.resolve();
      await new Promise<void>((begun) => {
        abandoned = dead.transaction(async (transaction) => {
          await transaction.collection<Thing>('things').replaceOne({ _id: 1 }, { _id: 1, n: 2 }, { upsert: true });
          begun();
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        });
        abandoned.catch(begun);
      });
      return { abandoned };
    };
    const { abandoned } = await abandon();
    const store = await openStore(behind);
    const other = await openThings(store);

    await eventually(() => other.collection<Thing>('things').updateOne({ _id: 1 }, { $set: { n: 4 } }));

    expect(await killed()).toBeGreaterThan(0);
    expect((await stored())[0]).toBe(4);
    release();
    await expect(abandoned).rejects.toThrow(DocumentStoreUnavailable);
    if (!shortfalls.dropsBesideTransactions) {
      const again = await abandon();
      await store.dropDatabase('faults');
      release();
      await expect(again.abandoned).rejects.toThrow();
      expect(await store.databases()).toEqual([]);
    }
    await Promise.all(stores.splice(0).map((each) => each.close()));
    await behind.close();
    await proxy.stop();
  });

  it('are not overwritten by a process that knows only an older checkpoint', async () => {
    const [slow, quick] = [await openThings(await openStore()), await openThings(await openStore())];
    await write(slow, 1);
    expect(await quick.checkpoint()).toBe(1);
    await write(quick, 2);
    await expect(write(slow, 2)).rejects.toThrow(DocumentStoreUnavailable);
    expect(await stored()).toEqual([2, 2]);
    // A failed write, or a read of the checkpoint, brings a process up to date.
    await write(slow, 3);
    expect(await quick.checkpoint()).toBe(3);
    await write(quick, 4);
    expect(await slow.checkpoint()).toBe(4);
    await write(slow, 3);
    expect(await stored()).toEqual([3, 3]);
  });

  it('may be ensured, written and dropped by several processes at once', async () => {
    const several = await Promise.all([1, 2, 3].map(() => openStore()));
    const opened = await Promise.all(several.map((store) => openThings(store)));
    await Promise.all(opened.map((each, n) => each.collection<Thing>('things').insertOne({ _id: n, n })));
    expect(await opened[0]?.collection('things').countDocuments({ n: { $gte: 0 } })).toBe(3);

    await Promise.all(several.map((store) => store.dropDatabase('faults')));
    expect(await several[0]?.databases()).toEqual([]);

    const [left, right] = several as [DocumentStore, DocumentStore, DocumentStore];
    const old = await openThings(left);
    await old.collection<Thing>('things').insertOne({ _id: 'old' });
    await right.dropDatabase('faults');
    const fresh = await openThings(right);
    await fresh.collection<Thing>('things').insertOne({ _id: 'fresh' });
    // A process that holds the dropped database cannot write the new one of the same name.
    await expect(write(old, 9)).rejects.toThrow(DocumentStoreUnavailable);
    await expect(old.checkpoint()).rejects.toThrow(DocumentStoreUnavailable);
    expect(await fresh.collection('things').find({ _id: { $in: ['old', 'fresh'] } })).toEqual([{ _id: 'fresh' }]);
  });
});

describeMongodb('whole writes', () => {
  it('are stored although their transactions are ended by others, alone and several in one transaction', async () => {
    const store = await openStore();
    const [left, right] = [await openThings(store), await openThings(store, 'others')];
    const other = (await direct.connect()).database;
    const endTransactions = async (): Promise<void> => {
      const records = await other.collection('documentDatabases').find({}).toArray();
      const killSessions = records.flatMap(({ sessions = [] }) => sessions.map((id: Binary) => ({ id })));
      if (killSessions.length > 0) await other.command({ killSessions });
    };
    const put = (database: DocumentDatabase, n: number) => {
      const replaced = { replaceOne: { filter: { _id: 1 }, replacement: { _id: 1, n }, upsert: true } };
      return database.write({ writes: [{ collection: 'things', operations: [replaced] }], checkpoint: n });
    };

    for (let n = 1; n <= 100; n++) {
      const writes = n % 2 === 0 ? [put(left, n)] : [put(left, n), put(right, n)];
      await Promise.all([...writes, endTransactions()]);
    }

    expect(await stored()).toEqual([100, 100]);
    expect(await right.collection<Thing>('things').find({ _id: 1 })).toEqual([{ _id: 1, n: 99 }]);
  });
});
