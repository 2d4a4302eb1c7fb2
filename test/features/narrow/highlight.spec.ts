import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { renderMarkdown } from '../../../src/features/markdown/render-markdown.js';
import { highlighted as highlightedIn } from '../../../src/features/narrow/domain/highlight.js';
import { processorTime } from '../../support/processor-time.js';

const highlighted = (html: string, text: string): string => highlightedIn(html, { text, languages: ['en'] });

const marks = (html: string, search: string): string =>
  highlighted(html, search).replaceAll('<span class="highlight">', '[').replaceAll('</span>', ']');

const unmarked = (html: string): string => html.replaceAll('<span class="highlight">', '').replace(/<\/span>/g, '');

describe('Matches of a search are marked:', () => {
  it.each<[string, string, string]>([
    ['<p>A quick brown fox</p>', 'QUICK', '<p>A [quick] brown fox</p>'],
    ['<p>quick, Quick; quicker</p>', 'quick', '<p>[quick], [Quick]; quicker</p>'],
    ['<p>a b a b c</p>', '"a b c"', '<p>a b [a] [b] [c]</p>'],
    [
      '<p>big <strong>news</strong> today</p>',
      '"big news"',
      '<p>big <strong>news</strong> today</p>'.replace('big', '[big]').replace('news', '[news]'),
    ],
    ['<p><strong>bo</strong>ld</p>', 'bold', '<p><strong>bo</strong>ld</p>'],
    [
      '<a href="https://needle.org" title="needle">hay</a>',
      'needle',
      '<a href="https://needle.org" title="needle">hay</a>',
    ],
    ['<p>a &amp; amp</p>', 'amp', '<p>a &amp; [amp]</p>'],
    ['<p>&lt;b&gt; lt</p>', 'b lt', '<p>&lt;[b]&gt; [lt]</p>'],
    ['<p>x&#65;y</p>', 'xay', '<p>[x&#65;y]</p>'],
    ['<p>don&#39;t</p>', "don't", '<p>[don]&#39;[t]</p>'],
    ['<p>きのう東京へ</p>', '東京', '<p>きのう[東京]へ</p>'],
    ['<p>ﾀﾜｰ</p>', 'タワー', '<p>[ﾀﾜｰ]</p>'],
    ['<p>ＡＢＣ and Café</p>', 'abc cafe\u0301', '<p>[ＡＢＣ] and [Café]</p>'],
    ['<p>ΟΔΟΣ</p>', 'οδος', '<p>[ΟΔΟΣ]</p>'],
    ['<p>㍿ 式</p>', '式', '<p>[㍿] [式]</p>'],
    ['<p>a < b</p>', 'b', '<p>a < [b]</p>'],
    ["<p title='>needle'>needle</p>", 'needle', "<p title='>needle'>[needle]</p>"],
    ['<p title="needle', 'needle', '<p title="needle'],
    ['<!-- needle --><p>needle</p>', 'needle', '<!-- needle --><p>[needle]</p>'],
    ['<p>fox</p>', '?!', '<p>fox</p>'],
    [
      '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span> tada</p>',
      'tada',
      '<p><span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:] [tada]</p>',
    ],
    ...['🎉', ':tada:'].flatMap((sign) =>
      ['tada', ':tada:', '🎉'].map((search): [string, string, string] => [
        `we ${sign} tad`,
        search,
        `we [${sign}] tad`,
      ]),
    ),
    ['a 🎉 done, 🎉', '"🎉 done"', 'a [🎉] [done], 🎉'],
    ['🇩🇪🇫🇷 1️⃣ 👍🏽x', 'germany one x', '[🇩🇪]🇫🇷 [1️⃣] 👍🏽[x]'],
    ['', 'fox', ''],
  ])('%s, %s', (html, search, expected) => {
    expect(marks(html, search)).toBe(expected);
  });

  const scrap = fc.constantFrom(
    'needle',
    'NEEDLE',
    'hay',
    '<b>',
    '**',
    '`',
    '"',
    "'",
    '<',
    '>',
    '&',
    '&lt;',
    '&#110;',
    ' ',
    '\n',
    '- ',
    '[x](http://needle)',
    '> ',
    '東',
    'é',
    '👍🏽',
    '![',
    ']',
    '<a title="',
    '<!--',
    '=',
  );
  const writing = fc.array(scrap, { maxLength: 30 }).map((scraps) => scraps.join(''));
  const search = fc.array(scrap, { minLength: 1, maxLength: 4 }).map((scraps) => scraps.join(''));

  it('with nothing but marks added, for any HTML', () => {
    fc.assert(
      fc.property(writing, search, (html, wanted) => {
        expect(unmarked(highlighted(html, wanted))).toBe(unmarked(html));
      }),
      { numRuns: 500 },
    );
  });

  it('with tags, attributes and entities of rendered content unchanged', () => {
    fc.assert(
      fc.property(writing, search, (text, wanted) => {
        const html = renderMarkdown(text);
        const pieces = (whole: string): string[] => whole.match(/<[^>]*>|&[^;\s]+;/g) ?? [];
        const isMark = (piece: string): boolean => piece === '<span class="highlight">' || piece === '</span>';
        expect(pieces(highlighted(html, wanted)).filter((piece) => !isMark(piece))).toEqual(
          pieces(html).filter((piece) => !isMark(piece)),
        );
        // Marks are well-formed, with no other tag inside.
        expect(highlighted(html, wanted)).not.toMatch(/<span class="highlight">[^<]*<(?!\/span>)/);
      }),
      { numRuns: 500 },
    );
  });

  it('across the pieces in which a long text is searched', () => {
    const word = `${'x'.repeat(499)}e\u0301`;
    expect(highlighted(`${word} needle`, `"${word.normalize('NFC')} needle"`)).toBe(
      `<span class="highlight">${word}</span> <span class="highlight">needle</span>`,
    );
  });

  it('in bounded time, for any text', () => {
    for (const evil of [
      '<a "'.repeat(20_000),
      '&#'.repeat(50_000),
      '<!--'.repeat(30_000),
      "<a x='".repeat(20_000),
      'é'.repeat(50_000),
    ]) {
      expect(processorTime(() => highlighted(evil, 'needle "a b c"'))).toBeLessThan(1000);
    }
  });
});
