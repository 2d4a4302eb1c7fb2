import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Query } from 'mingo';
import { withMergedValues } from '../../../src/platform/documents/mongodb/document-query.js';

const values = Array.from({ length: 300 }, (_, n) => n);

it('a filter with a long list of values becomes one branch per value, and one with a short list stays', () => {
  const long = withMergedValues({ channelId: { $in: values }, position: { $lt: 5 } });
  expect(long.$or).toHaveLength(300);
  expect((long.$or as unknown[])[7]).toEqual({ channelId: { $eq: 7 }, position: { $lt: 5 } });
  const short = { channelId: { $in: values.slice(0, 200) } };
  expect(withMergedValues(short)).toBe(short);
});

it('each branch of an $or keeps the conditions beside the $or', () => {
  const filter = { $or: [{ channelId: { $in: values } }, { people: 7 }], tenth: 3 };
  const branches = withMergedValues(filter).$or as unknown[];
  expect(branches).toHaveLength(301);
  expect(branches.at(-1)).toEqual({ $and: [{ people: 7 }, { tenth: 3 }] });
});

it('a rewritten filter matches the same documents', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(null), fc.constantFrom('a', 'b'));
  const condition = fc.oneof(
    value,
    fc.array(value, { maxLength: 5 }).map(($in) => ({ $in })),
    fc.array(value, { maxLength: 5 }).map(($in) => ({ $in, $ne: 2 })),
    fc.integer({ min: 0, max: 4 }).map(($lt) => ({ $lt })),
  );
  const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c'), condition, { maxKeys: 3, noNullPrototype: true });
  const filter = fc.oneof(
    fields,
    fc.tuple(fc.array(fields, { minLength: 1, maxLength: 3 }), fields).map(([$or, rest]) => ({ ...rest, $or })),
  );
  const document = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(value, fc.array(value, { maxLength: 3 })), {
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(filter, fc.array(document, { maxLength: 20 }), (asked, documents) => {
      const [before, after] = [asked, withMergedValues(asked, 1)].map((each) => new Query(each, {}));
      for (const each of documents) expect(after?.test(each)).toBe(before?.test(each));
    }),
    { numRuns: 500 },
  );
});
