import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  DocumentStoreUnavailable,
  DocumentsUnusable,
  DuplicateKey,
} from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { DocumentsThread } from '../../../src/platform/documents/sqlite/thread/documents-thread.js';
import { carried, uncarried } from '../../../src/platform/documents/sqlite/thread/thread-protocol.js';
import { scratchDirectory } from '../../support/engines/document-store-directory.js';

let directory: ReturnType<typeof scratchDirectory>;
beforeEach(() => {
  directory = scratchDirectory();
});
afterEach(() => directory.remove());

const insertion = (_id: number) => ({
  writes: [{ collection: 'things', operations: [{ insertOne: { document: { _id } } }] }],
});

it('a thread that ends fails the writes that it was given, and takes no more', async () => {
  const store = await SqliteDocumentStore.open(directory.path);
  await (await store.database('some')).ensure({ things: {} });
  const thread = new DocumentsThread({ directory: directory.path });
  await thread.begins;
  expect(await thread.write('some', insertion(1))).toMatchObject([{ inserted: 1 }]);
  const given = thread.write('some', insertion(2));
  await thread.close();
  await expect(given).rejects.toThrow(DocumentStoreUnavailable);
  expect(thread.isReady).toBe(false);
  await expect(thread.write('some', insertion(3))).rejects.toThrow(DocumentStoreUnavailable);
  await store.close();
});

it('a store writes by itself until there is much to write, and then by a thread', async () => {
  const store = await SqliteDocumentStore.open(directory.path, { threadAfter: 3 });
  const database = await store.database('some');
  await database.ensure({ things: {} });
  for (let n = 0; n < 50; n++) await database.write(insertion(n));
  expect(await database.collection('things').countDocuments({})).toBe(50);
  await expect(database.write(insertion(7))).rejects.toThrow(DuplicateKey);
  await store.close();
});

it('an error is what it was, on the other side', () => {
  for (const error of [
    new DuplicateKey('things'),
    new DocumentStoreUnavailable('no space'),
    new DocumentsUnusable('damaged'),
    new TypeError('an array'),
  ]) {
    const { name, message } = error;
    const there = uncarried(carried(error), 'some');
    expect(there).toMatchObject({ name, message });
    if (!(error instanceof TypeError)) expect(there).toBeInstanceOf(error.constructor);
  }
});
