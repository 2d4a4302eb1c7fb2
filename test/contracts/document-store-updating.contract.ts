import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CollectionSpec, DocumentStore, Update } from '../../src/platform/documents/document-store.js';
import { allOf, filled, newCollection, type Thing } from '../support/engines/document-store-collections.js';
import { questionsFor, type Shortfalls } from '../support/engines/document-store-shortfalls.js';

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
const update = fc
  .record(
    {
      n: small,
      m: fc.oneof(small, fc.constant(null)),
      text: fc.constantFrom('a', 'b'),
      list: fc.oneof(fc.array(small, { maxLength: 2 }), fc.constant(null)),
      inner: fc.record({ x: small }, { noNullPrototype: true }),
      fresh: small,
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .filter((fields) => Object.keys(fields).length > 0);

export function updating(store: () => DocumentStore, shortfalls: Shortfalls): void {
  it('sets the same fields in many documents and in their indexes, and changes no other fields', async () => {
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

    // The same update again changes nothing. The reverse update restores the first state.
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

  it('changes a stored document like a plain object', async () => {
    const things = await newCollection(store(), {
      indexes: [{ keys: { n: 1 } }, { keys: { list: 1, n: 1 }, multikey: 'list' }],
    });
    await fc.assert(
      fc.asyncProperty(document, fc.array(update, { minLength: 1, maxLength: 5 }), async (fields, updates) => {
        await things.deleteMany({});
        const plain: Record<string, unknown> = { _id: 1, ...structuredClone(fields) };
        await things.insertOne({ _id: 1, ...fields });
        for (const $set of updates) {
          const before = JSON.stringify(plain);
          Object.assign(plain, structuredClone($set));
          const modified = JSON.stringify(plain) === before ? 0 : 1;
          expect(await things.updateOne({ _id: 1 }, { $set })).toMatchObject({ matched: 1, modified });
          expect(await things.findOne({ _id: 1 })).toEqual(plain);
        }
        expect(await things.countDocuments({ n: (plain.n as number | undefined) ?? null })).toBe(1);
        for (const element of (plain.list as number[] | null | undefined) ?? []) {
          expect(await things.countDocuments({ list: element })).toBe(1);
        }
      }),
      { numRuns: 80, ...questionsFor(shortfalls) },
    );
  });

  it('updates one document, or all that match', async () => {
    const documents: Thing[] = [1, 2, 3].map((n) => ({ _id: n, kind: 'a' }));
    const things = await filled(store(), { indexes: [{ keys: { kind: 1, _id: 1 } }] }, documents);
    expect(await things.updateOne({ kind: 'a' }, { $set: { seen: true } })).toMatchObject({ matched: 1, modified: 1 });
    expect((await allOf(things)).filter(({ seen }) => seen)).toHaveLength(1);
    expect(await things.updateMany({ kind: 'a' }, { $set: { seen: true } })).toMatchObject({ matched: 3, modified: 2 });
    expect(await things.updateMany({ kind: 'a' }, { $set: { kind: 'b' } })).toMatchObject({ matched: 3, modified: 3 });
    expect(await things.countDocuments({ kind: 'a' })).toBe(0);
    expect(await things.updateMany({ kind: 'a' }, { $set: { kind: 'b' } })).toMatchObject({ matched: 0, modified: 0 });
  });

  it.each([
    ['a replacement', { a: 1 }],
    ['another operator', { $inc: { a: 1 } }],
    ['a second operator', { $set: { a: 1 }, $inc: { b: 1 } }],
    ['a field within a field', { $set: { 'b.c': 1 } }],
    ['an element', { $set: { 'b.$': 1 } }],
    ['another _id', { $set: { _id: 2 } }],
    ['undefined', { $set: { a: undefined } }],
    ['no field', { $set: {} }],
    ['nothing', {}],
  ])('refuses %s as an update', async (_, update) => {
    const things = await filled(store(), {}, [{ _id: 1, a: 0 }]);
    await expect(things.updateOne({ _id: 1 }, update as unknown as Update)).rejects.toThrow();
    expect(await allOf(things)).toEqual([{ _id: 1, a: 0 }]);
  });
}
