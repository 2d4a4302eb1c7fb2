import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type ContentKeys, ContentKeysUnavailable } from '../../src/platform/content-keys/content-keys.js';
import { MongoContentKeys } from '../../src/platform/content-keys/mongodb/mongo-content-keys.js';
import { newContentKey } from '../../src/platform/content-keys/seal.js';
import { describeMongodb, disturbedServer, type OwnDatabase, ownDatabase } from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import type { TcpProxy } from '../support/outside/tcp-proxy.js';

const CALL = 1500;

describeMongodb('content keys in a MongoDB that cannot be reached', () => {
  let proxy: TcpProxy;
  let direct: OwnDatabase;
  let disturbed: OwnDatabase;
  let keys: ContentKeys;
  beforeEach(async () => {
    const between = await disturbedServer();
    proxy = between.proxy;
    direct = ownDatabase();
    disturbed = ownDatabase(between.server, direct.name);
    keys = await MongoContentKeys.open(await disturbed.connect({ findServer: CALL, call: CALL }));
  });
  afterEach(async () => {
    await disturbed.close();
    await proxy.close();
    await direct.remove();
  });

  it('fail as unavailable in bounded time while the server does not answer, and then work again', async () => {
    const id = randomUUID();
    const key = newContentKey();
    proxy.freeze();
    const asked = await Promise.allSettled([keys.putIfAbsent(id, key), keys.getMany([id]), keys.destroy(['other'])]);
    for (const each of asked) {
      expect(each).toMatchObject({ status: 'rejected', reason: expect.any(ContentKeysUnavailable) });
    }
    proxy.thaw();
    // The first attempt may have been stored or not. The key is the same in both cases.
    await eventually(async () => expect((await keys.putIfAbsent(id, key)).key).toEqual(key));
    expect((await keys.getMany([id])).get(id)).toEqual(key);
  });

  it('are inserted and reported as inserted if the answer is lost', async () => {
    const id = randomUUID();
    const key = newContentKey();
    void proxy.loseAnswers().then(() => proxy.answersLost());
    expect(await keys.putIfAbsent(id, key)).toEqual({ key, inserted: true });
    const second = await MongoContentKeys.open(await direct.connect());
    expect(await second.putIfAbsent(id, newContentKey())).toMatchObject({ inserted: false });
  });

  it('that several processes put at once under one name are one key', async () => {
    const others = await Promise.all([1, 2].map(async () => MongoContentKeys.open(await direct.connect())));
    const ids = Array.from({ length: 30 }, () => randomUUID() as string);
    const put = await Promise.all(
      ids.map((id) => Promise.all([keys, ...others].map((each) => each.putIfAbsent(id, newContentKey())))),
    );
    const found = await keys.getMany(ids);
    ids.forEach((id, at) => {
      const results = put[at] ?? [];
      expect(results.filter(({ inserted }) => inserted)).toHaveLength(1);
      for (const { key } of results) expect(Buffer.from(key)).toEqual(found.get(id));
    });
    await others[0]?.destroy(ids);
    expect((await keys.getMany(ids)).size).toBe(0);
  });

  it('finish earlier calls when they are closed, and are unavailable afterwards', async () => {
    const id = randomUUID();
    const put = keys.putIfAbsent(id, newContentKey());
    await keys.close();
    expect((await put).inserted).toBe(true);
    await expect(keys.putIfAbsent(id, newContentKey())).rejects.toThrow(ContentKeysUnavailable);
    await expect(keys.getMany([id])).rejects.toThrow(ContentKeysUnavailable);
    await expect(keys.missing([id])).rejects.toThrow(ContentKeysUnavailable);
    await expect(keys.destroy([id])).rejects.toThrow(ContentKeysUnavailable);
  });
});
