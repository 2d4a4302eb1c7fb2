import { describe, expect, it } from '@jest/globals';
import { type DocumentStore, DuplicateKey } from '../../src/platform/documents/document-store.js';
import { allOf, filled, newCollection, type Thing } from '../support/engines/document-store-collections.js';

export function writing(store: () => DocumentStore): void {
  describe('insertOne', () => {
    it('stores any JSON document unchanged', async () => {
      const things = await newCollection(store());
      const document = {
        _id: 'ž "quoted" \u2028',
        text: '\u0000 🜁 \\',
        numbers: [0, -1.5, 1e300, 2 ** 53],
        nested: { none: null, yes: true, empty: {}, list: [[]] },
      };
      expect(await things.insertOne(document)).toEqual({ matched: 0, modified: 0, inserted: 1, deleted: 0 });
      expect(await things.findOne({ _id: document._id })).toEqual(document);
    });

    it('keeps numbers and texts apart as _id, and orders numbers before texts', async () => {
      const things = await newCollection(store());
      for (const _id of ['2', 10, '1', 2, -3, 2 ** 53 - 1]) await things.insertOne({ _id });
      expect((await allOf(things)).map(({ _id }) => _id)).toEqual([-3, 2, 10, 2 ** 53 - 1, '1', '2']);
      expect(await things.findOne({ _id: 2 })).toEqual({ _id: 2 });
      expect(await things.findOne({ _id: '10' })).toBeNull();
    });

    it('lets exactly one of many concurrent inserts have an _id', async () => {
      const things = await newCollection(store());
      const ids = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? n : `${n}`));
      await things.bulkWrite(ids.map((_id) => ({ insertOne: { document: { _id, of: _id } } })));
      const asked = [...ids, 0, '0', ...ids, 'none'];
      const found = await Promise.all(asked.map((_id) => things.findOne({ _id })));
      expect(found).toEqual(asked.map((_id) => (ids.includes(_id) ? { _id, of: _id } : null)));
      const once = things.findOne({ _id: 0 });
      await Promise.all([things.findOne({ _id: 2 }), things.deleteOne({ _id: 4 })]);
      expect(await Promise.all([once, things.findOne({ _id: 4 })])).toEqual([{ _id: 0, of: 0 }, null]);
    });

    it.each([[7], ['seven']])('refuses a second document with the _id %p, and keeps the first', async (_id) => {
      const things = await newCollection(store());
      await things.insertOne({ _id, first: true });
      await expect(things.insertOne({ _id, first: false })).rejects.toThrow(DuplicateKey);
      expect(await allOf(things)).toEqual([{ _id, first: true }]);
    });

    it('refuses an array in an indexed field that is not declared multikey, and stores nothing', async () => {
      const things = await newCollection(store(), { indexes: [{ keys: { a: 1 } }, { keys: { 'b.c': 1 } }] });
      await expect(things.insertOne({ _id: 1, a: [1] })).rejects.toThrow(/a holds an array/);
      await expect(things.insertOne({ _id: 2, b: [{ c: 1 }] })).rejects.toThrow(/b\.c holds an array/);
      expect(await things.countDocuments({})).toBe(0);
    });
  });

  describe('replaceOne', () => {
    it('replaces the whole document, even if the filter is on another field', async () => {
      const things = await filled(store(), { indexes: [{ keys: { a: 1 } }] }, [{ _id: 1, a: 5, b: 1 }]);
      expect(await things.replaceOne({ _id: 1 }, { _id: 1, a: 6 })).toMatchObject({ matched: 1, inserted: 0 });
      expect(await things.replaceOne({ a: 6 }, { _id: 1, c: 2 })).toMatchObject({ matched: 1, inserted: 0 });
      expect(await allOf(things)).toEqual([{ _id: 1, c: 2 }]);
      expect(await things.find({ a: 6 })).toEqual([]);
    });

    it.each([[1], ['one']])('inserts %p only as an upsert, and only once', async (_id) => {
      const things = await newCollection(store(), { indexes: [{ keys: { n: 1 } }] });
      expect(await things.replaceOne({ _id }, { _id, n: 1 })).toMatchObject({ matched: 0, inserted: 0 });
      expect(await allOf(things)).toEqual([]);
      for (const n of [1, 2, 2, 3]) await things.replaceOne({ _id }, { _id, n }, { upsert: true });
      expect(await allOf(things)).toEqual([{ _id, n: 3 }]);
      expect(await things.find({ n: { $lt: 3 } })).toEqual([]);
      expect(await things.find({ n: 3 })).toHaveLength(1);
    });

    it('reports inserted and replaced documents apart, in any order of the two', async () => {
      const things = await newCollection(store());
      const ids = [1, 2, 1, 1, 3, 3, 2, 4];
      const results = [];
      for (const _id of ids) results.push(await things.replaceOne({ _id }, { _id }, { upsert: true }));
      expect(results.map(({ inserted }) => inserted)).toEqual([1, 1, 0, 0, 1, 0, 0, 1]);
      expect(results.map(({ matched }) => matched)).toEqual([0, 0, 1, 1, 0, 1, 1, 0]);
    });

    it('does not change an _id', async () => {
      const things = await filled(store(), { indexes: [{ keys: { a: 1 } }] }, [{ _id: 1, a: 5 }]);
      await expect(things.replaceOne({ a: 5 }, { _id: 2, a: 5 })).rejects.toThrow();
      await expect(things.replaceOne({ _id: 1 }, { _id: 2, a: 5 })).rejects.toThrow();
      expect(await allOf(things)).toEqual([{ _id: 1, a: 5 }]);
    });
  });

  describe('a multikey index', () => {
    it('finds a document by any element, once, in the order of the other keys', async () => {
      const spec = { indexes: [{ keys: { people: 1, at: 1 } as const, multikey: 'people', sparse: true }] };
      const documents = [1, 2, 3, 4, 5].map((n) => ({ _id: n, at: 10 - n, people: [n, n + 1, 7] }));
      const things = await filled(store(), spec, [...documents, { _id: 6, at: 0 }]);
      const found = async (filter: object, sort: Record<string, 1 | -1>) =>
        (await things.find({ ...filter }, { sort, limit: 3 })).map(({ _id }) => _id);
      expect(await found({ people: 7 }, { at: 1 })).toEqual([5, 4, 3]);
      expect(await found({ people: { $in: [2, 3, 7] } }, { at: -1 })).toEqual([1, 2, 3]);
      expect(await found({ people: 3, at: { $gt: 7 } }, { at: 1 })).toEqual([2]);
      expect(await things.countDocuments({ people: { $in: [1, 2, 7] } })).toBe(5);
    });

    it('follows elements that are added and removed', async () => {
      const spec = { indexes: [{ keys: { people: 1, at: 1 } as const, multikey: 'people' }] };
      const things = await filled(store(), spec, [{ _id: 1, at: 1, people: [1, 2] }]);
      await things.updateOne({ _id: 1 }, { $set: { people: [2, 3] } });
      expect(await things.countDocuments({ people: 3 })).toBe(1);
      expect(await things.countDocuments({ people: 1 })).toBe(0);
      await things.deleteOne({ _id: 1 });
      expect(await things.countDocuments({ people: { $in: [1, 2, 3] } })).toBe(0);
    });
  });

  describe('deleting', () => {
    const documents: Thing[] = [1, 2, 3, 4].map((n) => ({ _id: n, even: n % 2 === 0 }));

    it('deletes one document, all that match, or everything', async () => {
      const things = await filled(store(), { indexes: [{ keys: { even: 1 } }] }, documents);
      expect(await things.deleteOne({ even: true })).toMatchObject({ deleted: 1 });
      expect(await things.countDocuments({ even: true })).toBe(1);
      expect(await things.deleteMany({ even: false })).toMatchObject({ deleted: 2 });
      expect(await things.deleteOne({ _id: 1 })).toMatchObject({ deleted: 0 });
      expect(await things.countDocuments({})).toBe(1);
      expect(await things.deleteMany({})).toMatchObject({ deleted: 1 });
      expect(await allOf(things)).toEqual([]);
    });
  });

  describe('bulkWrite', () => {
    it('applies the operations in order, and adds up their results', async () => {
      const things = await newCollection(store(), { indexes: [{ keys: { n: 1 } }] });
      const result = await things.bulkWrite([
        { insertOne: { document: { _id: 1, n: 1 } } },
        { replaceOne: { filter: { _id: 2 }, replacement: { _id: 2, n: 1 }, upsert: true } },
        { updateMany: { filter: { n: 1 }, update: { $set: { n: 7 } } } },
        { updateOne: { filter: { _id: 1 }, update: { $set: { n: 2 } } } },
        { deleteMany: { filter: { n: { $gt: 5 } } } },
        { deleteOne: { filter: { _id: 2 } } },
      ]);
      expect(result).toEqual({ matched: 3, modified: 3, inserted: 2, deleted: 1 });
      expect(await allOf(things)).toEqual([{ _id: 1, n: 2 }]);
    });

    it('stops at the first failure', async () => {
      const things = await newCollection(store());
      const inserts = [1, 2, 1, 3].map((_id) => ({ insertOne: { document: { _id } } }));
      await expect(things.bulkWrite(inserts)).rejects.toThrow(DuplicateKey);
      expect(await allOf(things)).toEqual([{ _id: 1 }, { _id: 2 }]);
    });
  });
}
