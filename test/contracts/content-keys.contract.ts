import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ContentKey,
  type ContentKeys,
  claimKeys,
  logOfKeys,
} from '../../src/platform/content-keys/content-keys.js';
import { newContentKey } from '../../src/platform/content-keys/seal.js';

export interface OpenedContentKeys {
  readonly keys: ContentKeys;
  /** Closes the store and opens the same one again. */
  reopen(): Promise<ContentKeys>;
  cleanup(): Promise<void>;
}

const hex = (key: ContentKey | undefined) => key && Buffer.from(key).toString('hex');

async function all(batches: AsyncIterable<readonly string[]>): Promise<string[]> {
  const names: string[] = [];
  for await (const batch of batches) names.push(...batch);
  return names;
}

/** The contract of the ContentKeys port, for every adapter. */
export function contentKeysContract(name: string, open: () => Promise<OpenedContentKeys>): void {
  describe(`content keys on ${name}`, () => {
    let opened: OpenedContentKeys;
    let keys: ContentKeys;
    beforeAll(async () => {
      opened = await open();
      keys = opened.keys;
    });
    afterAll(() => opened.cleanup());

    it('returns the stored key', async () => {
      const id = randomUUID();
      const key = newContentKey();
      expect(await keys.putIfAbsent(id, key)).toEqual({ key, inserted: true });
      expect(hex((await keys.getMany([id])).get(id))).toBe(hex(key));
    });

    it('keeps the first key of a name, and returns it to later callers', async () => {
      const id = randomUUID();
      const first = newContentKey();
      await keys.putIfAbsent(id, first);

      const second = await keys.putIfAbsent(id, newContentKey());

      expect(second.inserted).toBe(false);
      expect(hex(second.key)).toBe(hex(first));
      expect(hex((await keys.getMany([id])).get(id))).toBe(hex(first));
    });

    it('lets exactly one of several concurrent calls insert a key, and returns that key to all', async () => {
      const id = randomUUID();
      const results = await Promise.all(Array.from({ length: 10 }, () => keys.putIfAbsent(id, newContentKey())));
      expect(results.filter(({ inserted }) => inserted)).toHaveLength(1);
      expect(new Set(results.map(({ key }) => hex(key))).size).toBe(1);
    });

    it('finds many keys at once, and leaves out unknown names', async () => {
      const stored = new Map(Array.from({ length: 1500 }, () => [randomUUID() as string, newContentKey()]));
      await Promise.all([...stored].map(([id, key]) => keys.putIfAbsent(id, key)));

      const found = await keys.getMany([...stored.keys(), randomUUID(), randomUUID()]);

      expect(found.size).toBe(1500);
      for (const [id, key] of stored) expect(hex(found.get(id))).toBe(hex(key));
    });

    it('finds nothing for an empty list of names', async () => {
      expect((await keys.getMany([])).size).toBe(0);
    });

    it('returns a key once when its name is given twice', async () => {
      const id = randomUUID();
      await keys.putIfAbsent(id, newContentKey());
      expect([...(await keys.getMany([id, id])).keys()]).toEqual([id]);
    });

    it('destroys the named keys, and no others', async () => {
      const ids = Array.from({ length: 20 }, () => randomUUID() as string);
      for (const id of ids) await keys.putIfAbsent(id, newContentKey());
      const gone = ids.filter((_, index) => index % 2 === 0);

      await keys.destroy([...gone, randomUUID()]);

      const left = await keys.getMany(ids);
      expect([...left.keys()].sort()).toEqual(ids.filter((id) => !gone.includes(id)).sort());
      await keys.destroy(gone);
      await keys.destroy([]);
    });

    it('tells which names have no key', async () => {
      const ids = Array.from({ length: 1200 }, () => randomUUID());
      await Promise.all(ids.slice(0, 1000).map((id) => keys.putIfAbsent(id, newContentKey())));
      await keys.destroy(ids.slice(0, 300));
      const absent = [...ids.slice(0, 300), ...ids.slice(1000)];
      expect([...(await keys.missing(ids))].sort()).toEqual(absent.sort());
      expect(await keys.missing(ids.slice(300, 1000))).toEqual([]);
      expect(await keys.missing([])).toEqual([]);
    });

    it('destroys a key whose insertion is under way', async () => {
      const id = randomUUID();
      const [, , put] = await Promise.all([
        keys.putIfAbsent(id, newContentKey()),
        keys.destroy([id]),
        keys.putIfAbsent(randomUUID(), newContentKey()),
      ]);
      expect(put.inserted).toBe(true);
      expect((await keys.getMany([id])).size).toBe(0);
    });

    it('accepts a new key under a name whose key was destroyed', async () => {
      const id = randomUUID();
      await keys.putIfAbsent(id, newContentKey());
      await keys.destroy([id]);
      const key = newContentKey();
      expect(await keys.putIfAbsent(id, key)).toEqual({ key, inserted: true });
      expect(hex((await keys.getMany([id])).get(id))).toBe(hex(key));
    });

    it.each([0, 16, 31, 33])('refuses a key of %i bytes', async (length) => {
      const id = randomUUID();
      await expect(keys.putIfAbsent(id, new Uint8Array(length).fill(1))).rejects.toThrow(TypeError);
      expect((await keys.getMany([id])).size).toBe(0);
    });

    it('refuses a key that is not random', async () => {
      await expect(keys.putIfAbsent(randomUUID(), new Uint8Array(32))).rejects.toThrow(TypeError);
    });

    it('lists the names with a prefix that have a key', async () => {
      const prefix = `p${randomUUID()}:`;
      const names = Array.from({ length: 2500 }, (_, index) => `${prefix}${index}:ä`);
      const others = [prefix.slice(0, -1), `${prefix.slice(0, -1)};`, `x${prefix}`, `P${prefix.slice(1)}1`];
      await Promise.all([...names, ...others].map((name) => keys.putIfAbsent(name, newContentKey())));
      const gone = names.filter((_, index) => index % 3 === 0);
      await keys.destroy(gone);

      const listed = await all(keys.names(prefix));

      expect(listed.sort()).toEqual(names.filter((name) => !gone.includes(name)).sort());
      expect(await all(keys.names(`${prefix}none`))).toEqual([]);
    });

    it('lists names while their keys are destroyed', async () => {
      const prefix = `p${randomUUID()}:`;
      const names = Array.from({ length: 2500 }, (_, index) => `${prefix}${index}`);
      await Promise.all(names.map((name) => keys.putIfAbsent(name, newContentKey())));
      const listed: string[] = [];
      for await (const batch of keys.names(prefix)) {
        listed.push(...batch);
        await keys.destroy(batch);
      }
      expect(listed.sort()).toEqual(names.sort());
      expect(await all(keys.names(prefix))).toEqual([]);
    });

    it.each(['', 'ä', 'a\u0000', '~'])('lists no names with the prefix %j', async (prefix) => {
      await expect(all(keys.names(prefix))).rejects.toThrow(TypeError);
    });

    it('refuses a key without a name', async () => {
      await expect(keys.putIfAbsent('', newContentKey())).rejects.toThrow(TypeError);
    });
  });

  describe(`content keys on ${name}, opened again`, () => {
    it('belong to the log that first claimed them', async () => {
      const opened = await open();
      try {
        const [log, other] = [randomUUID() as string, randomUUID() as string];
        expect(await logOfKeys(opened.keys)).toBeNull();
        const claims = await Promise.all([claimKeys(opened.keys, log), claimKeys(opened.keys, other)]);
        expect(claims).toEqual([log, log]);
        expect(await logOfKeys(await opened.reopen())).toBe(log);
      } finally {
        await opened.cleanup();
      }
    });

    it('has the stored keys, and no destroyed key', async () => {
      const opened = await open();
      try {
        const ids = [randomUUID() as string, randomUUID() as string];
        const put = await Promise.all(ids.map((id) => opened.keys.putIfAbsent(id, newContentKey())));
        await opened.keys.destroy(ids.slice(1));

        const keys = await opened.reopen();

        const found = await keys.getMany(ids);
        expect([...found.keys()]).toEqual(ids.slice(0, 1));
        expect(hex(found.get(ids[0] ?? ''))).toBe(hex(put[0]?.key));
      } finally {
        await opened.cleanup();
      }
    });
  });
}
