import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Query } from 'mingo';
import type {
  CollectionSpec,
  DocumentStore,
  FindOptions,
  StoredDocument,
} from '../../src/platform/documents/document-store.js';
import { questionsFor, type Shortfalls } from '../support/engines/document-store-shortfalls.js';

type Fields = Record<string, unknown>;

const SPEC: CollectionSpec = {
  indexes: [
    { keys: { a: 1, b: -1 } },
    { keys: { b: 1, _id: 1 } },
    { keys: { e: 1, b: 1 }, sparse: true },
    { keys: { d: 1, b: 1 }, multikey: 'd' },
    { keys: { b: 1, d: -1, _id: -1 }, multikey: 'd', sparse: true },
    { keys: { 'n.x': -1 } },
  ],
};

const number = fc.oneof(fc.integer({ min: -3, max: 6 }), fc.constantFrom(0.5, -1.25, 1e15, 2 ** 53 - 1));
const text = fc.constantFrom('', 'a', 'b', 'ab', '5', '05', 'B', 'é', '10', 'a\u0001', 'a\u0000b', 'a\u0002');
const scalar = fc.oneof(number, text, fc.boolean(), fc.constant(null));
const ids = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: -5, max: 60 }) }, text);
const elements = fc.oneof(fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), text), { maxLength: 4 }), scalar);
const document = fc.record(
  {
    _id: ids,
    a: scalar,
    b: number,
    c: fc.oneof(scalar, fc.array(number, { maxLength: 3 }), fc.record({ x: number }, { noNullPrototype: true })),
    d: elements,
    e: fc.oneof(scalar),
    n: fc.oneof(fc.record({ x: scalar }, { requiredKeys: [], noNullPrototype: true }), number),
  },
  { requiredKeys: ['_id'], noNullPrototype: true },
);
const documents = fc.uniqueArray(document, { selector: ({ _id }) => _id, maxLength: 40 });

const bound = fc.oneof(number, text);
const range = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), value)
      .map(([operator, operand]) => ({ [operator]: operand })),
    fc
      .tuple(fc.constantFrom('$gt', '$gte'), value, fc.constantFrom('$lt', '$lte'), value)
      .map(([lower, from, upper, to]) => ({ [lower]: from, [upper]: to })),
  );
const bounding = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    value,
    value.map((operand) => ({ $eq: operand })),
    fc.array(value, { maxLength: 12 }).map((operand) => ({ $in: operand })),
    range(bound),
  );
const notNull = fc.oneof(number, text, fc.boolean());
const field = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'n.x');
const other: fc.Arbitrary<Fields> = fc.oneof(
  fc.tuple(fc.oneof(field, fc.constant('_id')), bounding(scalar)).map(([path, condition]) => ({ [path]: condition })),
  fc.tuple(field, fc.boolean()).map(([path, $exists]) => ({ [path]: { $exists } })),
  fc.tuple(field, bounding(scalar)).map(([path, condition]) => ({ $nor: [{ [path]: condition }] })),
);
const bounded: fc.Arbitrary<Fields> = fc.oneof(
  bounding(scalar).map((condition) => ({ a: condition })),
  bounding(scalar).map((condition) => ({ b: condition })),
  bounding(scalar).map((condition) => ({ d: condition })),
  bounding(notNull).map((condition) => ({ e: condition })),
  bounding(scalar).map((condition) => ({ 'n.x': condition })),
  bounding(ids).map((condition) => ({ _id: condition })),
);
/** Conditions on one path stay apart: `{ ...a, ...b }` would drop one. */
const all = (parts: Fields[]): Fields => (parts.length === 1 ? (parts[0] ?? {}) : { $and: parts });
const conjunction = fc.tuple(bounded, fc.array(other, { maxLength: 2 })).map(([first, rest]) => all([first, ...rest]));
const disjunction = fc.array(conjunction, { minLength: 1, maxLength: 4 }).map(($or): Fields => ({ $or }));
const filter: fc.Arbitrary<Fields> = fc.oneof(
  conjunction,
  disjunction,
  fc.tuple(disjunction, other).map(([either, rest]) => all([rest, either])),
  fc.tuple(disjunction, disjunction).map((parts) => all(parts)),
);

