import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type ContentKey, ContentKeysUnavailable } from '../../src/platform/content-keys/content-keys.js';
import { newContentKey } from '../../src/platform/content-keys/seal.js';
import { SqliteContentKeys } from '../../src/platform/content-keys/sqlite/sqlite-content-keys.js';
import { SqliteConnection } from '../../src/platform/sqlite/driver.js';
import { withScratch } from '../support/scratch.js';

/** Counts the keys whose bytes are in a file of the directory. */
function keysInFiles(directory: string, keys: readonly ContentKey[]): number {
  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name)));
  return keys.filter((key) => files.some((bytes) => bytes.includes(Buffer.from(key)))).length;
}

describe('the files of content keys on SQLite', () => {
  it('hold no destroyed key, even after pages were moved', () =>
    withScratch(async (directory) => {
      const store = await SqliteContentKeys.open(directory);
      const reader = await SqliteContentKeys.openReadOnly(directory);
      const stored = new Map(Array.from({ length: 6000 }, () => [randomUUID() as string, newContentKey()]));
      const ids = [...stored.keys()];
      const some = (from: number, step: number) => ids.filter((_, index) => index % step === from);
      const keysOf = (names: readonly string[]) => names.flatMap((id) => stored.get(id) ?? []);
      for (let index = 0; index < ids.length; index += 1500) {
        await Promise.all(
          ids.slice(index, index + 1500).map((id) => store.putIfAbsent(id, stored.get(id) as ContentKey)),
        );
      }
      expect(keysInFiles(directory, keysOf(ids.slice(0, 500)))).toBe(500);

      for (const step of [some(0, 40), some(7, 60), ids.slice(3000, 3400)]) {
        expect((await reader.getMany(step)).size).toBeGreaterThan(0);
        await store.destroy(step);
        expect(keysInFiles(directory, keysOf(step))).toBe(0);
        expect((await store.getMany(step)).size).toBe(0);
        expect((await reader.getMany(step)).size).toBe(0);
      }
      // The same holds for new keys under names whose keys were destroyed.
      const second = some(0, 40).map((id) => [id, newContentKey()] as const);
      await Promise.all(second.map(([id, key]) => store.putIfAbsent(id, key)));
      await store.destroy(second.map(([id]) => id));
      expect(
        keysInFiles(
          directory,
          second.map(([, key]) => key),
        ),
      ).toBe(0);

      await reader.close();
      await store.close();
    }));

  it('have one writer and any number of readers', () =>
    withScratch(async (directory) => {
      const store = await SqliteContentKeys.open(directory);
      const failure = await SqliteContentKeys.open(directory).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ContentKeysUnavailable);
      expect(failure).toHaveProperty('message', expect.stringContaining('in use by another'));

      const id = randomUUID();
      const { key } = await store.putIfAbsent(id, newContentKey());
      const reader = await SqliteContentKeys.openReadOnly(directory);
      expect(Buffer.from((await reader.getMany([id])).get(id) ?? [])).toEqual(Buffer.from(key));
      await expect(reader.putIfAbsent(id, newContentKey())).rejects.toThrow('reading only');
      await expect(reader.destroy([id])).rejects.toThrow('reading only');
      await reader.close();
      await store.close();

      await (await SqliteContentKeys.open(directory)).close();
    }));

  it('can be read by their owner only', () =>
    withScratch(async (directory) => {
      const store = await SqliteContentKeys.open(directory);
      await store.putIfAbsent(randomUUID(), newContentKey());
      const open = readdirSync(directory).filter((name) => name.startsWith('keys.sqlite'));
      expect(open).toContain('keys.sqlite-wal');
      for (const name of open) expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
      await store.close();
    }));

  it('of an earlier format are read as they are, and get today’s when they are written to', () =>
    withScratch(async (directory) => {
      const path = join(directory, 'keys.sqlite');
      const formatOf = (set = ''): number => {
        const connection = new SqliteConnection(path);
        if (set !== '') connection.exec(`PRAGMA user_version = ${set}`);
        const [format] = connection.prepare('PRAGMA user_version').get() ?? [];
        connection.close();
        return Number(format);
      };
      await (await SqliteContentKeys.open(directory)).close();
      const today = formatOf();
      expect([today, formatOf('1')]).toEqual([2, 1]);
      await (await SqliteContentKeys.openReadOnly(directory)).close();
      expect(formatOf()).toBe(1);
      await (await SqliteContentKeys.open(directory)).close();
      expect(formatOf()).toBe(today);
    }));

  it('are refused when they are damaged, newer, or missing for a reader', () =>
    withScratch(async (directory) => {
      await expect(SqliteContentKeys.openReadOnly(directory)).rejects.toThrow(ContentKeysUnavailable);
      await (await SqliteContentKeys.open(directory)).close();
      const path = join(directory, 'keys.sqlite');

      const setVersion = (version: number) => {
        const connection = new SqliteConnection(path);
        connection.exec(`PRAGMA user_version = ${version}`);
        connection.close();
      };
      setVersion(9);
      await expect(SqliteContentKeys.open(directory)).rejects.toThrow('newer version');
      await expect(SqliteContentKeys.openReadOnly(directory)).rejects.toThrow('newer version');

      setVersion(1);
      truncateSync(path, 5000);
      await expect(SqliteContentKeys.open(directory)).rejects.toThrow('damaged');
      writeFileSync(path, 'x'.repeat(9000));
      await expect(SqliteContentKeys.open(directory)).rejects.toThrow('damaged');
    }));

  it('tell a key of another length as missing', () =>
    withScratch(async (directory) => {
      const store = await SqliteContentKeys.open(directory);
      const [right, short] = [randomUUID(), randomUUID()];
      for (const id of [right, short]) await store.putIfAbsent(id, newContentKey());
      const file = new SqliteConnection(join(directory, 'keys.sqlite'));
      file.exec('PRAGMA ignore_check_constraints = ON');
      file.prepare('UPDATE keys SET key = substr(key, 2) WHERE id = ?').run(short);
      file.close();
      expect(await store.missing([right, short])).toEqual([short]);
      await store.close();
    }));

  it('finish earlier calls when they are closed, and are unavailable afterwards', () =>
    withScratch(async (directory) => {
      const store = await SqliteContentKeys.open(directory);
      const put = store.putIfAbsent(randomUUID(), newContentKey());
      await store.close();
      expect((await put).inserted).toBe(true);
      await store.close();
      await expect(store.putIfAbsent(randomUUID(), newContentKey())).rejects.toThrow(ContentKeysUnavailable);
      await expect(store.getMany([randomUUID()])).rejects.toThrow(ContentKeysUnavailable);
      await expect(store.missing([randomUUID()])).rejects.toThrow(ContentKeysUnavailable);
    }));
});
