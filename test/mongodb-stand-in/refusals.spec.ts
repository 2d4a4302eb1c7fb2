import { expect, it } from '@jest/globals';
import {
  type AnyClientBulkWriteModel,
  type ClientSession,
  type Document,
  MongoClient,
  MongoServerError,
  MongoWriteConcernError,
} from 'mongodb';
import { MongoConnection } from '../../src/platform/mongodb/mongo-connection.js';
import { standInReport } from '../support/engines/mongodb/report.js';
import { describeMongodb, serverWritesTogether } from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import { failureOf, MB, type OwnClient, type Thing, thingsOf, withClient } from './own-client.js';

const LIFETIME = 500;
/** The stand-in knows no other sessions in a command for several collections. */
const SESSION = { causalConsistency: false };

type Write = (own: OwnClient, session: ClientSession) => Promise<unknown>;

const insert =
  (count: number, size: number, from = 0): Write =>
  ({ things }, session) =>
    things.insertMany(thingsOf(count, size, from), { session });

const inserts =
  (...all: readonly Write[]): Write =>
  async (own, session) => {
    for (const each of all) await each(own, session);
  };

const modelsOf = (namespace: string, things: readonly Thing[]): AnyClientBulkWriteModel<Document>[] =>
  things.map(({ _id, text }) => ({ name: 'insertOne', namespace, document: { _id, text } as Document }));

const IN_ONE_COMMAND: [string, Write] = [
  '10 documents of 2 MB in one command for several collections',
  ({ client, things }, session) => client.bulkWrite(modelsOf(things.namespace, thingsOf(10, 2 * MB)), { session }),
];
const writesTogether = await serverWritesTogether();