const direction = fc.constantFrom<1 | -1>(1, -1);
const sort = fc.oneof(
  fc.constant(undefined),
  fc
    .tuple(fc.subarray(['a', 'b', 'e', 'n.x', '_id'], { minLength: 1, maxLength: 3 }), direction, direction)
    .map(([paths, first, rest]) => Object.fromEntries(paths.map((path, at) => [path, at === 0 ? first : rest]))),
);
const projection = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom<Record<string, 0 | 1>>(
    { a: 1 },
    { a: 1, b: 1, e: 1 },
    { b: 1, _id: 0 },
    { _id: 1 },
    { c: 1, d: 1 },
    { a: 0, n: 0 },
    { 'n.x': 1, b: 1 },
    { _id: 0 },
  ),
);
const options: fc.Arbitrary<FindOptions> = fc
  .record({ sort, limit: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }), projection })
  .map((chosen) => JSON.parse(JSON.stringify(chosen)) as FindOptions);

/** Compares every answer with the answer of mingo over a plain list. */
export function matching(store: () => DocumentStore, shortfalls: Shortfalls): void {
  const isAnswered = (where: Fields) => !shortfalls.elementRanges || !boundsElementsTwice(where);

  it('finds the documents that match a filter, sorted and projected as requested', async () => {
    const database = await store().database('matching');
    await database.ensure({ things: SPEC });
    const things = database.collection('things');
    const questions = fc.array(fc.tuple(filter, options), { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(documents, questions, async (stored, asked) => {
        await things.deleteMany({});
        await things.bulkWrite(stored.map((each) => ({ insertOne: { document: each as StoredDocument } })));
        for (const [where, how] of asked.filter(([each]) => isAnswered(each))) {
          expectSame(stored, where, how, (await things.find(where, how)) as unknown as Fields[]);
          expect(await things.countDocuments(where)).toBe(matches(stored, where).length);
        }
      }),
      { numRuns: 150, ...questionsFor(shortfalls) },
    );
  });

  it('finds the same after documents were replaced, updated and deleted', async () => {
    const database = await store().database('matching');
    await database.ensure({ changing: SPEC });
    const changing = database.collection('changing');
    const questions = fc.array(fc.tuple(filter, options), { minLength: 5, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(documents, documents, fc.array(ids), questions, async (first, second, gone, asked) => {
        await changing.deleteMany({});
        const model = new Map<unknown, Fields>();
        for (const each of [...first, ...second]) {
          await changing.replaceOne({ _id: each._id }, each as StoredDocument, { upsert: true });
          model.set(each._id, each);
        }
        for (const id of gone) {
          const { deleted } = await changing.deleteOne({ _id: id });
          expect(deleted).toBe(model.delete(id) ? 1 : 0);
        }
        for (const [where, how] of asked.filter(([each]) => isAnswered(each))) {
          expectSame([...model.values()], where, how, (await changing.find(where, how)) as unknown as Fields[]);
        }
      }),
      { numRuns: 60, ...questionsFor(shortfalls) },
    );
  });

  it.each([
    ['$ne', { a: 1, b: { $ne: 2 } }],
    ['$not', { a: 1, b: { $not: { $gt: 2 } } }],
    ['$elemMatch in a negation', { a: 1, $nor: [{ d: { $elemMatch: { $gt: 1 } } }] }],
    ['$expr', { a: 1, $expr: { $eq: ['$a', '$b'] } }],
    ['a pattern', { a: /a/ }],
  ])('refuses %s', async (_, where) => {
    const database = await store().database('matching');
    await database.ensure({ things: SPEC });
    await expect(database.collection('things').find(where)).rejects.toThrow(TypeError);
  });

  it('finds rare documents among many with the same sort key', async () => {
    const database = await store().database('matching');
    await database.ensure({ ties: { indexes: [{ keys: { a: 1, b: 1 } }, { keys: { a: 1, b: 1, _id: 1 } }] } });
    const ties = database.collection('ties');
    const orders: Record<string, 1 | -1>[] = [
      { b: 1 },
      { b: -1 },
      { b: 1, _id: 1 },
      { b: -1, _id: -1 },
      { a: 1, b: -1 },
    ];
    for (const width of [1, 7, 150, 1000]) {
      await ties.deleteMany({});
      const stored = Array.from({ length: 1000 }, (_, at) => ({
        _id: at,
        a: at % 5,
        b: Math.floor(at / width),
        c: at % 97,
      }));
      await ties.bulkWrite(stored.map((document) => ({ insertOne: { document } })));
      const where = { a: { $in: [0, 1, 3] }, c: { $in: [5, 96] } };
      for (const order of orders) {
        expectSame(stored, where, { sort: order }, (await ties.find(where, { sort: order })) as unknown as Fields[]);
        const some = { sort: order, limit: 9 };
        expectSame(stored, where, some, (await ties.find(where, some)) as unknown as Fields[]);
      }
    }
  });

  it('reads the whole collection in the order of an index', async () => {
    const database = await store().database('matching');
    await database.ensure({ whole: SPEC });
    const whole = database.collection('whole');
    const orders = fc.constantFrom<Record<string, 1 | -1>>(
      { _id: 1 },
      { _id: -1 },
      { b: 1, _id: 1 },
      { b: -1, _id: -1 },
    );
    await fc.assert(
      fc.asyncProperty(documents, orders, fc.integer({ min: 1, max: 50 }), async (stored, order, limit) => {
        await whole.deleteMany({});
        await whole.bulkWrite(stored.map((each) => ({ insertOne: { document: each as StoredDocument } })));
        expect(await whole.find({}, { sort: order, limit })).toEqual(sorted(stored, order).slice(0, limit));
      }),
      { numRuns: 40, ...questionsFor(shortfalls) },
    );
  });
}

function matches(stored: Fields[], where: Fields): Fields[] {
  const query = new Query(where, {});
  return stored.filter((each) => query.test(each));
}

function sorted(stored: Fields[], order: Record<string, 1 | -1>): Fields[] {
  return new Query({}, {}).find<Fields>(stored).sort(order).all();
}

function boundsElementsTwice(where: unknown): boolean {
  if (Array.isArray(where)) return where.some(boundsElementsTwice);
  if (typeof where !== 'object' || where === null) return false;
  return Object.entries(where).some(([key, value]) =>
    key === 'd' ? Object.keys(value ?? {}).length > 1 && !Array.isArray(value) : boundsElementsTwice(value),
  );
}

/** Expects the right documents in the right order. Documents with equal sort keys may come in any order. */
function expectSame(stored: Fields[], where: Fields, how: FindOptions, found: Fields[]): void {
  const expected = matches(stored, where);
  const length = Math.min(expected.length, how.limit ?? expected.length);
  expect(found).toHaveLength(length);
  const project = (from: Fields[]): Fields[] => new Query({}, {}).find<Fields>(from, how.projection ?? {}).all();
  const candidates = project(how.sort ? sorted(expected, how.sort) : expected);
  if (how.sort && '_id' in how.sort) expect(found).toEqual(candidates.slice(0, length));
  else if (!how.projection) {
    expect(new Set(found.map(({ _id }) => _id)).size).toBe(length);
    for (const each of found) expect(expected).toContainEqual(each);
    if (how.sort) expect(keysOf(found, how.sort)).toEqual(keysOf(candidates, how.sort).slice(0, length));
  } else for (const each of found) expect(candidates).toContainEqual(each);
}

/** The sort keys of the documents. Null and missing sort alike. */
function keysOf(found: Fields[], order: Record<string, 1 | -1>): unknown[] {
  return found.map((each) =>
    Object.keys(order).map(
      (path) => path.split('.').reduce<unknown>((value, step) => (value as Fields | null)?.[step], each) ?? null,
    ),
  );
}
