import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { describeMongodb } from '../support/engines/mongodb.js';
import { run } from '../support/servers/command-line.js';
import { Fleet } from '../support/servers/fleet.js';

const GENERAL = { type: 'channel', to: 'general', topic: 'stops' };

describeMongodb('the tree of a log whose processes', () => {
  let fleet: Fleet | undefined;
  afterEach(async () => {
    await fleet?.stop();
    fleet = undefined;
  });

  async function started(): Promise<Fleet> {
    fleet = await Fleet.start({ apis: 1, workers: 2 });
    await send(fleet, 'the first');
    return fleet;
  }

  const send = async (own: Fleet, content: string): Promise<void> => {
    await (await own.owner()).post('messages', { ...GENERAL, content });
  };

  const stopAll = (own: Fleet): Promise<unknown> => Promise.all([...own.apis, ...own.workers].map((one) => one.stop()));

  async function expectWhole(own: Fleet): Promise<void> {
    const dataDirectory = join(own.api(0).dataDirectory, 'verify');
    const { code, stderr } = await run(['verify'], { ...own.settings, ANNALS_DATA_DIR: dataDirectory });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }

  it('stop in order one after the other has every event', async () => {
    const own = await started();
    for (const worker of own.workers) await worker.stop();
    // Nobody keeps the tree by now.
    await send(own, 'after the workers');
    await own.api(0).stop();
    await expectWhole(own);
  }, 240_000);

  it('stop in order all at once has every event', async () => {
    const own = await started();
    await send(own, 'the last');
    await stopAll(own);
    await expectWhole(own);
  }, 240_000);

  it('stop in order after one was killed has every event', async () => {
    const own = await started();
    await Promise.all(own.workers.map((worker) => worker.kill()));
    await send(own, 'after the kill');
    await stopAll(own);
    await expectWhole(own);
  }, 240_000);
});