describeMongodb('a transaction', () => {
  if (!writesTogether)
    it.skip(`that writes ${IN_ONE_COMMAND[0]}: skipped, servers before MongoDB 8.0 have none`, () => {});

  it.each<[string, Write]>([
    ['100 documents of 200 KB', insert(100, 200_000)],
    ['9 documents of 2 MB, one by one', inserts(...Array.from({ length: 9 }, (_, n) => insert(1, 2 * MB, n)))],
    ['10 documents of 2 MB', insert(10, 2 * MB)],
    ['5,000 small documents and 10 of 2 MB', inserts(insert(5000, 10), insert(10, 2 * MB, 5000))],
    [
      '10 documents of 2 MB, upserted',
      ({ things }, session) =>
        things.bulkWrite(
          thingsOf(10, 2 * MB).map(({ _id, text }) => ({
            replaceOne: { filter: { _id }, replacement: { text }, upsert: true },
          })),
          { session },
        ),
    ],
    ...(writesTogether ? [IN_ONE_COMMAND] : []),
  ])('that writes %s is refused at each commit, and stores nothing', async (_, write) => {
    await withClient({}, async (own) => {
      const { client, things } = own;
      await client.withSession(SESSION, async (session) => {
        for (let attempt = 1; attempt <= 2; attempt++) {
          session.startTransaction();
          await write(own, session);
          const refusal = await failureOf(session.commitTransaction());
          expect(refusal).toBeInstanceOf(MongoServerError);
          expect(refusal).toMatchObject({ code: 112, codeName: 'WriteConflict' });
          expect((refusal as MongoServerError).hasErrorLabel('TransientTransactionError')).toBe(true);
          expect(await things.countDocuments()).toBe(0);
        }
      });
      expect(await standInReport(client.db(things.dbName))).toMatchObject({ tooLarge: 2, tooOld: 0 });
    });
  });

  it.each<[string, number, Write]>([
    ['one document of 15 MB', 1, insert(1, 15 * MB)],
    ['6 documents of 2 MB', 6, insert(6, 2 * MB)],
    ['5,000 small documents and 6 of 2 MB', 5006, inserts(insert(5000, 10), insert(6, 2 * MB, 5000))],
  ])('that writes %s is committed', async (_, count, write) => {
    await withClient({}, async (own) => {
      await own.client.withSession(SESSION, (session) => session.withTransaction(() => write(own, session)));
      expect(await own.things.countDocuments()).toBe(count);
    });
  });

  it('counts an update of many documents once for each', async () => {
    await withClient({}, async ({ client, things }) => {
      await things.insertMany(thingsOf(100, 1));
      await client.withSession(SESSION, async (session) => {
        const set = { $set: { text: 'y'.repeat(200_000) } };
        session.startTransaction();
        await things.updateMany({ _id: { $lt: 50 } }, set, { session });
        await session.commitTransaction();
        session.startTransaction();
        await things.updateMany({}, { $set: { text: 'z'.repeat(200_000) } }, { session });
        expect(await failureOf(session.commitTransaction())).toMatchObject({ code: 112 });
      });
      expect(await things.countDocuments({ text: /^y/ })).toBe(50);
      expect(await things.countDocuments({ text: 'x' })).toBe(50);
    });
  });

  it('does not count what an aborted transaction of its session has written', async () => {
    await withClient({}, async (own) => {
      await own.client.withSession(SESSION, async (session) => {
        session.startTransaction();
        await insert(100, 200_000)(own, session);
        await session.abortTransaction();
        await session.withTransaction(() => insert(6, 2 * MB)(own, session));
        await session.withTransaction(() => insert(6, 2 * MB, 6)(own, session));
      });
      expect(await own.things.countDocuments()).toBe(12);
    });
  });

  it('is aborted after its lifetime: others can write its documents, and it cannot go on', async () => {
    await withClient({ transactionLifetime: LIFETIME }, async ({ client, things }) => {
      await things.insertOne({ _id: 1, text: 'before' });
      await client.withSession(SESSION, async (session) => {
        session.startTransaction();
        await things.updateOne({ _id: 1 }, { $set: { text: 'in the transaction' } }, { session });
        await eventually(() => things.updateOne({ _id: 1 }, { $set: { text: 'by another' } }, { maxTimeMS: 100 }));
        const next = await failureOf(things.findOne({ _id: 1 }, { session }));
        expect(next).toMatchObject({ code: 251, codeName: 'NoSuchTransaction' });
        expect((next as MongoServerError).hasErrorLabel('TransientTransactionError')).toBe(true);
        expect(await failureOf(session.commitTransaction())).toMatchObject({ code: 251 });
        expect(await things.findOne()).toEqual({ _id: 1, text: 'by another' });
        await session.withTransaction(() => things.deleteOne({ _id: 1 }, { session }));
      });
      expect(await things.countDocuments()).toBe(0);
      expect(await standInReport(client.db(things.dbName))).toMatchObject({ tooLarge: 0, tooOld: 1 });
    });
  });
});

describeMongodb('a commit whose session is killed while it waits for the majority', () => {
  it('is stored, and says that its wait was interrupted; repeated, that it is committed', async () => {
    await withClient({ durableAfter: 500 }, async ({ client, things }) => {
      const killed = await eventually(() =>
        client.withSession(SESSION, async (session) => {
          await things.deleteMany({});
          session.startTransaction();
          await things.insertOne({ _id: 1, text: 'x' }, { session });
          const failure = failureOf(session.commitTransaction());
          await eventually(async () => expect(await things.countDocuments()).toBe(1));
          await client.db('admin').command({ killSessions: [session.id] });
          // On a busy machine, the commit may be answered before.
          const failed = await failure;
          await session.commitTransaction();
          return failed;
        }),
      );
      expect(killed).toBeInstanceOf(MongoWriteConcernError);
      expect(killed).toMatchObject({ code: 11601 });
      expect((killed as MongoServerError).hasErrorLabel('UnknownTransactionCommitResult')).toBe(true);
      expect(await things.find().toArray()).toEqual([{ _id: 1, text: 'x' }]);
    });
  });
});

