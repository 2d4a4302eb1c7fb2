import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compiled } from '../../scripts/transpile.js';
import { type DocumentDatabase, DocumentStoreUnavailable } from '../../src/platform/documents/document-store.js';
import { SqliteDocumentDatabase } from '../../src/platform/documents/sqlite/sqlite-document-database.js';
import { SqliteDocumentStore } from '../../src/platform/documents/sqlite/sqlite-document-store.js';
import { SqliteConnection } from '../../src/platform/sqlite/driver.js';
import type { Thing } from '../support/engines/document-store-collections.js';
import { scratchDirectory } from '../support/engines/document-store-directory.js';

const WRITER = compiled('test/support/engines/document-store-writer.ts');

describe('a document store on SQLite under faults', () => {
  let directory: ReturnType<typeof scratchDirectory>;
  beforeEach(() => {
    directory = scratchDirectory();
  });
  afterEach(() => directory.remove());

  async function opened<T>(work: (store: SqliteDocumentStore) => Promise<T>): Promise<T> {
    const store = await SqliteDocumentStore.open(directory.path);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  const file = (suffix = '') => join(directory.path, 'documents', `written.sqlite${suffix}`);

  /** Expects documents, columns, element rows and search terms as of the checkpoint. */
  async function expectConsistent(database: DocumentDatabase): Promise<number> {
    const things = database.collection<Thing>('things');
    const checkpoint = (await database.checkpoint()) ?? 0;
    const all = await things.find({}, { sort: { _id: 1 }, limit: 1_000_000 });
    const expected = checkpoint === 0 ? 0 : checkpoint * 10 + 10;
    expect(all).toHaveLength(expected);
    expect(all.every(({ _id, batch }) => batch === Math.min(Math.floor(Number(_id) / 10), checkpoint))).toBe(true);
    for (const batch of [1, checkpoint - 1, checkpoint].filter((each) => each > 0 && each <= checkpoint)) {
      const size = batch === checkpoint ? 20 : 10;
      expect(await things.find({ batch })).toHaveLength(size);
      expect(await things.find({ tags: batch })).toHaveLength(size);
      expect(await things.find({ $text: { $search: `word${batch}` } })).toHaveLength(size);
    }
    expect(await things.countDocuments({ tags: 'all' })).toBe(expected);
    expect(await things.find({ batch: checkpoint + 1 })).toEqual([]);
    return checkpoint;
  }

  async function linesUntil(child: ChildProcess, done: (line: string, count: number) => boolean): Promise<string[]> {
    if (!child.stdout) throw new Error('the writer has no output');
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (done(line, lines.length)) break;
    }
    return lines;
  }

  it('knows a collection that another process has made since the database was opened', () =>
    opened(async (store) => {
      const database = await store.database('written');
      await opened(async (other) => {
        const made = await other.database('written');
        expect(await database.has('things')).toBe(false);
        await made.ensure({ things: {} });
        await made.collection('things').insertOne({ _id: 1 });
      });
      expect(await database.has('things')).toBe(true);
      expect(await database.collection('things').findOne({ _id: 1 })).toEqual({ _id: 1 });
    }));

  describe('a writer that is killed', () => {
    it('leaves documents and checkpoint as of one transaction, and loses no committed one', async () => {
      let committed = 0;
      for (const afterCommits of fc.sample(fc.integer({ min: 1, max: 60 }), { numRuns: 6, seed: 7 })) {
        const child = spawn(process.execPath, [WRITER, directory.path], { stdio: ['ignore', 'pipe', 'inherit'] });
        const lines = await linesUntil(child, (_, count) => count === afterCommits);
        child.kill('SIGKILL');
        await once(child, 'exit');
        committed = Number(lines.at(-1));
        await opened(async (store) => {
          const database = await store.database('written');
          expect(await expectConsistent(database)).toBeGreaterThanOrEqual(committed);
        });
      }
      expect(committed).toBeGreaterThan(6);
    });
  });

  describe('a disk without space', () => {
    it.each([
      ['refuses the whole transaction', ''],
      ['refuses the whole transaction even if its work ignores the failure', 'careless'],
    ])('%s, and works again when there is space', async (_, how) => {
      const limited = `ulimit -f 2000; exec "${process.execPath}" "${WRITER}" "${directory.path}" ${how}`;
      const child = spawn('sh', ['-c', limited], { stdio: ['ignore', 'pipe', 'inherit'] });
      const lines = await linesUntil(child, () => false);
      expect(lines.at(-1)).toBe('DocumentStoreUnavailable');
      const committed = Number(lines.at(-2) ?? 0);
      await opened(async (store) => {
        const database = await store.database('written');
        expect(await expectConsistent(database)).toBe(committed);
        await database.collection<Thing>('things').insertOne({ _id: -1 });
      });
    });
  });

  describe('a file', () => {
    const fill = () =>
      opened(async (store) => {
        const database = await store.database('written');
        await database.ensure({ things: { indexes: [{ keys: { batch: 1 } }] } });
        const documents = Array.from({ length: 500 }, (_, at) => ({ _id: at, batch: at, pad: 'x'.repeat(400) }));
        await database
          .collection<Thing>('things')
          .bulkWrite(documents.map((document) => ({ insertOne: { document } })));
        if (database instanceof SqliteDocumentDatabase) await database.purge();
      });

    it.each([
      ['that is no database', () => writeFileSync(file(), 'x'.repeat(5000))],
      ['whose pages are overwritten', () => writeFileSync(file(), Buffer.alloc(200_000, 0xee))],
      ['that ends too early', () => truncateSync(file(), 20_000)],
    ])('%s is refused, and may be deleted', async (_, damage) => {
      await fill();
      damage();
      const use = opened(async (store) => {
        const database = await store.database('written');
        await database.collection<Thing>('things').find({ batch: { $gte: 0 } });
      });
      await expect(use).rejects.toThrow(DocumentStoreUnavailable);
      await expect(use).rejects.toThrow(/delete .*rebuilt/);
      await opened(async (store) => {
        await store.dropDatabase('written');
        const database = await store.database('written');
        await database.ensure({ things: {} });
        expect(await database.collection('things').countDocuments({})).toBe(0);
      });
    });

    it('of another version is refused as such', async () => {
      await opened(async (store) => {
        const later = new SqliteConnection(file());
        later.exec('CREATE TABLE collections (later); PRAGMA user_version = 99');
        later.close();
        await expect(store.database('written')).rejects.toThrow(DocumentStoreUnavailable);
        await expect(store.database('written')).rejects.toThrow(/another version.*Delete/);
      });
    });

    it('is complete without other files when it is closed', async () => {
      await opened(async (store) => {
        const database = await store.database('written');
        await database.ensure({ things: {} });
        await database.transaction(async (transaction) => {
          await transaction.collection<Thing>('things').insertOne({ _id: 1 });
          await transaction.setCheckpoint(4);
        });
        expect(await database.collection<Thing>('things').findOne({ _id: 1 })).toEqual({ _id: 1 });
        await database.close();
        copyFileSync(file(), join(directory.path, 'documents', 'copied.sqlite'));
        const copied = await store.database('copied');
        expect(await copied.checkpoint()).toBe(4);
        expect(await copied.collection<Thing>('things').findOne({ _id: 1 })).toEqual({ _id: 1 });
      });
    });

    it('is deleted with its database, together with the files beside it', async () => {
      await fill();
      await opened(async (store) => {
        const database = await store.database('written');
        await database.collection<Thing>('things').insertOne({ _id: 'one more' });
        await store.dropDatabase('written');
        expect(readdirSync(join(directory.path, 'documents'))).toEqual([]);
      });
    });

    it('holds no word of a deleted document after a purge', async () => {
      // Neighbouring words differ in their last digit, so that FTS5 cannot shorten them at the start of a page.
      const word = (at: number) => `zq${String(at).padStart(5, '0')}`;
      const count = 3000;
      await opened(async (store) => {
        const database = await store.database('written');
        if (!(database instanceof SqliteDocumentDatabase)) throw new Error('not the adapter under test');
        await database.ensure({
          things: {
            indexes: [{ keys: { topic: 1, _id: 1 } }, { keys: { words: 1 }, multikey: 'words' }],
            text: ['content'],
          },
        });
        // Out of order, so that pages are split and rows move.
        const ids = Array.from({ length: count }, (_, at) => (at * 1009) % count);
        const things = database.collection<Thing>('things');
        await things.bulkWrite(
          ids.map((_id) => ({
            insertOne: {
              document: {
                _id,
                topic: word(_id),
                content: `${word(_id)} ${'pad '.repeat(_id % 150)}`,
                words: [word(_id), 1],
              },
            },
          })),
        );
        const gone = ids.filter((id) => id % 3 !== 0);
        await things.bulkWrite(
          gone.map((_id) =>
            _id % 3 === 1
              ? { deleteOne: { filter: { _id } } }
              : { updateOne: { filter: { _id }, update: { $set: { topic: '', content: '', words: [] } } } },
          ),
        );
        await database.purge();

        const words = new Set<string>();
        for (const suffix of ['', '-wal']) {
          const bytes = await readFile(file(suffix), 'latin1');
          for (const [found] of bytes.matchAll(/zq\d{5}/g)) words.add(found);
        }
        expect(gone.map(word).filter((each) => words.has(each))).toEqual([]);
        const kept = ids.filter((id) => id % 3 === 0);
        expect(kept.every((id) => words.has(word(id)))).toBe(true);
        for (const id of ids.filter((each) => each % 10 === 0)) {
          const found = await things.find({ $text: { $search: word(id) } });
          expect(found.map(({ _id }) => _id)).toEqual(id % 3 === 0 ? [id] : []);
        }
      });
    });
  });
});
