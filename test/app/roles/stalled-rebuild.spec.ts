import { afterEach, expect, it } from '@jest/globals';
import { MongodbProxy } from '../../support/engines/mongodb/mongodb-proxy.js';
import { describeMongodb } from '../../support/engines/mongodb.js';
import { eventually } from '../../support/eventually.js';
import { Fleet } from '../../support/servers/fleet.js';
import type { RunningServer } from '../../support/servers/running-server.js';

describeMongodb('a rebuild that MongoDB refuses each time', () => {
  let fleet: Fleet | undefined;
  let proxy: MongodbProxy | undefined;
  afterEach(async () => {
    await fleet?.stop();
    await proxy?.stop();
    fleet = undefined;
    proxy = undefined;
  });

  it('ends the command with the reason, is told by health, and goes on when it can', async () => {
    const rules: { transactionBytes: number } = { transactionBytes: Number.MAX_SAFE_INTEGER };
    proxy = await MongodbProxy.start(process.env.MONGODB_URL ?? '', rules);
    fleet = await Fleet.start({ apis: 1, workers: 0 });
    const own = fleet;
    const database = new URL(own.mongodbUrl).pathname;
    const worker = await own.addWorker({ MONGODB_URL: proxy.url.replace('/?', `${database}?`) });
    const owner = await own.owner();
    await own.api(0).caughtUp();
    for (let n = 0; n < 20; n++) {
      const message = { type: 'channel', to: 'general', topic: 'long', content: `${n} ${'words '.repeat(100)}` };
      expect(await owner.post('messages', message)).toMatchObject({ result: 'success' });
    }
    const messagesOf = async (server: RunningServer) =>
      (await server.health()).projections.find(({ name }) => name === 'messages');
    const before = (await messagesOf(worker))?.database;

    rules.transactionBytes = 4000;
    await expect(own.rebuild()).rejects.toThrow(/makes no headway: [a-z-]+: .*WriteConflict.*--wait/);
    const during = await messagesOf(worker);
    expect(during).toMatchObject({ state: 'rebuilding', database: before });
    expect(during?.error?.message).toMatch(/WriteConflict/);
    expect(worker.printed).toMatch(/building .*messages.* makes no headway/);

    // A process that starts now was told nothing of it.
    const late = await own.addApi();
    await eventually(async () => expect((await messagesOf(late))?.error?.message).toMatch(/WriteConflict/));

    rules.transactionBytes = Number.MAX_SAFE_INTEGER;
    await eventually(async () => {
      const after = await messagesOf(worker);
      expect(after).toMatchObject({ state: 'running', error: null });
      expect(after?.database).not.toBe(before);
    });
  });
});
