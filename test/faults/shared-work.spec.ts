import { afterEach, expect, it } from '@jest/globals';
import { projections } from '../../projections/index.js';
import { describeMongodb } from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import { TcpProxy } from '../support/outside/tcp-proxy.js';
import { QueueReader } from '../support/requests/queue-reader.js';
import { Fleet } from '../support/servers/fleet.js';
import type { RunningServer } from '../support/servers/running-server.js';

const ALL = projections.map(({ name }) => name).sort();
const GENERAL = { type: 'channel', to: 'general', topic: 'shared' };

describeMongodb('the work on documents', () => {
  let fleet: Fleet | undefined;
  let proxy: TcpProxy | undefined;
  afterEach(async () => {
    await fleet?.stop();
    await proxy?.close();
    fleet = undefined;
    proxy = undefined;
  });

  async function started(): Promise<{ own: Fleet; first: RunningServer }> {
    const own = await Fleet.start({ apis: 1, workers: 1 });
    fleet = own;
    await own.api(0).caughtUp();
    const [first] = own.workers;
    if (!first) throw new Error('no worker has started');
    expect(await keptBy(first)).toEqual(ALL);
    return { own, first };
  }

  const sends = async (own: Fleet, content: string) =>
    eventually(async () => {
      const answer = await (await own.owner()).post(
        'messages',
        { ...GENERAL, content },
        { 'Idempotency-Key': content },
      );
      expect(answer).toMatchObject({ msg: '' });
    });

  const told = (own: Fleet, reader: QueueReader, contents: readonly string[]) =>
    eventually(async () => {
      await reader.poll(await own.owner());
      expect(reader.contents).toEqual(contents);
    });

  async function shared(first: RunningServer, second: RunningServer): Promise<void> {
    await eventually(async () => {
      const [one, other] = [await keptBy(first), await keptBy(second)];
      expect([...one, ...other].sort()).toEqual(ALL);
      expect(Math.abs(one.length - other.length)).toBeLessThanOrEqual(2);
    });
  }

  it('is shared with a worker that joins later, while messages are sent and delivered', async () => {
    const { own, first } = await started();
    const reader = await QueueReader.register(await own.owner());
    const contents: string[] = [];
    let isShared = false;
    const second = await own.addWorker();
    const sending = (async () => {
      while (!isShared) {
        const content = `message ${contents.length}`;
        await sends(own, content);
        contents.push(content);
      }
    })();
    await shared(first, second).finally(() => {
      isShared = true;
    });
    await sending;
    await told(own, reader, contents);

    await second.stop();
    await eventually(async () => expect(await keptBy(first)).toEqual(ALL));
    await sends(own, 'the last');
    await told(own, reader, [...contents, 'the last']);
  }, 240_000);

  it('is taken over from a worker that cannot reach the log, and shared with it again when it can', async () => {
    const { own, first } = await started();
    proxy = await TcpProxy.to('127.0.0.1', own.log.port);
    const second = await own.addWorker({ EVENTSTORE_URL: own.log.url.replace(`${own.log.port}`, `${proxy.port}`) });
    await shared(first, second);

    const reader = await QueueReader.register(await own.owner());
    proxy.freeze();
    await eventually(async () => expect(await keptBy(first)).toEqual(ALL));
    await sends(own, 'while it hears nothing');
    await told(own, reader, ['while it hears nothing']);

    proxy.thaw();
    await shared(first, second);
    await sends(own, 'together');
    await told(own, reader, ['while it hears nothing', 'together']);
  }, 240_000);
});

async function keptBy(worker: RunningServer): Promise<string[]> {
  const { projections: kept } = await worker.health();
  return kept.map(({ name }) => name).sort();
}
