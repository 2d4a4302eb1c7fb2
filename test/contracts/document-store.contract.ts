import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CollectionSpec,
  type DocumentStore,
  UnboundedFilter,
} from '../../src/platform/documents/document-store.js';
import type { Thing } from '../support/engines/document-store-collections.js';
import type { Shortfalls } from '../support/engines/document-store-shortfalls.js';
import { bounds } from './document-store-bounds.contract.js';
import { hints } from './document-store-hints.contract.js';
import { matching } from './document-store-matching.contract.js';
import { purging } from './document-store-purging.contract.js';
import { searching } from './document-store-text.contract.js';
import { transactions } from './document-store-transactions.contract.js';
import { updating } from './document-store-updating.contract.js';
import { wholeWrites } from './document-store-whole-writes.contract.js';
import { wordForms } from './document-store-word-forms.contract.js';
import { writing } from './document-store-writing.contract.js';

export interface OpenedDocumentStore {
  readonly store: DocumentStore;
  /** Closes the store and opens the same documents again. */
  reopen(): Promise<DocumentStore>;
  cleanup(): Promise<void>;
}

/** The contract of the DocumentStore port, for every adapter. */
export function documentStoreContract(
  name: string,
  open: () => Promise<OpenedDocumentStore>,
  shortfalls: Shortfalls = {},
): void {
  describe(`document store on ${name}`, () => {
    let opened: OpenedDocumentStore;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.cleanup());
    const store = () => opened.store;

    describe('matching', () => matching(store, shortfalls));
    describe('writing', () => writing(store));
    describe('updating', () => updating(store, shortfalls));
    describe('bounds', () => bounds(store, shortfalls));
    describe('hints', () => hints(store));
    describe('transactions', () => transactions(store));
    describe('whole writes', () => wholeWrites(store));
    describe('purging', () => purging(store));
    describe('searching', () => searching(store, shortfalls));
    describe('searching for word forms', () => wordForms(store));
  });

  describe(`databases of a document store on ${name}`, () => {
    let opened: OpenedDocumentStore;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.cleanup());

    it('keep documents, indexes and checkpoint when the store is closed and opened again', async () => {
      const database = await opened.store.database('kept');
      await database.ensure({ things: { indexes: [{ keys: { n: 1 } }], text: ['title'] } });
      await database.collection<Thing>('things').insertOne({ _id: 1, n: 5, title: 'word' });
      await database.transaction((transaction) => transaction.setCheckpoint(12));

      const again = await (await opened.reopen()).database('kept');
      expect(await again.checkpoint()).toBe(12);
      const things = again.collection<Thing>('things');
      expect(await things.find({ n: 5 })).toEqual([{ _id: 1, n: 5, title: 'word' }]);
      expect(await things.find({ $text: { $search: 'word' } })).toHaveLength(1);
    });

    it('are shared by name until every caller has closed them', async () => {
      const store = await opened.reopen();
      const [one, same] = await Promise.all([store.database('shared'), store.database('shared')]);
      expect(same).toBe(one);
      await one.close();
      expect(await same.checkpoint()).toBeNull();
      const closing = same.close();
      const opening = store.database('shared');
      await closing;
      await expect(one.checkpoint()).rejects.toThrow();
      const anew = await opening;
      expect(anew).not.toBe(one);
      expect(await anew.checkpoint()).toBeNull();
    });

    it('are closed for every caller when they are dropped', async () => {
      const store = await opened.reopen();
      const [one] = await Promise.all([store.database('dropped'), store.database('dropped')]);
      await store.dropDatabase('dropped');
      await expect(one.checkpoint()).rejects.toThrow();
    });

    it('are listed, and dropped with everything in them', async () => {
      const store = await opened.reopen();
      const database = await store.database('dropped.v2');
      await database.ensure({ things: {} });
      await database.collection<Thing>('things').insertOne({ _id: 1 });
      expect(await store.databases()).toContain('dropped.v2');

      await store.dropDatabase('dropped.v2');
      await store.dropDatabase('never-made');
      expect(await store.databases()).not.toContain('dropped.v2');
      const fresh = await store.database('dropped.v2');
      await fresh.ensure({ things: {} });
      expect(await fresh.collection('things').countDocuments({})).toBe(0);
    });

    it.each([[''], ['..'], ['a/b'], ['a b'], ['\u0000'], ['ž']])('are not named %p', async (bad) => {
      const store = await opened.reopen();
      await expect(store.database(bad)).rejects.toThrow(TypeError);
      await expect((await store.database('named')).ensure({ [bad]: {} })).rejects.toThrow(TypeError);
    });

    it('get the indexes that a later specification adds, also for existing documents', async () => {
      const database = await (await opened.reopen()).database('growing');
      await database.ensure({ things: {} });
      const things = () => database.collection<Thing>('things');
      const documents = Array.from({ length: 2500 }, (_, at) => ({
        _id: at,
        n: at % 10,
        tags: [at % 3, 'x'],
        title: `number ${at}`,
      }));
      await things().bulkWrite(documents.map((document) => ({ insertOne: { document } })));
      await expect(things().find({ n: 5 })).rejects.toThrow(UnboundedFilter);

      const spec: CollectionSpec = {
        indexes: [{ keys: { n: 1, _id: -1 } }, { keys: { tags: 1, n: 1 }, multikey: 'tags' }],
        text: ['title'],
      };
      await database.ensure({ things: spec, others: {} });
      await database.ensure({ things: spec });
      await database.ensure({ things: { indexes: spec.indexes?.slice(0, 1) } });

      expect((await things().find({ n: 5 }, { sort: { _id: 1 }, limit: 2 })).map(({ _id }) => _id)).toEqual([5, 15]);
      expect(await things().countDocuments({ tags: 1, n: 4 })).toBe(
        documents.filter((d) => d.tags[0] === 1 && d.n === 4).length,
      );
      expect(await things().find({ $text: { $search: '"number 2417"' } })).toEqual([documents[2417]]);
      await things().insertOne({ _id: 5000, n: 77, title: 'later' });
      expect(await things().find({ n: 77 })).toHaveLength(1);
      expect(await database.collection('others').countDocuments({})).toBe(0);
    });

    it('know only the collections that were ensured', async () => {
      const database = await (await opened.reopen()).database('strict');
      expect(() => database.collection('unknown').find({ _id: 1 })).rejects.toThrow(/unknown/);
    });
  });
}
