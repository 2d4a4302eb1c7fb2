import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EventStoreUnavailable, LogRefused, UnreadableEvent } from '../../src/platform/log/event-store.js';
import { EVENTS_FORMAT } from '../../src/platform/log/events-format.js';
import { SqliteEventStore } from '../../src/platform/log/sqlite/sqlite-event-store.js';
import { SqliteConnection } from '../../src/platform/sqlite/driver.js';
import { idsOf, newEvent, newEvents } from '../support/engines/event-store-events.js';
import { withScratch } from '../support/scratch.js';

/** Counts the commits in a write-ahead log that was never copied back. The last frame of a commit has the database's size. */
function commitsIn(writeAheadLog: string): number {
  const bytes = readFileSync(writeAheadLog);
  const frame = 24 + bytes.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= bytes.length; at += frame) if (bytes.readUInt32BE(at + 4) > 0) commits += 1;
  return commits;
}

/** A log of 300 events in three streams, closed. */
async function makeLog(directory: string): Promise<string> {
  const store = await SqliteEventStore.open(directory);
  for (let round = 0; round < 100; round += 10) {
    for (const stream of ['users', 'user-1', 'messages']) await store.append(stream, newEvents('Added', 10), 'any');
  }
  await store.close();
  return join(directory, 'log.sqlite');
}

function change(path: string, sql: string): void {
  const connection = new SqliteConnection(path);
  connection.exec(sql);
  connection.close();
}

function formatOf(path: string): unknown {
  const connection = new SqliteConnection(path);
  try {
    return connection.prepare('PRAGMA user_version').get()?.[0];
  } finally {
    connection.close();
  }
}

function overwrite(path: string, at: number, bytes: string): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, at);
  closeSync(file);
}

const refusal = (directory: string) => SqliteEventStore.open(directory).then(null, (error: unknown) => error);

