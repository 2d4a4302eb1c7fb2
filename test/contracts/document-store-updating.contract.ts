import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CollectionSpec, DocumentStore } from '../../src/document-store/document-store.js';
import { allOf, filled, newCollection, type Thing } from '../support/document-store-collections.js';
import { questionsFor, type Shortfalls } from '../support/document-store-shortfalls.js';
import { applyUpdate } from '../support/update-model.js';

const small = fc.integer({ min: -2, max: 4 });
const document = fc.record(
  {
    n: small,
    m: small,
    text: fc.constantFrom('a', 'b'),
    list: fc.array(small, { maxLength: 4 }),
    inner: fc.record(
      { x: small, list: fc.array(small, { maxLength: 3 }) },
      { requiredKeys: [], noNullPrototype: true },
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const number = fc.constantFrom('n', 'm', 'inner.x', 'fresh.y');
const list = fc.constantFrom('list', 'inner.list', 'fresh.list');
const one = (operator: string, path: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
  fc.tuple(path, value).map(([field, operand]) => ({ [operator]: { [field]: operand } }));
const update: fc.Arbitrary<Record<string, Record<string, unknown>>> = fc.oneof(
  one('$set', number, fc.oneof(small, fc.constant(null))),
  one('$set', list, fc.oneof(fc.array(small, { maxLength: 2 }), fc.constant(null))),
  one('$unset', fc.oneof(number, list), fc.constant('')),
  one('$inc', fc.constantFrom('n', 'm', 'fresh.y'), small),
  one('$min', number, small),
  one('$max', number, small),
  one('$push', list, small),
  one(
    '$push',
    list,
    fc.array(small, { maxLength: 3 }).map(($each) => ({ $each })),
  ),
  one(
    '$addToSet',
    list,
    fc.array(small, { maxLength: 3 }).map(($each) => ({ $each })),
  ),
  one('$addToSet', list, small),
  one(
    '$pull',
    list,
    fc.oneof(
      small,
      small.map(($gte) => ({ $gte })),
    ),
  ),
  fc.tuple(small, small).map(([n, text]) => ({ $set: { text }, $inc: { n } })),
);

export function updating(store: () => DocumentStore, shortfalls: Shortfalls): void {
  it('sets the same in many documents: what they hold, what they are found by, and nothing else', async () => {
    const spec: CollectionSpec = {
      indexes: [{ keys: { n: 1, at: 1 } }, { keys: { first: 1 }, sparse: true }],
      text: ['words', 'topic'],
      textScope: ['n', 'members'],
      textKeptElsewhere: ['topic'],
    };
    const many: Thing[] = Array.from({ length: 120 }, (_, at) => ({
      _id: at,
      at,
      n: at % 3,
      words: 'said “\u0007 é \ud83d\ude00',
      topic: `old ${at % 2 === 0 ? 'even' : 'odd'}`,
      members: [at % 5],
      ...(at % 4 === 0 && { first: 1 }),
      number: 1.5e-7,
    }));
    const things = await filled(store(), spec, many);
    const set = { n: 7, topic: 'a "new" \n one', first: 'x', nested: { list: [1, null, { é: true }] }, none: null };
    const taken = (at: number): boolean => at % 3 === 1 && at >= 10;
    const expected = many.map((one) => (taken(Number(one._id)) ? { ...one, ...set } : one));
    const ids = many.map(({ _id }) => Number(_id)).filter(taken);
    const filter = { n: 1, at: { $gte: 10 } };
    expect(await things.updateMany(filter, { $set: set })).toMatchObject({ matched: ids.length, modified: ids.length });
    expect(await allOf(things)).toEqual(expected);
    expect((await things.find({ n: 7, at: { $gte: 0 } }, { sort: { at: 1 } })).map(({ _id }) => _id)).toEqual(ids);
    expect(await things.find({ n: 1, at: { $gte: 10 } })).toEqual([]);
    expect(await things.countDocuments({ first: 'x' })).toBe(ids.length);
    const found = async ($search: string, more: object = {}) =>
      (await things.find({ $text: { $search }, ...more }, { sort: { _id: 1 } })).map(({ _id }) => _id);
    expect(await found('new said')).toEqual(ids);
    expect(await found('said', { n: 7 })).toEqual(ids);
    expect(await found('said', { n: 1 })).toEqual(
      many.flatMap(({ _id, n }) => (n === 1 && Number(_id) < 10 ? _id : [])),
    );
    expect(await found('old')).toHaveLength(120 - ids.length);
    expect(await found('said', { members: 2, n: 7 })).toEqual(ids.filter((id) => id % 5 === 2));

    // The same again changes nothing; back again, everything is as it was.
    expect(await things.updateMany({ _id: { $in: ids } }, { $set: set })).toMatchObject({ modified: 0 });
    await things.updateMany({ _id: { $in: ids } }, { $set: { n: 1, topic: 'old even' } });
    expect(await found('new')).toEqual([]);
    expect(await found('old', { n: 1 })).toHaveLength(40);
    for (const id of ids) await things.deleteOne({ _id: id });
    expect(await found('old', { n: 1 })).toEqual([1, 4, 7]);
    await things.deleteMany({ at: { $gte: 0 }, n: { $in: [0, 1, 2, 7] } });
    expect(await found('said')).toEqual([]);
    await things.insertOne({ _id: 13, topic: 'old again', words: 'said' });
    expect([await found('even'), await found('old'), await found('said')]).toEqual([[], [13], [13]]);
  });

  it('does to a stored document what the operators do to a plain one', async () => {
    const things = await newCollection(store(), {
      indexes: [{ keys: { n: 1 } }, { keys: { list: 1, n: 1 }, multikey: 'list' }],
    });
    await fc.assert(
      fc.asyncProperty(document, fc.array(update, { minLength: 1, maxLength: 5 }), async (fields, updates) => {
        await things.deleteMany({});
        const plain: Record<string, unknown> = { _id: 1, ...structuredClone(fields) };
        await things.insertOne({ _id: 1, ...fields });
        for (const each of updates) {
          const before = JSON.stringify(plain);
          const refused = failure(() => applyUpdate(plain, structuredClone(each)));
          const result = await things.updateOne({ _id: 1 }, each).catch((error: unknown) => error);
          if (refused) expect(result).toBeInstanceOf(Error);
          else {
            const modified = JSON.stringify(plain) === before ? 0 : 1;
            const isCounted = !(shortfalls.modifiedByPull && '$pull' in each);
            expect(result).toMatchObject(isCounted ? { matched: 1, modified } : { matched: 1 });
          }
          expect(await things.findOne({ _id: 1 })).toEqual(plain);
        }
        expect(await things.countDocuments({ n: (plain.n as number | undefined) ?? null })).toBe(1);
        for (const element of (plain.list as number[] | undefined) ?? []) {
          expect(await things.countDocuments({ list: element })).toBe(1);
        }
      }),
      { numRuns: 80, ...questionsFor(shortfalls) },
    );
  });

  it('updates one, or all that match', async () => {
    const documents: Thing[] = [1, 2, 3].map((n) => ({ _id: n, kind: 'a' }));
    const things = await filled(store(), { indexes: [{ keys: { kind: 1, _id: 1 } }] }, documents);
    expect(await things.updateOne({ kind: 'a' }, { $set: { seen: true } })).toMatchObject({ matched: 1, modified: 1 });
    expect((await allOf(things)).filter(({ seen }) => seen)).toHaveLength(1);
    expect(await things.updateMany({ kind: 'a' }, { $set: { seen: true } })).toMatchObject({ matched: 3, modified: 2 });
    expect(await things.updateMany({ kind: 'a' }, { $set: { kind: 'b' } })).toMatchObject({ matched: 3, modified: 3 });
    expect(await things.countDocuments({ kind: 'a' })).toBe(0);
    expect(await things.updateMany({ kind: 'a' }, { $set: { kind: 'b' } })).toMatchObject({ matched: 0, modified: 0 });
  });

  it('changes the element that the filter met', async () => {
    const spec = { indexes: [{ keys: { 'people.id': 1 } as const, multikey: 'people.id' }] };
    const things = await filled(store(), spec, [{ _id: 1, people: [{ id: 4 }, { id: 5, n: 1 }] }]);
    await things.updateOne({ 'people.id': 5 }, { $set: { 'people.$.n': 2 } });
    expect(await things.findOne({ _id: 1 })).toEqual({ _id: 1, people: [{ id: 4 }, { id: 5, n: 2 }] });
  });

  it('inserts, as an upsert, what the filter says equals something, with the operators applied', async () => {
    const things = await newCollection(store(), { indexes: [{ keys: { kind: 1 } }] });
    const upsert = { upsert: true };
    const inserted = { matched: 0, modified: 0, inserted: 1, deleted: 0 };
    expect(await things.updateOne({ _id: 1, kind: 'a', n: { $gt: 3 } }, { $inc: { n: 2 } }, upsert)).toEqual(inserted);
    expect(
      await things.updateOne({ $and: [{ _id: 2 }, { kind: { $eq: 'b' } }] }, { $push: { list: 1 } }, upsert),
    ).toEqual(inserted);
    const once = { $set: { seen: 1 }, $setOnInsert: { first: 1 } };
    expect(await things.updateOne({ _id: 3 }, once, upsert)).toEqual(inserted);
    expect(await things.updateOne({ _id: 3 }, { $set: { seen: 2 }, $setOnInsert: { first: 2 } }, upsert)).toMatchObject(
      { matched: 1, inserted: 0 },
    );
    expect(await allOf(things)).toEqual([
      { _id: 1, kind: 'a', n: 2 },
      { _id: 2, kind: 'b', list: [1] },
      { _id: 3, seen: 2, first: 1 },
    ]);
  });

  it.each([
    ['a replacement', { a: 1 }],
    ['an unknown operator', { $frobnicate: { a: 1 } }],
    ['two operators on one field', { $set: { a: 1 }, $inc: { a: 1 } }],
    ['another _id', { $set: { _id: 2 } }],
    ['nothing', {}],
  ])('refuses %s as an update', async (_, update) => {
    const things = await filled(store(), {}, [{ _id: 1, a: 0 }]);
    await expect(things.updateOne({ _id: 1 }, update)).rejects.toThrow();
    expect(await allOf(things)).toEqual([{ _id: 1, a: 0 }]);
  });
}

function failure(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
