import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../src/platform/kernel/json.js';
import type { EventText } from '../../src/platform/log/event-store.js';
import { SqliteEventStore } from '../../src/platform/log/sqlite/sqlite-event-store.js';
import { SqliteConnection, type SqlValue } from '../../src/platform/sqlite/driver.js';
import { canonicalEvent } from '../../src/platform/transparency/leaf.js';
import { newEvent } from '../support/engines/event-store-events.js';
import { withScratch } from '../support/scratch.js';

const INNER_ID = '018f0000-0000-7000-8000-000000000001';
const PLAIN = { b: 'metadata\\":', c: 1 };

/** The text of an event whose row is changed, and the one that it should have. */
async function changed(
  directory: string,
  data: JsonObject,
  columns: (row: { readonly id: string; readonly data: string; readonly metadata: string }) => Record<string, SqlValue>,
): Promise<{ read: EventText | undefined; right: string }> {
  const event = newEvent('Added', data);
  const store = await SqliteEventStore.open(directory);
  await store.append('users', [event], 'new');
  const [stored] = await store.readStream('users');
  await store.close();
  const connection = new SqliteConnection(join(directory, 'log.sqlite'));
  const [id, kept, metadata] = connection.prepare('SELECT id, data, metadata FROM events').get() ?? [];
  const change = columns({ id: String(id), data: String(kept), metadata: String(metadata) });
  const set = Object.keys(change).map((column) => `${column} = ?`);
  connection.prepare(`UPDATE events SET ${set}`).run(...Object.values(change));
  connection.close();
  const reader = await SqliteEventStore.openReadOnly(directory);
  const [read] = await reader.readTexts({ after: 0, limit: 1 });
  await reader.close();
  return { read, right: stored ? canonicalEvent(stored) : '' };
}

describe('the text of an event on SQLite', () => {
  it('is not told if data and metadata could be others', () =>
    withScratch(async (path) => {
      const data = { a: { b: 1, id: INNER_ID, metadata: {} }, c: 1 };
      // The whole text has the same bytes. Data and metadata begin and end elsewhere.
      const { read } = await changed(path, data, ({ id, data, metadata }) => ({
        data: data.slice(0, data.indexOf(',"id"')),
        id: INNER_ID,
        metadata: `${data.slice(data.indexOf('{}'))},"id":"${id}","metadata":${metadata}`,
      }));
      expect(read).toEqual({ position: 1, text: null });
    }));

  it('is not told if a line feed is in it', () =>
    withScratch(async (path) => {
      const { read } = await changed(path, PLAIN, ({ data }) => ({ data: data.replace(',', ',\n') }));
      expect(read).toEqual({ position: 1, text: null });
    }));

  it.each([
    ['data', 'no JSON'],
    ['data', '{"b":1,"b":2}'],
    ['metadata', '{}'],
    ['revision', 1],
    ['version', 2],
    ['id', ''],
    ['id', '018f0000-0000-7000-8000-0000000000001'],
  ])('is another if %s is %j', (column, value) =>
    withScratch(async (path) => {
      const { read, right } = await changed(path, PLAIN, () => ({ [column]: value }));
      expect(read?.text).not.toBe(right);
    }),
  );

  it('has what is kept, in its order', () =>
    withScratch(async (path) => {
      const { read, right } = await changed(path, PLAIN, () => ({ data: '{"c":1,"b":""}' }));
      expect(read?.text).toBe(`{"data":{"c":1,"b":""}${right.slice(right.indexOf(',"id":'))}`);
    }));
});
