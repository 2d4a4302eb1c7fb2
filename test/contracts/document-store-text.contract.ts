import { expect, it } from '@jest/globals';
import type { Collection, DocumentStore } from '../../src/document-store/document-store.js';
import { examinedBy, filled, newCollection, type Thing } from '../support/document-store-collections.js';
import type { Shortfalls } from '../support/document-store-shortfalls.js';

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
    // A phrase does not reach from one field into the next.
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
  ])('takes %p for words, whatever it means elsewhere', async (search, title) => {
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
    ['🎉', 'party 🎉', false],
  ])('%s in %s: %p', async (search, title, expected) => {
    const things = await filled(store(), SPEC, [{ _id: 1, title }]);
    expect(await idsFound(things, search)).toEqual(expected ? [1] : []);
  });

  it('joins other conditions, an order and a limit', async () => {
    const documents = Array.from({ length: 300 }, (_, at) => ({
      _id: at,
      title: at % 3 === 0 ? 'needle and hay' : 'only hay',
      channelId: at % 2,
      tags: [at % 5],
    }));
    const things = await filled(store(), SPEC, documents);
    const filter = { $text: { $search: 'needle' }, channelId: 1, tags: { $ne: 3 }, _id: { $lt: 200 } };
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

  it('orders ids that are texts too', async () => {
    const documents = ['b', 3, 'a', 20].map((_id) => ({ _id, title: 'word' }));
    const things = await filled(store(), SPEC, documents);
    expect(await idsFound(things, 'word')).toEqual([3, 20, 'a', 'b']);
    const last = await things.find({ $text: { $search: 'word' } }, { sort: { _id: -1 }, limit: 2 });
    expect(last.map(({ _id }) => _id)).toEqual(['b', 'a']);
  });

  it('follows every change of the words', async () => {
    const things = await newCollection(store(), SPEC);
    await things.insertOne({ _id: 1, title: 'first words' });
    await things.replaceOne({ _id: 1 }, { _id: 1, title: 'second words' }, { upsert: true });
    expect([await idsFound(things, 'first'), await idsFound(things, 'second')]).toEqual([[], [1]]);
    await things.updateOne({ _id: 1 }, { $set: { title: 'third words' } });
    expect([await idsFound(things, 'second'), await idsFound(things, 'third')]).toEqual([[], [1]]);
    await things.updateOne({ _id: 1 }, { $unset: { title: '' } });
    expect(await idsFound(things, 'words')).toEqual([]);
    await things.insertOne({ _id: 2, title: 'words again' });
    await things.deleteOne({ _id: 2 });
    expect(await idsFound(things, 'words')).toEqual([]);
    await things.insertOne({ _id: 3, title: 'words' });
    await things.deleteMany({});
    expect(await idsFound(things, 'words')).toEqual([]);
  });
}
