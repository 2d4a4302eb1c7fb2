import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DamagedDocuments } from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { scratchDirectory } from '../../support/engines/document-store-directory.js';

const EMPTY_PAGE = Buffer.from([0, 0, 0, 4]);

let directory: ReturnType<typeof scratchDirectory>;
beforeEach(() => {
  directory = scratchDirectory();
});
afterEach(() => directory.remove());

/** Opens the documents as their owner does. @returns what it is told, and the ids that a search finds */
async function opened(search: string) {
  const damaged: DamagedDocuments[] = [];
  const store = await SqliteDocumentStore.open(directory.path, { onDamaged: (one) => damaged.push(one) });
  const database = await store.database('some');
  await database.ensure({ things: { text: ['title'] } });
  const found = await database.collection('things').find({ $text: { $search: search } });
  await store.close();
  return { damaged, ids: found.map(({ _id }) => _id) };
}

/** Writes the words of one document again and again, each time in a transaction of its own. */
async function rewritten(): Promise<void> {
  const store = await SqliteDocumentStore.open(directory.path);
  const database = await store.database('some');
  await database.ensure({ things: { text: ['title'] } });
  const things = database.collection<{ readonly _id: number; readonly title: string }>('things');
  for (let _id = 1; _id <= 200; _id++) await things.insertOne({ _id, title: `always word${_id}` });
  for (let n = 0; n < 20; n++) {
    const replaced = { filter: { _id: 1 }, replacement: { _id: 1, title: `always other${n} ${n * 7}` } };
    await database.write({ writes: [{ collection: 'things', operations: [{ replaceOne: replaced }] }] });
  }
  await store.close();
}

const pages = (work: (connection: SqliteConnection) => void): void => {
  const connection = new SqliteConnection(join(directory.path, 'documents/some.sqlite'));
  work(connection);
  connection.close();
};

describe('pages of words', () => {
  it('that lost their last word are no damage, and searches pass over them', async () => {
    await rewritten();
    // A later SQLite leaves none.
    pages((connection) => {
      const [sound] = connection.prepare('SELECT segid FROM d1text_idx ORDER BY segid LIMIT 1').get() ?? [];
      connection
        .prepare('INSERT INTO d1text_idx (segid, term, pgno) VALUES (?, ?, ?)')
        .run(sound ?? 1, Buffer.from('0zzz'), 2000);
      connection
        .prepare('INSERT INTO d1text_data (id, block) VALUES ((? << 37) + 1000, ?)')
        .run(sound ?? 1, EMPTY_PAGE);
      expect(connection.prepare('PRAGMA quick_check(1)').all()).not.toEqual([['ok']]);
    });
    expect(await opened('other19')).toEqual({ damaged: [], ids: [1] });
    expect(await opened('other18')).toEqual({ damaged: [], ids: [] });
  });

  it.each([
    ['zeros', Buffer.alloc(2000)],
    ['garbage', Buffer.alloc(2000, 'garbage')],
  ])('that hold %s are damage', async (_, block) => {
    await rewritten();
    pages((connection) =>
      connection.prepare('UPDATE d1text_data SET block = ? WHERE id > 10 AND length(block) > 100').run(block),
    );
    expect((await opened('always')).damaged).toMatchObject([{ name: 'some' }]);
  });
});
