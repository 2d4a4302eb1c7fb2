import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { addressIn } from '../support/engines/mongodb/address.js';
import { MongodbProxy } from '../support/engines/mongodb/mongodb-proxy.js';
import { standInReport } from '../support/engines/mongodb/report.js';
import { describeMongodb, disturbedServer } from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import { MB, thingsOf, withClient } from './own-client.js';

describeMongodb('a proxy in front of MongoDB', () => {
  it('passes large documents unchanged, to and fro', async () => {
    await withClient({}, async ({ things }) => {
      const written = thingsOf(4, 12 * MB).map(({ _id }) => ({ _id, text: `${_id}`.repeat(12 * MB) }));
      await things.insertMany(written);
      for (const each of await things.find().sort({ _id: 1 }).toArray()) {
        expect(each.text === written[each._id]?.text).toBe(true);
      }
    });
  });

  it('answers other connections while a change stream waits', async () => {
    await withClient({}, async ({ client, things }) => {
      const changes = things.watch([], { maxAwaitTimeMS: 200_000 });
      const next = changes.next();
      await eventually(async () =>
        expect((await standInReport(client.db(things.dbName))).commands).toHaveProperty('getMore'),
      );
      const started = performance.now();
      expect(await things.find().toArray()).toEqual([]);
      expect(performance.now() - started).toBeLessThan(100_000);
      await things.insertOne({ _id: 1, text: 'x' });
      expect(await next).toMatchObject({ operationType: 'insert', documentKey: { _id: 1 } });
      await changes.close();
    });
  });

  it('ends a connection when the server ends it, and connects again when the server is back', async () => {
    const between = await disturbedServer();
    const proxy = await MongodbProxy.start(between.server);
    const ended = () => once(connect(addressIn(proxy.url)).resume(), 'close');
    const first = ended();
    await eventually(() => expect(between.proxy.connections).toBe(1));
    await between.proxy.cut();
    await first;
    await ended();
    await between.proxy.restore();
    const client = new MongoClient(proxy.url);
    expect(await client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await client.close();
    await proxy.stop();
    await between.proxy.close();
  });

  it('ends the connection to the server when the client ends its own', async () => {
    const between = await disturbedServer();
    const proxy = await MongodbProxy.start(between.server);
    const client = new MongoClient(proxy.url);
    await client.connect();
    await eventually(() => expect(between.proxy.connections).toBeGreaterThan(0));
    await client.close();
    await eventually(() => expect(between.proxy.connections).toBe(0));
    await proxy.stop();
    await between.proxy.close();
  });

  it('passes bytes that are no message', async () => {
    const between = await disturbedServer();
    const proxy = await MongodbProxy.start(between.server);
    let asked = Buffer.alloc(0);
    between.proxy.onAsked = (bytes) => {
      asked = Buffer.concat([asked, bytes]);
    };
    const nonsense = Buffer.alloc(100, 0xff);
    const socket = connect(addressIn(proxy.url));
    socket.on('error', () => undefined).write(nonsense);
    await eventually(() => expect(asked.equals(nonsense)).toBe(true));
    socket.destroy();
    await proxy.stop();
    await between.proxy.close();
  });

  it('reports on each database, and on all', async () => {
    await withClient({}, async ({ client, things }) => {
      const own = client.db(things.dbName);
      await standInReport(own, { reset: true });
      await things.insertOne({ _id: 1, text: 'x' });
      await client.db(`${things.dbName}-2`).collection('others').find().toArray();
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await things.insertMany(thingsOf(3, 1000, 10), { session });
          await things.updateMany({ _id: { $gte: 10 } }, { $set: { text: 'y' } }, { session });
          await things.deleteOne({ _id: 1 }, { session });
          await things.findOne({}, { session });
        }),
      );
      const { commands, largestTransaction } = await standInReport(own);
      expect(commands).toEqual({ commitTransaction: 1, delete: 1, find: 1, insert: 2, update: 1 });
      expect(largestTransaction.documents).toBe(7);
      expect(largestTransaction.bytes).toBeGreaterThan(3700);
      expect(largestTransaction.bytes).toBeLessThan(4100);
      const all = await standInReport(client.db('admin'));
      expect(all.commands).toMatchObject({ ...commands, find: 2, insert: 2 });
      expect(all.largestTransaction).toEqual(largestTransaction);

      await standInReport(own, { reset: true });
      expect(await standInReport(own)).toMatchObject({
        commands: {},
        largestTransaction: { bytes: 0, documents: 0 },
      });
    });
  });
});