describeMongodb('a transaction whose session is killed at any moment', () => {
  const ROUNDS = 200;
  const ids = Array.from({ length: 8 }, (_, n) => n);

  async function updatedAndKilled({ client, things }: OwnClient, _id: number): Promise<void> {
    const [filter, update] = [{ _id }, { $set: { text: 'y' } }];
    const { namespace } = things;
    const model = { name: 'updateOne', namespace, filter: filter as Document, update } as const;
    await client.withSession(SESSION, async (session) => {
      session.startTransaction();
      const updated = writesTogether
        ? client.bulkWrite([model], { session })
        : things.updateOne(filter, update, { session });
      const killed = client.db('admin').command({ killSessions: [session.id] });
      await Promise.allSettled([updated, killed]);
    });
  }

  it('leaves nothing locked', async () => {
    const options = { socketTimeoutMS: 30_000, retryWrites: false };
    const work = async (own: OwnClient): Promise<void> => {
      const { things } = own;
      await things.insertMany(ids.map((_id) => ({ _id, text: 'x' })));
      await Promise.all(
        ids.map(async (_id) => {
          for (let round = 1; round <= ROUNDS; round++) {
            await updatedAndKilled(own, _id);
            await things.updateOne({ _id }, { $set: { text: `${round}` } });
          }
        }),
      );
      expect(await things.find().sort({ _id: 1 }).toArray()).toEqual(ids.map((_id) => ({ _id, text: `${ROUNDS}` })));
    };
    await withClient({ durableAfter: 0 }, work, options);
  });
});

describeMongodb('a durable write', () => {
  const least = 300;

  async function took(work: () => Promise<unknown>): Promise<number> {
    const started = performance.now();
    await work();
    return performance.now() - started;
  }

  it('takes its time, alone or as a commit', async () => {
    await withClient({}, async ({ client, things }) => {
      expect(await took(() => things.insertOne({ _id: 1, text: 'x' }))).toBeGreaterThanOrEqual(5);
      await client.withSession(SESSION, async (session) => {
        session.startTransaction();
        await things.deleteOne({ _id: 1 }, { session });
        expect(await took(() => session.commitTransaction())).toBeGreaterThanOrEqual(5);
      });
    });
  });

  it('is answered later than reads, other writes, and commands in a transaction', async () => {
    await withClient({ durableAfter: least }, async ({ client, things }) => {
      const quick = { writeConcern: { w: 1 } } as const;
      expect(await took(() => things.insertOne({ _id: 1, text: 'x' }))).toBeGreaterThanOrEqual(least);
      expect(await took(() => things.insertOne({ _id: 2, text: 'x' }, quick))).toBeLessThan(least);
      expect(await took(() => things.find().toArray())).toBeLessThan(least);
      await client.withSession(SESSION, async (session) => {
        session.startTransaction();
        expect(await took(() => things.insertOne({ _id: 3, text: 'x' }, { session }))).toBeLessThan(least);
        expect(await took(() => session.commitTransaction())).toBeGreaterThanOrEqual(least);
      });
    });
  });
});

describeMongodb('a server that presents itself as MongoDB 4.4', () => {
  it('is taken for one by the driver, and writes to one collection in a command', async () => {
    await withClient({ maxWireVersion: 9 }, async ({ client, things, proxy }) => {
      expect(await client.db('admin').command({ hello: 1 })).toMatchObject({ maxWireVersion: 9 });
      await expect(client.bulkWrite(modelsOf(things.namespace, thingsOf(1, 1)))).rejects.toThrow();
      const bulkWrite = {
        bulkWrite: 1,
        ops: [{ insert: 0, document: { _id: 1 } }],
        nsInfo: [{ ns: things.namespace }],
      };
      expect(await failureOf(client.db('admin').command(bulkWrite))).toMatchObject({ codeName: 'CommandNotFound' });
      expect(await things.countDocuments()).toBe(0);

      const connection = await MongoConnection.open(proxy.url);
      expect(connection.writesTogether).toBe(false);
      await connection.close();
    });
  });

  it('says so in each heartbeat', async () => {
    await withClient({ maxWireVersion: 9 }, async ({ proxy }) => {
      const client = new MongoClient(proxy.url, { heartbeatFrequencyMS: 500 });
      const versions: unknown[] = [];
      client.on('serverHeartbeatSucceeded', ({ reply }) => versions.push(reply.maxWireVersion));
      await client.connect();
      await eventually(() => expect(versions.length).toBeGreaterThan(3));
      await client.close();
      expect(new Set(versions)).toEqual(new Set([9]));
    });
  });
});
