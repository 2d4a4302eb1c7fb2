import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { BusUnavailable } from '../../src/platform/bus/bus.js';
import { MongoBus } from '../../src/platform/bus/mongodb/mongo-bus.js';
import type { JsonObject } from '../../src/platform/kernel/json.js';
import { describeMongodb, disturbedServer, type OwnDatabase, ownDatabase } from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import type { TcpProxy } from '../support/outside/tcp-proxy.js';

const CALL = 1500;

describeMongodb('a bus whose MongoDB cannot be reached', () => {
  let proxy: TcpProxy;
  let direct: OwnDatabase;
  let disturbed: OwnDatabase;
  let publisher: MongoBus;
  let bus: MongoBus;
  let heard: JsonObject[];
  let gaps: number;
  let failures: unknown[];
  beforeEach(async () => {
    const between = await disturbedServer();
    proxy = between.proxy;
    direct = ownDatabase();
    disturbed = ownDatabase(between.server, direct.name);
    publisher = await MongoBus.open(await direct.connect());
    failures = [];
    heard = [];
    gaps = 0;
  });
  afterEach(async () => {
    await Promise.allSettled([bus.close(), publisher.close()]);
    await disturbed.close();
    await proxy.close();
    await direct.remove();
  });
  const open = async (): Promise<void> => {
    const connection = await disturbed.connect({ findServer: CALL, call: CALL });
    bus = await MongoBus.open(connection, (error) => failures.push(error));
    bus.subscribe('news', (message) => heard.push(message));
    bus.onGap(() => gaps++);
  };

  it.each([
    ['a cut connection', () => proxy.cut(), () => proxy.restore()],
    ['a server without answers', () => proxy.freeze(), () => proxy.thaw()],
  ])('delivers after %s the messages published meanwhile, in order and without a gap', async (_, disturb, mend) => {
    await open();
    await publisher.publish('news', { n: 0 });
    await eventually(() => expect(heard).toEqual([{ n: 0 }]));

    await disturb();
    for (let n = 1; n <= 5; n++) await publisher.publish('news', { n });
    await eventually(() => expect(failures).not.toEqual([]));
    await mend();

    await eventually(() => expect(heard).toEqual([0, 1, 2, 3, 4, 5].map((n) => ({ n }))));
    expect(gaps).toBe(0);
    await eventually(() => bus.publish('other', {}));
  });

  it('fails the publisher, but still delivers within its own process', async () => {
    await open();
    proxy.freeze();
    await expect(bus.publish('news', { n: 1 })).rejects.toThrow(BusUnavailable);
    expect(heard).toEqual([{ n: 1 }]);
    proxy.thaw();
    await eventually(() => bus.publish('news', { n: 2 }));
  });
});
