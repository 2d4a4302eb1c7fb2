import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { renderAllMarkup, renderMarkdown } from '../../src/features/markdown/render-markdown.js';
import { processorTime } from '../support/processor-time.js';

const longestAllowed = 10_000;
const filledWith = (piece: string): string => piece.repeat(Math.floor(longestAllowed / piece.length));

describe('Any text is rendered in bounded time and space:', () => {
  const rows = filledWith('|\n').slice(0, 5_800);
  it.each([
    ...['[', ']', '*', '_', '`', '>', '<', '!', '![', '[![', '~', '|', '#', '&', '\\', '- ', '> - ', '1. ', '+\n'],
    ...[
      '[](',
      '[a](',
      '[a][b]',
      '**a',
      '*a_ ',
      '``a`',
      '<a@b',
      'a@',
      'a@b.c ',
      'http://',
      'www.',
      '[a]: b\n',
      '\ud800',
    ],
    ...[
      'a\n',
      '|a|\n|-|\n',
      '```\n',
      '\t-',
      '\0',
      '```quote\n',
      '```spoiler x\n',
      '> ',
      '* ',
      '- a\n  ',
      '# a\n',
      '---\n',
    ],
    ...['$$a$$ ', '$$\\frac{', '<time:', '<time:1>', ':a:', '🇦', 'http://a/(', 'a.com/,', '[a](b "', '[a](<', '\u0002'],
  ])('10,000 characters of %j', (piece) => {
    let html = '';
    const took = processorTime(() => {
      html = renderMarkdown(filledWith(piece));
    });
    expect(took).toBeLessThan(1_500);
    expect(html.length).toBeLessThanOrEqual(100_000);
  });

  it.each([
    ['an invalid fence', '```', 'a', '`'],
    ['empty lines', 'a', '\n', 'b'],
    ['empty lines in code', '```\na', '\n', 'b\n```'],
    ['# in a header', '# a', '#', 'b'],
    ['spaces beside a bar', '|', ' ', 'b'],
    ['zeros in a string', '```py\n"%', '0', '!"'],
    ['horizontal rules', '', '---\n', ''],
    ['URLs that do not end', '', 'a.co/,', '('],
  ])('%s, ten times as many as a message can hold, in less than quadratic time', (_, before, piece, after) => {
    expect(processorTime(() => renderMarkdown(before + filledWith(piece).repeat(10) + after))).toBeLessThan(1_500);
  });

  it.each([
    ['doubles its argument', `\\def\\a#1{${'#1'.repeat(10)}}${'\\a{'.repeat(20)}x${'}'.repeat(20)}`],
    ['is long and is used often', `\\def\\a{${'x'.repeat(2_000)}}${'\\a'.repeat(90)}`],
    ['is defined with newcommand', `\\newcommand{\\a}{${'x'.repeat(2_000)}}${'\\a'.repeat(90)}`],
  ])('a formula whose macro %s is shown as typed', (_, formula) => {
    expect(renderMarkdown(`\`\`\`math\n${formula}\n\`\`\``)).toBe(`<p><span class="tex-error">${formula}</span></p>`);
  });

  it('formulas up to a limit, and the others as typed', () => {
    const long = `y%${'z'.repeat(2_000)}`;
    const html = renderMarkdown(`\`\`\`math\nx\n\n${long}\n\n${long}\n\`\`\``);
    expect(html.match(/<span class="katex-display">/g)).toHaveLength(2);
    expect(html).toContain(`<span class="tex-error">${long}</span>`);
  });

  it('a table with hundreds of thousands of missing cells, as typed', () => {
    const bomb = `|${'a|'.repeat(1_000)}\n|${'-|'.repeat(1_000)}\n${rows}`;
    const html = renderMarkdown(bomb);
    expect(html.startsWith('<p>|a|a|')).toBe(true);
    expect(html.length).toBeLessThanOrEqual(100_000);
  });

  it('any random string', () => {
    const markup = fc.string({
      unit: fc.constantFrom(...'ab1 \n\t[]()!*_`~<>|#&\\-+.:/@"\'=;,{}\0\ud800\udc00'.split(''), 'http://', 'é', '😀'),
      maxLength: 300,
    });
    fc.assert(
      fc.property(fc.oneof(markup, fc.string({ unit: 'binary' })), (text) => {
        const html = renderMarkdown(text);
        expect(typeof html).toBe('string');
        expect(html).not.toMatch(/<(script|img|iframe|style)/);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('The fast path for plain lines', () => {
  const nearlyPlain = fc.string({
    unit: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...'abzAZ059 éßñжן', 'e\u0301', '漢') },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ...'.,;:!?\'"-',
          '. ',
          ': ',
          '... ',
          '://',
          'http',
          'www',
          'mailto',
          '@b.com',
          '1. ',
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    ),
    maxLength: 60,
  });

  it('gives the same HTML as the whole grammar', () => {
    fc.assert(
      fc.property(nearlyPlain, (text) => {
        expect(renderMarkdown(text)).toBe(renderAllMarkup(text).rendered);
      }),
      { numRuns: 20_000 },
    );
  });

  it('takes only a few microseconds', () => {
    const line = 'Good morning, all: shall we meet at ten? "Yes", said the well-known one.';
    const took = processorTime(() => {
      for (let i = 0; i < 2_000; i++) renderMarkdown(line);
    });
    expect(took / 2_000).toBeLessThan(0.06);
  });
});
