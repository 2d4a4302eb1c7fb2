import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { flatPng } from '../../support/pictures.js';
import { addEmoji } from '../../support/requests/custom-emoji.js';
import type { Answer, Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const mark = (word: string): string => `<span class="highlight">${word}</span>`;

/** Text of a message, a search, whether it finds the message, and the marked content. */
const CASES: readonly (readonly [text: string, search: string, isFound: boolean, marked?: string])[] = [
  ['Running quickly through the forests', 'run', true, `<p>${mark('Running')} quickly through the forests</p>`],
  ['Running quickly through the forests', 'forest', true, `<p>Running quickly through the ${mark('forests')}</p>`],
  ['We deployed the servers yesterday', 'deploy', true, `<p>We ${mark('deployed')} the servers yesterday</p>`],
  ['boxes', 'box', true, `<p>${mark('boxes')}</p>`],
  ['**boxes** in `boxes`', 'box', true, `<p><strong>${mark('boxes')}</strong> in <code>${mark('boxes')}</code></p>`],
  ['cats dogs', 'the cats and dogs', true, `<p>${mark('cats')} ${mark('dogs')}</p>`],
  ['cats dogs', '"dogs cats"', false],
  ['cats dogs', '"cats dogs"', true, `<p>${mark('cats')} ${mark('dogs')}</p>`],
  ['cats dogs', '"cat dog"', false],
  ['the cats', 'the', true, `<p>${mark('the')} cats</p>`],
  ['🐙 here', 'octopus', true],
  ...['🎉 done', ':tada: done', '`🎉` done'].flatMap((text) =>
    ['tada', ':tada:', '🎉', '"tada done"'].map((search) => [text, search, true] as const),
  ),
  ['👍 from me', ':thumbs_up:', true],
  [':+1: from me', '👍', true],
  ['1 from me', '👍', false],
  ['[words](https://needle.example)', 'needle', false],
  ['```python\nx\n```', 'python', false],
];

describe('searching for forms of words', () => {
  let annals: Annals;
  let anna: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    anna = await annals.user('anna');
    await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'Open' }] });
  });
  afterAll(() => annals.stop());

  const send = async (content: string, topic = 'plans'): Promise<number> =>
    (await anna.api.post('/messages', { type: 'channel', to: 'Open', topic, content })).body.id;
  const search = (words: string, more: Params = {}): Promise<Answer> =>
    anna.api.get('/messages', {
      anchor: 'newest',
      num_before: 100,
      num_after: 0,
      narrow: [{ operator: 'search', operand: words }],
      ...more,
    });
  const ids = ({ body }: Answer): number[] => body.messages.map(({ id }: { id: number }) => id);

  const expectAll = async (sent: readonly number[]): Promise<void> => {
    for (const [at, [text, words, isFound, marked]] of CASES.entries()) {
      const id = sent[at] ?? 0;
      const { body } = await search(words);
      const found = body.messages.find((message: { id: number }) => message.id === id);
      expect([text, words, found !== undefined]).toEqual([text, words, isFound]);
      const matching = await anna.api.get('/messages/matches_narrow', { msg_ids: [id], narrow: [['search', words]] });
      expect([text, words, String(id) in matching.body.messages]).toEqual([text, words, isFound]);
      const excluded = await search(words, { narrow: [{ operator: 'search', operand: words, negated: true }] });
      expect([text, words, ids(excluded).includes(id)]).toEqual([text, words, !isFound]);
      if (marked !== undefined) expect(found.match_content).toBe(marked);
    }
  };

  const rebuild = () => annals.app.get<ReadSide>(READ_SIDE).rebuild(undefined, () => {});

  it('finds them, after an edit and after a rebuild too, and marks the form that stands in the text', async () => {
    const sent: number[] = [];
    for (const [text] of CASES) sent.push(await send(text));
    await expectAll(sent);
    const edited: number[] = [];
    for (const [text] of CASES) {
      const id = await send('giraffes');
      expect((await anna.api.patch(`/messages/${id}`, { content: text })).status).toBe(200);
      edited.push(id);
    }
    await expectAll(edited);
    expect(ids(await search('giraffe'))).toEqual([]);
    await rebuild();
    await expectAll(sent);
    await expectAll(edited);
    expect(ids(await search('giraffe'))).toEqual([]);
  });

  it('finds and marks forms in topics, and no more after a deletion', async () => {
    const id = await send('x', 'Zebras grazing');
    const { body } = await search('zebra graze');
    expect(body.messages).toMatchObject([{ id, match_subject: `${mark('Zebras')} ${mark('grazing')}` }]);
    const owner = await annals.owner();
    await owner.api.delete(`/messages/${id}`);
    expect(ids(await search('zebra'))).toEqual([]);
  });

  it('finds emoji of topics, and the organization’s own by their names, and marks no picture', async () => {
    expect((await addEmoji(annals.url, anna, 'blob_dance', await flatPng(8, 8))).status).toBe(200);
    const own = await send('they :blob_dance: afloat');
    const inTopic = await send('x', 'we 🦑 here');
    expect([ids(await search(':blob_dance:')), ids(await search('dance'))]).toEqual([[own], [own]]);
    for (const words of ['squid', '🦑', ':squid:']) {
      const { messages } = (await search(words)).body;
      expect(messages).toMatchObject([{ id: inTopic, match_subject: `we ${mark('🦑')} here` }]);
    }
    const pictures = await search('dance afloat');
    expect(pictures.body.messages[0].match_content).toMatch(
      new RegExp(`^<p>they <img alt=":blob_dance:" class="emoji" [^>]*> ${mark('afloat')}</p>$`),
    );
    await send('🦀 and tests');
    const signs = await search('crab test');
    expect(signs.body.messages[0].match_content).toMatch(
      new RegExp(`^<p><span [^>]*class="emoji emoji-1f980"[^>]*>:crab:</span> and ${mark('tests')}</p>$`),
    );
  });

  it('joins several searches: common words count only if all words are common', async () => {
    const id = await send('okapi');
    const found = await search('', {
      narrow: [
        ['search', 'the'],
        ['search', 'okapis'],
      ],
    });
    expect(ids(found)).toEqual([id]);
  });

  it('tells clients which words are ignored', async () => {
    const { body } = await anna.api.post('/register', { fetch_event_types: ['stop_words'] });
    expect(body.stop_words).toEqual(expect.arrayContaining(['the', 'and', 'don', 't']));
    expect(body.stop_words).not.toContain("don't");
  });

  it("follows the organization's language, and finds what was written in another one before", async () => {
    const owner = await annals.owner();
    const stopWords = async () =>
      (await anna.api.post('/register', { fetch_event_types: ['stop_words'] })).body.stop_words;
    const english = await send('two llamas sleeping');
    const early = await send('Häuser und Gärten');
    expect((await owner.api.patch('/realm', { default_language: 'de' })).status).toBe(200);
    const german = await send('die Bücher und Häuser');
    const expectFound = async () => {
      expect(ids(await search('llama'))).toEqual([english]);
      expect(ids(await search('Haus'))).toEqual([german]);
      expect(ids(await search('Häuser'))).toEqual([early, german]);
      expect(ids(await search('das Buch'))).toEqual([german]);
      expect((await search('Buch')).body.messages[0].match_content).toContain(mark('Bücher'));
      expect(await stopWords()).toEqual(expect.arrayContaining(['und']));
    };
    await expectFound();
    await rebuild();
    await expectFound();
    expect((await anna.api.patch(`/messages/${early}`, { content: 'alte Häuser' })).status).toBe(200);
    expect(ids(await search('Haus'))).toEqual([early, german]);
    expect((await owner.api.patch('/realm', { default_language: 'ja' })).status).toBe(200);
    expect([ids(await search('llama')), await stopWords()]).toEqual([[english], []]);
  });

  it('finds alert words in the source of messages, where a search finds none', async () => {
    const bert = await annals.user('bert');
    await bert.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'Open' }] });
    await bert.api.post('/users/me/alert_words', { alert_words: ['kiwi', 'two words'] });
    const wanted = [await send('[x](kiwi)'), await send('**two** x two words'), await send('a kiwi.')];
    await send('kiwis, two, words');
    const narrow = [['is', 'alerted']];
    expect(ids(await bert.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow }))).toEqual(
      wanted,
    );
    expect(ids(await search('kiwi')).slice(-2)).not.toContain(wanted[0]);
  });
});
