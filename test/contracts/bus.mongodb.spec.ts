import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { busMessages } from '../../src/platform/bus/mongodb/change-stream-source.js';
import { MongoBus } from '../../src/platform/bus/mongodb/mongo-bus.js';
import type { JsonObject } from '../../src/platform/kernel/json.js';
import type { MongoConnection } from '../../src/platform/mongodb/mongo-connection.js';
import { describeMongodb, type OwnDatabase, ownDatabase } from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import { busContract } from './bus.contract.js';

const openedBuses = async () => {
  const database = ownDatabase();
  const failures: unknown[] = [];
  const bus = await MongoBus.open(await database.connect(), (error) => failures.push(error));
  const other = await MongoBus.open(await database.connect());
  const cleanup = () => Promise.all([bus.close(), other.close()]).then(database.remove);
  return { bus, failures, other, cleanup };
};

describeMongodb('a bus on MongoDB', () => {
  busContract('followed by a change stream', openedBuses);
});

describeMongodb('messages in MongoDB', () => {
  let database: OwnDatabase;
  let connection: MongoConnection;
  beforeAll(async () => {
    database = ownDatabase();
    connection = await database.connect();
  });
  afterAll(() => database.remove());

  it('are kept for a minute', async () => {
    const bus = await MongoBus.open(connection);
    const indexes = await busMessages(connection).indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { at: 1 }, expireAfterSeconds: 60 }));
    await bus.close();
  });

  it('do not delay the opening of a bus', async () => {
    const took: number[] = [];
    // The server waits up to a second for a message before it answers. On a busy machine, every opening takes as long for a while.
    const isDelayed = () => Math.min(...took) >= 900;
    while (isDelayed() && took.length < 50) {
      const startedAt = performance.now();
      const bus = await MongoBus.open(connection);
      took.push(performance.now() - startedAt);
      await bus.close();
    }
    expect(isDelayed()).toBe(false);
  });

  it('published before a bus was opened are not delivered by it', async () => {
    const early = await MongoBus.open(connection);
    await early.publish('news', { n: 'old' });
    const late = await MongoBus.open(connection);
    const heard: JsonObject[] = [];
    late.subscribe('news', (message) => heard.push(message));
    await early.publish('news', { n: 'new' });
    await eventually(() => expect(heard).toEqual([{ n: 'new' }]));
    await Promise.all([early.close(), late.close()]);
  });

  it('may be missed if the change stream has to begin anew, which is reported as a gap', async () => {
    const failures: unknown[] = [];
    const publisher = await MongoBus.open(connection);
    const bus = await MongoBus.open(await database.connect(), (error) => failures.push(error));
    let gaps = 0;
    const heard: JsonObject[] = [];
    bus.onGap(() => gaps++);
    bus.onGap(() => {
      throw new Error('a listener fails');
    });
    const stop = bus.onGap(() => heard.push({ stopped: 'too late' }));
    stop();
    bus.subscribe('news', (message) => heard.push(message));
    await publisher.publish('news', { n: 1 });
    await eventually(() => expect(heard).toEqual([{ n: 1 }]));
    expect(gaps).toBe(0);

    await busMessages(connection).drop();

    await eventually(() => expect(gaps).toBeGreaterThan(0));
    await publisher.publish('news', { n: 2 });
    await eventually(() => expect(heard).toEqual([{ n: 1 }, { n: 2 }]));
    await eventually(async () =>
      expect(await busMessages(connection).indexes()).toContainEqual(
        expect.objectContaining({ expireAfterSeconds: 60 }),
      ),
    );
    expect(failures.map(String)).toContain('Error: a listener fails');
    await Promise.all([bus.close(), publisher.close()]);
  });
});
