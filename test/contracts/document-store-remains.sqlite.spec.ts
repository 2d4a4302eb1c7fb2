import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SqliteDocumentStore } from '../../src/platform/documents/sqlite/sqlite-document-store.js';
import type { Thing } from '../support/engines/document-store-collections.js';
import { scratchDirectory } from '../support/engines/document-store-directory.js';

const COUNT = 400;

describe('deleted documents of a store on SQLite', () => {
  let directory: ReturnType<typeof scratchDirectory>;
  beforeEach(() => {
    directory = scratchDirectory();
  });
  afterEach(() => directory.remove());

  const filesWith = (word: string): string[] =>
    readdirSync(join(directory.path, 'documents')).filter((name) =>
      readFileSync(join(directory.path, 'documents', name)).includes(word),
    );

  it('stay gone from the files when documents beside them are written later', async () => {
    const store = await SqliteDocumentStore.open(directory.path);
    const database = await store.database('written');
    await database.ensure({ things: { indexes: [{ keys: { n: 1 } }] } });
    const things = database.collection<Thing>('things');
    // Ids in no order have SQLite split full pages, which leaves copies of the moved rows.
    for (let n = 0; n < COUNT; n++) {
      const _id = (n * 167) % COUNT;
      await things.insertOne({ _id, title: `${_id % 3 === 0 ? 'secret' : 'stays'}${'x'.repeat(n % 300)}` });
    }
    await things.deleteMany({ _id: { $in: Array.from({ length: COUNT }, (_, n) => n).filter((n) => n % 3 === 0) } });
    expect(filesWith('secret')).not.toEqual([]);
    await database.purge();
    expect(filesWith('secret')).toEqual([]);

    for (let _id = 1; _id < COUNT; _id += 3) await things.updateOne({ _id }, { $set: { n: 1 } });
    expect(filesWith('secret')).toEqual([]);
    expect(await things.countDocuments({ n: 1 })).toBe(Math.ceil((COUNT - 1) / 3));
    await store.close();
    expect(filesWith('secret')).toEqual([]);
  });
});