describe('the log file on SQLite', () => {
  it('gets concurrent appends in one commit, and others one by one', () =>
    withScratch(async (directory) => {
      const store = await SqliteEventStore.open(directory);
      const events = newEvents('Added', 200);
      await Promise.all(events.map((event, index) => store.append(`s-${index % 9}`, [event], 'any')));
      const afterTheGroup = commitsIn(join(directory, 'log.sqlite-wal'));
      for (const event of newEvents('Added', 20)) await store.append('s-1', [event], 'any');
      expect(commitsIn(join(directory, 'log.sqlite-wal')) - afterTheGroup).toBe(20);
      expect(afterTheGroup).toBeLessThanOrEqual(2);
      await store.close();
    }));

  it('is a single file without a lock when it is closed', () =>
    withScratch(async (directory) => {
      const path = await makeLog(directory);
      expect(existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0).toBe(0);
      await (await SqliteEventStore.open(directory)).close();
    }));

  it('has one writer, even within one process', () =>
    withScratch(async (directory) => {
      const store = await SqliteEventStore.open(directory);
      const failure = await refusal(directory);
      expect(failure).toBeInstanceOf(LogRefused);
      expect(failure).toMatchObject({ reason: 'locked', message: expect.stringContaining('ANNALS_DATA_DIR') });
      await store.append('users', [newEvent('Added')], 'new');
      await store.close();
    }));

  it('can be read beside its writer', () =>
    withScratch(async (directory) => {
      const store = await SqliteEventStore.open(directory);
      const reader = await SqliteEventStore.openReadOnly(directory);
      const { position } = await store.append('users', newEvents('Added', 3), 'new');

      expect(await reader.head()).toBe(position);
      expect(await reader.readStream('users')).toEqual(await store.readStream('users'));
      await expect(reader.append('users', [newEvent('Added')], 'any')).rejects.toMatchObject({ stored: 'no' });

      const following = reader
        .subscribe({ after: position, signal: new AbortController().signal })
        [Symbol.asyncIterator]();
      await following.next();
      const next = following.next();
      const [later] = newEvents('Added', 1);
      if (later) await store.append('users', [later], 'any');
      expect(idsOf((await next).value.events)).toEqual([later?.id]);
      const waiting = following.next();
      await reader.close();
      await expect(waiting).rejects.toThrow(EventStoreUnavailable);
      await store.close();
    }));

  it('can be read while no server runs', () =>
    withScratch(async (directory) => {
      await makeLog(directory);
      const reader = await SqliteEventStore.openReadOnly(directory);
      expect((await reader.readAll({ after: 0, limit: 1000 })).events).toHaveLength(300);
      await reader.close();
    }));

  it('is not created by a reader', () =>
    withScratch(async (directory) => {
      await expect(SqliteEventStore.openReadOnly(directory)).rejects.toThrow('no log');
      expect(existsSync(join(directory, 'log.sqlite'))).toBe(false);
    }));

  it('stores appends from before its close, and refuses later ones', () =>
    withScratch(async (directory) => {
      const store = await SqliteEventStore.open(directory);
      const appends = newEvents('Added', 100).map((event) => store.append('users', [event], 'any'));
      const following = store.subscribe({ after: 0, signal: new AbortController().signal })[Symbol.asyncIterator]();
      await following.next();
      await store.close();
      await store.close();

      expect((await Promise.all(appends)).at(-1)?.revision).toBe(99);
      await expect(store.append('users', [newEvent('Added')], 'any')).rejects.toMatchObject({ stored: 'no' });
      await expect(store.head()).rejects.toThrow(EventStoreUnavailable);
      await expect(following.next()).rejects.toThrow(EventStoreUnavailable);
    }));

  it('of a newer version is refused by writers and readers, and stays unchanged', () =>
    withScratch(async (directory) => {
      const path = await makeLog(directory);
      change(path, `PRAGMA user_version = ${EVENTS_FORMAT + 1}`);
      expect(await refusal(directory)).toMatchObject({
        reason: 'newer-version',
        message: expect.stringContaining('backup'),
      });
      await expect(SqliteEventStore.openReadOnly(directory)).rejects.toMatchObject({ reason: 'newer-version' });
      // As 0.6.0 wrote it. From the next start on, 0.6.0 refuses it.
      change(path, 'PRAGMA user_version = 1');
      await (await SqliteEventStore.open(directory)).close();
      expect(formatOf(path)).toBe(EVENTS_FORMAT);
    }));

  const damages: [string, (path: string) => void][] = [
    ['empty', (path) => truncateSync(path, 0)],
    ['no database', (path) => writeFileSync(path, 'not a database'.repeat(1000))],
    ['cut in the middle', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
    ['cut to its first page', (path) => truncateSync(path, 4096)],
    ['overwritten in the middle', (path) => overwrite(path, 8 * 4096, 'z'.repeat(4096))],
    ['another program’s', (path) => change(path, 'PRAGMA application_id = 7')],
    ['without an index', (path) => change(path, 'DROP INDEX events_by_kind')],
    ['without its first events', (path) => change(path, 'DELETE FROM events WHERE position < 5')],
    ['without an event in the middle', (path) => change(path, 'DELETE FROM events WHERE position = 290')],
    ['with a gap in a stream', (path) => change(path, 'UPDATE events SET revision = 1000 WHERE position = 300')],
    ['without the names of its streams', (path) => change(path, 'DELETE FROM streams')],
    ['missing beside its write-ahead log', (path) => renameSync(path, `${path}-wal`)],
  ];
  it.each<[string, (path: string) => void]>([
    ['cut inside a page', (path) => truncateSync(path, statSync(path).size - 100)],
    ['with an event that is no JSON', (path) => change(path, "UPDATE events SET data = '{' WHERE position = 300")],
  ])('gives all events when it is %s, and the data of the damaged one say so', (_, damage) =>
    withScratch(async (directory) => {
      damage(await makeLog(directory));
      const store = await SqliteEventStore.open(directory);
      try {
        const { events } = await store.readAll({ after: 0, limit: 1000 });
        const unreadable = events.filter((event) => {
          try {
            return event.data === undefined;
          } catch (error) {
            expect(error).toBeInstanceOf(UnreadableEvent);
            return true;
          }
        });
        expect(events.at(-1)?.position).toBe(events.length);
        expect(unreadable).toHaveLength(1);
      } finally {
        await store.close();
      }
    }),
  );

  it.each(damages)('is refused when it is %s', (_, damage) =>
    withScratch(async (directory) => {
      const path = await makeLog(directory);
      damage(path);
      const failure = await refusal(directory);
      expect(failure).toBeInstanceOf(LogRefused);
      expect(failure).toMatchObject({
        reason: 'damaged',
        message: expect.stringContaining('restore the log from a backup'),
      });
      // The refused start released its lock.
      expect(await refusal(directory)).toMatchObject({ reason: 'damaged' });
    }),
  );

  it('cannot be opened if its directory cannot be created', () =>
    withScratch(async (directory) => {
      const file = join(directory, 'file');
      writeFileSync(file, '');
      await expect(SqliteEventStore.open(join(file, 'data'))).rejects.toThrow(EventStoreUnavailable);
    }));
});
