import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FileCache } from '../../../src/platform/file-cache/file-cache.js';
import { UnavailableError } from '../../../src/platform/kernel/outcome-errors.js';

const DAY_MS = 86_400_000;

describe('a cache of files', () => {
  let parent: string;
  let folder: string;
  let cache: FileCache;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'annals-cache-'));
    folder = join(parent, 'cache');
    cache = new FileCache({ folder, maxBytes: 100, maxAge: DAY_MS });
  });
  afterEach(() => rm(parent, { recursive: true }));

  const bytes = (count: number): Buffer => Buffer.alloc(count, 'x');
  const read = async (name: string, from = cache): Promise<string | null> => {
    const file = await from.open(name);
    return file && text(file.content);
  };
  const names = async (): Promise<string[]> => (await readdir(folder)).sort();
  /** Makes a file older, by so many days. */
  const age = async (name: string, days: number): Promise<void> => {
    const at = new Date(Date.now() - days * DAY_MS);
    await utimes(join(folder, name), at, at);
  };

  it('gives what was stored, and its beginning', async () => {
    await cache.store('a', Buffer.from('the beginning, and the rest'));
    const file = await cache.open('a');
    expect([file?.size, file?.head.toString()]).toEqual([27, 'the beginning, a']);
    expect(file && (await text(file.content))).toBe('the beginning, and the rest');
    expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o600);
  });

  it('has nothing at first, and replaces a file', async () => {
    expect(await read('a')).toBeNull();
    await cache.tidy();
    await cache.store('a', Buffer.from('one'));
    await cache.store('a', Buffer.from('two'));
    expect([await read('a'), await read('b'), await names()]).toEqual(['two', null, ['a']]);
  });

  it('removes the oldest files for a new one, and never has more bytes than it may', async () => {
    for (const [name, days] of Object.entries({ b: 0.2, a: 0.3, c: 0.1 })) {
      await cache.store(name, bytes(30));
      await age(name, days);
    }
    await cache.store('d', bytes(30));
    expect(await names()).toEqual(['b', 'c', 'd']);
    await cache.store('e', bytes(100));
    expect(await names()).toEqual(['e']);
  });

  it('counts what an earlier process stored, and parts that it left', async () => {
    await cache.store('a', bytes(60));
    await age('a', 0.1);
    await writeFile(join(folder, 'b.part'), bytes(30));
    await new FileCache({ folder, maxBytes: 100, maxAge: DAY_MS }).store('c', bytes(20));
    expect(await names()).toEqual(['b.part', 'c']);
  });

  it('removes parts that nobody writes any more, and no others', async () => {
    await cache.store('a', bytes(10));
    for (const name of ['crashed.part', 'new.part']) await writeFile(join(folder, name), bytes(40));
    await age('crashed.part', 0.1);
    await cache.store('b', bytes(95));
    expect(await names()).toEqual(['b', 'new.part']);
  });

  it('does not serve files that are too old, and removes them', async () => {
    await cache.store('old', bytes(1));
    await cache.store('young', bytes(1));
    await age('old', 1.01);
    await age('young', 0.9);
    expect([await read('old'), await read('young')]).toEqual([null, 'x']);
    await cache.tidy();
    expect(await names()).toEqual(['young']);
  });

  it('shares its folder with other processes', async () => {
    const other = new FileCache({ folder, maxBytes: 100, maxAge: DAY_MS });
    const rounds = Array.from({ length: 20 }, (_, round) => round);
    await Promise.all(rounds.flatMap((n) => [cache.store('a', bytes(n + 1)), other.store('a', bytes(n + 1))]));
    expect([(await read('a'))?.length, await read('a', other), await names()]).toEqual([20, 'x'.repeat(20), ['a']]);
    await Promise.all([cache.store('b', bytes(60)), other.store('c', bytes(60))]);
    await Promise.all([cache.tidy(), other.tidy()]);
    expect((await names()).length).toBe(1);
  });

  it('removes the same one of files that were stored at the same time, whichever process does it', async () => {
    await mkdir(folder);
    const stored = new Date();
    for (let round = 0; round < 20; round++) {
      const others = [cache, new FileCache({ folder, maxBytes: 100, maxAge: DAY_MS })];
      for (const name of ['b', 'c', 'd']) await writeFile(join(folder, name), bytes(60));
      for (const name of ['d', 'b', 'c']) await utimes(join(folder, name), stored, stored);
      await Promise.all(others.map((other) => other.tidy()));
      expect(await names()).toEqual(['d']);
    }
  });

  it('lets a reader finish whose file is removed', async () => {
    await cache.store('a', bytes(80));
    const file = await cache.open('a');
    await cache.store('b', bytes(80));
    expect(await names()).toEqual(['b']);
    expect(file && (await text(file.content)).length).toBe(80);
  });

  it('works after its folder was removed', async () => {
    await cache.store('a', bytes(10));
    await rm(folder, { recursive: true });
    expect(await read('a')).toBeNull();
    await cache.store('b', bytes(10));
    expect(await names()).toEqual(['b']);
  });

  it('says that it cannot store, and leaves nothing behind', async () => {
    await writeFile(folder, '');
    await expect(cache.store('a', bytes(10))).rejects.toThrow(UnavailableError);
    await rm(folder);
    await mkdir(join(folder, 'a', 'b'), { recursive: true });
    await expect(cache.store('a', bytes(10))).rejects.toThrow(UnavailableError);
    expect(await names()).toEqual(['a']);
    await cache.store('b', bytes(10));
    await truncate(join(folder, 'b'));
    expect([await read('b'), existsSync(folder)]).toEqual(['', true]);
  });
});
