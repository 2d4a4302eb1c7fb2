import { expect, it } from '@jest/globals';
import type { Collection, CollectionSpec, DocumentStore } from '../../src/platform/documents/document-store.js';
import { filled, newCollection, type Thing } from '../support/engines/document-store-collections.js';

const SPEC: CollectionSpec = {
  text: ['html', 'topic'],
  textHtml: ['html'],
  textLanguage: 'language',
  textScope: ['channelId'],
  textKeptElsewhere: ['topic'],
};

async function idsFound(things: Collection<Thing>, $search: string, ...$languages: string[]): Promise<unknown[]> {
  const $text = { $search, ...($languages.length > 0 && { $languages }) };
  const found = await things.find({ $text }, { sort: { _id: 1 } });
  expect(await things.countDocuments({ $text })).toBe(found.length);
  return found.map(({ _id }) => _id);
}

/** Forms of words, common words, and HTML: the same answers on every engine. */
export function wordForms(store: () => DocumentStore): void {
  it.each<[text: string, search: string, isFound: boolean]>([
    ['Running quickly through the forests', 'run', true],
    ['Running quickly through the forests', 'forest', true],
    ['We deployed the servers yesterday', 'deploy', true],
    ['We deployed the servers yesterday', 'deploys server', true],
    ['We deployed the servers yesterday', 'deploy client', false],
    ['boxes', 'box', true],
    ['a box', 'boxes', true],
    ['cats dogs', 'the cats and dogs', true],
    ['cats dogs', '"dogs cats"', false],
    ['cats dogs', '"cats dogs"', true],
    ['cats dogs', '"cat dog"', false],
    ['cats dogs', '"cats"', true],
    ['cats dogs', '"cat"', false],
    ['cats dogs', 'cat "dogs"', true],
    ['cats dogs', 'the', false],
    ['the cats', 'the', true],
    ['the cats', 'and the', false],
    ['cats', '"the" cats', false],
    ['cats don’t', "cats don't", true],
    ['to be or not to be', 'to be', true],
    ['🐙 here', 'octopus', true],
    ['🐙 here', '🎉', false],
    // Without the sign that asks for a picture.
    ['with \u2764\ufe0f', '\u2764', true],
    ['no love', '\u2764', false],
    ['2024 report', '\u00a9 2024', true],
    ...(['🎉 done', ':tada: done'] as const).flatMap((text) =>
      (['tada', ':tada:', '🎉', '":tada:"', '"🎉"', '"🎉 done"', '"tada done"', 'TADA done', '🎉 done'] as const).map(
        (search): [string, string, boolean] => [text, search, true],
      ),
    ),
    ['👍', ':thumbs_up:', true],
    [':thumbs_up:', '👍', true],
    ['👍🏽', '👍', true],
    ['1', '👍', false],
    ['🏴󠁧󠁢󠁷󠁬󠁳󠁿', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', false],
    ['at 10:30:45', '30', true],
    [':blob_dance: here', ':blob_dance:', true],
    [':blob_dance: here', '":blob_dance: here"', true],
    ['emoji', '🎉', false],
    ['running-shoes', 'running-shoes', true],
    ['run shoes', 'running-shoes', false],
    ['東京へ行った', '東京', true],
    [`${'x'.repeat(50)}ings`, `${'x'.repeat(50)}ing`, false],
  ])('decides whether %j is found by %j: %p', async (text, search, isFound) => {
    const things = await filled(store(), SPEC, [
      { _id: 1, html: `<p>${text}</p>` },
      { _id: 2, topic: text },
      { _id: 3, html: `<p title="${search.replaceAll('"', '')}">nothing</p>` },
    ]);
    expect(await idsFound(things, search)).toEqual(isFound ? [1, 2] : []);
  });

  it('finds the text that HTML shows, with emoji by their names', async () => {
    const things = await filled(store(), SPEC, [
      { _id: 1, html: '<p>a <a href="https://needle.example">link</a> &amp; more</p>' },
      {
        _id: 2,
        html: '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>',
      },
      { _id: 3, html: '<p><img alt=":blob_dance:" class="emoji" src="/x.png" title="blob dance"></p>' },
      { _id: 4, html: '<p>x&lt;y <!-- needle --></p>' },
    ]);
    const found = (search: string) => idsFound(things, search);
    expect([await found('needle'), await found('amp'), await found('"link more"')]).toEqual([[], [], [1]]);
    expect([await found('tada'), await found(':tada:'), await found('emoji')]).toEqual([[2], [2], []]);
    expect([await found(':blob_dance:'), await found('dance'), await found('"x y"')]).toEqual([[3], [3], [4]]);
  });

  it('finds words of each language by its own rules, and exact words in all of them', async () => {
    const things = await filled(store(), SPEC, [
      { _id: 1, html: '<p>die Häuser brennen</p>', language: 'de' },
      { _id: 2, html: '<p>the houses are burning</p>' },
      { _id: 3, html: '<p>les chevaux</p>', language: 'fr' },
      { _id: 4, html: '<p>words houses</p>', language: 'xx' },
    ]);
    const all = ['de', 'en', 'fr', 'xx'];
    const found = (search: string) => idsFound(things, search, ...all);
    expect([await found('haus'), await found('house'), await found('cheval')]).toEqual([[1], [2], [3]]);
    expect([await found('Häuser'), await found('"houses"'), await found('chevaux')]).toEqual([[1], [2, 4], [3]]);
    // Words of the first language alone count for nothing.
    expect([await found('die haus'), await found('the house')]).toEqual([[1], [2]]);
    expect(await idsFound(things, 'the houses', 'xx', 'en')).toEqual([2]);
  });

  it('follows every change of text and language', async () => {
    const things = await newCollection(store(), SPEC);
    await things.insertOne({ _id: 1, html: '<p>running</p>', topic: 'boxes', language: 'en' });
    const found = async (...searches: string[]) =>
      Promise.all(searches.map((search) => idsFound(things, search, 'en', 'de')));
    expect(await found('run', 'box', 'running')).toEqual([[1], [1], [1]]);
    await things.replaceOne({ _id: 1 }, { _id: 1, html: '<p>deployed</p>', topic: 'boxes', language: 'en' });
    expect(await found('run', 'running', 'deploying', 'box')).toEqual([[], [], [1], [1]]);
    await things.updateMany({ _id: { $in: [1] } }, { $set: { topic: 'Häuser' } });
    expect(await found('box', 'boxes', 'Häuser')).toEqual([[], [], [1]]);
    await things.updateOne({ _id: 1 }, { $set: { language: 'de' } });
    expect(await found('Haus', 'deployed', 'deploying')).toEqual([[1], [1], []]);
    await things.updateMany({ _id: { $in: [1] } }, { $set: { topic: 'Bücher' } });
    expect(await found('Haus', 'Häuser', 'Buch', 'Bücher')).toEqual([[], [], [1], [1]]);
    await things.deleteOne({ _id: 1 });
    expect(await found('deployed', 'Buch')).toEqual([[], []]);
    await things.insertOne({ _id: 1, html: '<p>other</p>' });
    expect(await found('deployed', 'Buch', 'other')).toEqual([[], [], [1]]);
  });

  it('makes the index anew when its text becomes HTML, or has a language', async () => {
    const database = await store().database('contract');
    await database.ensure({ becomes: { text: ['html'] } });
    const things = database.collection<Thing>('becomes');
    await things.insertOne({ _id: 1, html: '<p>Häuser</p>', language: 'de' });
    expect([await idsFound(things, 'p', 'de'), await idsFound(things, 'Haus', 'de')]).toEqual([[1], []]);
    await database.ensure({ becomes: { text: ['html'], textHtml: ['html'], textLanguage: 'language' } });
    expect([await idsFound(things, 'p', 'de'), await idsFound(things, 'Haus', 'de')]).toEqual([[], [1]]);
  });
}
