import { describe, expect, it } from '@jest/globals';
import type { Collection, DocumentStore } from '../../src/platform/documents/document-store.js';
import { examinedBy, filled, newCollection, type Thing } from '../support/engines/document-store-collections.js';
import type { Shortfalls } from '../support/engines/document-store-shortfalls.js';

const SPEC = { text: ['title', 'body.text'], indexes: [{ keys: { channelId: 1, _id: 1 } as const }] };

async function idsFound(things: Collection<Thing>, search: string, rest: object = {}): Promise<unknown[]> {
  const found = await things.find({ $text: { $search: search }, ...rest }, { sort: { _id: 1 } });
  return found.map(({ _id }) => _id);
}

export function searching(store: () => DocumentStore, shortfalls: Shortfalls): void {
  it('finds documents that hold every word and every phrase, in any of the fields', async () => {
    const things = await filled(store(), SPEC, [
      { _id: 1, title: 'Quick brown fox', body: { text: 'jumps over the lazy dog' } },
      { _id: 2, title: 'The lazy fox', body: { text: 'is brown and quick' } },
      { _id: 3, title: 'Unrelated' },
      { _id: 4, body: 'brown fox' },
    ]);
    expect(await idsFound(things, 'fox')).toEqual([1, 2]);
    expect(await idsFound(things, 'QUICK dog')).toEqual([1]);
    expect(await idsFound(things, '"brown fox"')).toEqual([1]);
    expect(await idsFound(things, 'lazy "brown fox"')).toEqual([1]);
    expect(await idsFound(things, '"lazy fox" quick')).toEqual([2]);
    // A phrase does not match across two fields.
    expect(await idsFound(things, '"fox jumps"')).toEqual([]);
    expect(await idsFound(things, 'fo')).toEqual([]);
    expect(await idsFound(things, 'fox cat')).toEqual([]);
    expect(await idsFound(things, '"brown fox')).toEqual([1]);
  });

  it.each([[''], ['  '], ['"'], ['?!'], ['""']])('finds nothing for %p', async (search) => {
    const things = await filled(store(), SPEC, [{ _id: 1, title: 'word' }]);
    expect(await idsFound(things, search)).toEqual([]);
  });

  it.each([
    ['AND', 'cats AND dogs'],
    ['NEAR(a b)', 'near (a, b)'],
    ['title:x', 'Title: X'],
    ['a* -b ^c', 'a b c'],
    ["don't", "I don’t; well, don't"],
    ["'; DROP TABLE", 'drop table'],
    ['C++', 'in c'],
    ['a\u0000b', 'a b'],
  ])('treats %p as plain words, not as syntax', async (search, title) => {
    const things = await filled(store(), SPEC, [
      { _id: 1, title },
      { _id: 2, title: 'other' },
    ]);
    expect(await idsFound(things, search)).toEqual([1]);
  });

  it.each([
    ['東京', 'きのう東京タワーへ行った', true],
    ['京東', 'きのう東京タワーへ行った', false],
    ['タワー', 'きのう東京タワーへ行った', true],
    ['ﾀﾜｰ', '東京タワー', true],
    ['조사', '어제 조사를 했다', true],
    ['สวัสดี', 'กล่าวสวัสดีครับ', true],
    ['नमस्ते', 'आप को नमस्ते', true],
    ['ＡＢＣ', 'abc', true],
    ['STRASSE', 'strasse', true],
    ['cafe\u0301', 'Café', true],
    ['cafe', 'Café', false],
    ['Ñandú', 'ÑANDÚ', true],
    ['2024', 'in 2024', true],
    ['москва', 'МОСКВА', true],
    ['🎉', 'party 🎉', true],
    ['🎉', 'party 🎈', false],
  ])('decides whether %s is found in %s: %p', async (search, title, expected) => {
    const things = await filled(store(), SPEC, [{ _id: 1, title }]);
    expect(await idsFound(things, search)).toEqual(expected ? [1] : []);
  });

  it('combines with other conditions, an order and a limit', async () => {
    const documents = Array.from({ length: 300 }, (_, at) => ({
      _id: at,
      title: at % 3 === 0 ? 'needle and hay' : 'only hay',
      channelId: at % 2,
      tags: [at % 5],
    }));
    const things = await filled(store(), SPEC, documents);
    const filter = { $text: { $search: 'needle' }, channelId: 1, $nor: [{ tags: 3 }], _id: { $lt: 200 } };
    const expected = documents.filter((d) => d._id % 3 === 0 && d.channelId === 1 && d._id % 5 !== 3 && d._id < 200);
    expect(await things.find(filter, { sort: { _id: 1 } })).toEqual(expected);
    expect(await things.find(filter, { sort: { _id: -1 }, limit: 5 })).toEqual(expected.slice(-5).reverse());
    expect(await things.find(filter, { sort: { channelId: 1, _id: -1 }, limit: 5 })).toEqual(
      expected.slice(-5).reverse(),
    );
    expect(await things.countDocuments(filter)).toBe(expected.length);
    expect(await things.find(filter, { sort: { _id: 1 }, limit: 1, projection: { channelId: 1 } })).toEqual([
      { _id: expected[0]?._id, channelId: 1 },
    ]);

    const newest = { $text: { $search: 'hay' }, _id: { $lt: 100 } };
    const ten = () => things.find(newest, { sort: { _id: -1 }, limit: 10 });
    const { examined, result } = await examinedBy(store(), ten, shortfalls);
    expect(result.map(({ _id }) => _id)).toEqual([99, 98, 97, 96, 95, 94, 93, 92, 91, 90]);
    expect(examined).toBeLessThan(100);
  });

  it('orders ids that are numbers before ids that are texts', async () => {
    const documents = ['b', 3, 'a', 20].map((_id) => ({ _id, title: 'word' }));
    const things = await filled(store(), SPEC, documents);
    expect(await idsFound(things, 'word')).toEqual([3, 20, 'a', 'b']);
    const last = await things.find({ $text: { $search: 'word' } }, { sort: { _id: -1 }, limit: 2 });
    expect(last.map(({ _id }) => _id)).toEqual(['b', 'a']);
  });

  it('follows every change of the indexed text', async () => {
    const things = await newCollection(store(), SPEC);
    await things.insertOne({ _id: 1, title: 'first words' });
    await things.replaceOne({ _id: 1 }, { _id: 1, title: 'second words' }, { upsert: true });
    expect([await idsFound(things, 'first'), await idsFound(things, 'second')]).toEqual([[], [1]]);
    await things.updateOne({ _id: 1 }, { $set: { title: 'third words' } });
    expect([await idsFound(things, 'second'), await idsFound(things, 'third')]).toEqual([[], [1]]);
    await things.updateOne({ _id: 1 }, { $set: { title: null } });
    expect(await idsFound(things, 'words')).toEqual([]);
    await things.insertOne({ _id: 2, title: 'words again' });
    await things.deleteOne({ _id: 2 });
    expect(await idsFound(things, 'words')).toEqual([]);
    await things.insertOne({ _id: 3, title: 'words' });
    await things.deleteMany({});
    expect(await idsFound(things, 'words')).toEqual([]);
  });

  describe('with a filter on the scope of the text index', () => {
    const SCOPED = { text: ['title', 'topic'], textScope: ['channelId', 'members', 'name'] };
    const ALIKE: readonly Thing[] = Array.from({ length: 240 }, (_, at) => ({
      _id: at + 1,
      title: at % 3 === 0 ? 'needle in the hay' : 'only hay',
      topic: `hay ${at % 4}`,
      ...(at % 5 === 0 ? { members: [at % 7, 50] } : { channelId: at % 6 }),
      name: at % 2 === 0 ? `n_${at % 10}` : null,
    }));

    it.each<[string, object]>([
      ['one value', { channelId: 3 }],
      ['several values', { channelId: { $in: [1, 4, 99] } }],
      ['no value', { channelId: { $in: [] } }],
      ['a value that nothing has', { channelId: 77 }],
      ['an element', { members: 3 }],
      ['all of several elements', { members: { $all: [3, 50] } }],
      ['a text', { name: 'n_4' }],
      ['null or missing', { name: null }],
      ['null among other values', { channelId: { $in: [null, 2] } }],
      ['two fields', { channelId: 2, name: 'n_2' }],
      ['a contradiction', { channelId: 2, $and: [{ channelId: 4 }] }],
      ['one of two conditions', { $or: [{ channelId: 1 }, { members: 50 }] }],
      [
        'ranges of ids',
        {
          $or: [
            { channelId: { $in: [1, 2] }, _id: { $gt: 20, $lt: 90 } },
            { members: 50, _id: { $lte: 41 } },
          ],
        },
      ],
      [
        'overlapping branches',
        {
          $or: [
            { channelId: 1, _id: { $gt: 100 } },
            { channelId: { $in: [1, 3] }, _id: { $lt: 200 } },
          ],
        },
      ],
      ['a value and a negation', { channelId: 1, $nor: [{ topic: 'hay 1' }] }],
      ['a value and a list of ids', { channelId: 1, _id: { $in: [8, 14, 15] } }],
      ['a negation', { $nor: [{ channelId: 1 }] }],
      ['a text that looks like a number', { channelId: '1' }],
    ])('finds the same documents as the filter without a search: %s', async (_, filter) => {
      const things = await filled(store(), SCOPED, ALIKE);
      const plain = await filled(store(), {}, ALIKE);
      const all = await plain.find({ $and: [{ _id: { $gt: 0 } }, filter] }, { sort: { _id: 1 } });
      const expected = all.filter(({ title }) => String(title).startsWith('needle')).map(({ _id }) => _id);
      expect(await idsFound(things, 'needle', filter)).toEqual(expected);
      const some = await things.find({ $text: { $search: 'needle hay' }, ...filter }, { sort: { _id: -1 }, limit: 7 });
      expect(some.map(({ _id }) => _id)).toEqual(expected.slice(-7).reverse());
      expect(await things.countDocuments({ $text: { $search: '"needle in" hay' }, ...filter })).toBe(expected.length);
    });

    it('costs in proportion to the documents in the scope, however many others have the words', async () => {
      const documents = Array.from({ length: 3000 }, (_, at) => ({
        _id: at + 1,
        title: at % 300 === 7 ? 'quiet' : 'loud words',
        channelId: at % 300 === 7 ? 2 : 1,
      }));
      const things = await filled(store(), SCOPED, documents);
      const newest = (filter: object) => () =>
        things.find({ $text: { $search: 'words' }, ...filter }, { sort: { _id: -1 }, limit: 5 });
      const none = await examinedBy(store(), newest({ channelId: 2 }), shortfalls);
      expect([none.result, none.examined]).toEqual([[], expect.any(Number)]);
      if (!shortfalls.plans) expect(none.examined).toBeLessThan(40);
      const old = await examinedBy(store(), newest({ channelId: 1, _id: { $lt: 8 } }), shortfalls);
      expect(old.result.map(({ _id }) => _id)).toEqual([7, 6, 5, 4, 3]);
      expect(old.examined).toBeLessThan(40);
    });

    it('follows every change of the scope and of the text', async () => {
      const things = await filled(store(), SCOPED, [
        { _id: 1, title: 'words here', topic: 'here', channelId: 1 },
        { _id: 2, title: 'words', channelId: 1, members: [1, 2] },
      ]);
      const places = async () => ({
        one: await idsFound(things, 'words', { channelId: 1 }),
        two: await idsFound(things, 'words', { channelId: 2 }),
        here: await idsFound(things, 'here', { channelId: { $in: [1, 2] } }),
        member: await idsFound(things, 'words', { members: 2 }),
      });
      expect(await places()).toEqual({ one: [1, 2], two: [], here: [1], member: [2] });
      await things.updateMany({ _id: { $in: [1, 2] } }, { $set: { channelId: 2, members: [2] } });
      expect(await places()).toEqual({ one: [], two: [1, 2], here: [1], member: [1, 2] });
      // The word is still in the other field.
      await things.updateOne({ _id: 1 }, { $set: { topic: 'there', members: [] } });
      expect(await places()).toEqual({ one: [], two: [1, 2], here: [1], member: [2] });
      await things.replaceOne({ _id: 1 }, { _id: 1, title: 'other words', topic: 'here', channelId: 1 });
      expect(await places()).toEqual({ one: [1], two: [2], here: [1], member: [2] });
      await things.deleteOne({ _id: 1 });
      await things.insertOne({ _id: 1, title: 'nothing', channelId: 2 });
      expect(await places()).toEqual({ one: [], two: [2], here: [], member: [2] });
    });
  });
}
