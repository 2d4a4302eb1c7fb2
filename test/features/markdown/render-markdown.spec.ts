import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { renderAllMarkup, renderMarkdown } from '../../../src/features/markdown/render-markdown.js';
import { processorTime } from '../../support/processor-time.js';

const longestAllowed = 10_000;
const filledWith = (piece: string): string => piece.repeat(Math.floor(longestAllowed / piece.length));

describe('Markdown is rendered as HTML:', () => {
  it.each([
    ['plain text', 'Good morning, all!', '<p>Good morning, all!</p>'],
    ['empty text', '', ''],
    ['line breaks', 'one\ntwo', '<p>one<br>\ntwo</p>'],
    ['paragraphs', 'one\n\ntwo', '<p>one</p>\n<p>two</p>'],
    ['emphasis', '**loud** *slanted* ~~gone~~', '<p><strong>loud</strong> <em>slanted</em> <del>gone</del></p>'],
    ['code', 'run `a < b`', '<p>run <code>a &lt; b</code></p>'],
    [
      'a code block',
      '```js\nif (a < b) {}\n```',
      '<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code>if (a &lt; b) {}\n</code></pre></div>',
    ],
    ['a list', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['a quotation', '> said', '<blockquote>\n<p>said</p>\n</blockquote>'],
    [
      'a bare URL',
      'see https://example.com/?a=1&b=2 now',
      '<p>see <a href="https://example.com/?a=1&amp;b=2">https://example.com/?a=1&amp;b=2</a> now</p>',
    ],
    ['a link', '[here](https://example.com)', '<p><a href="https://example.com">here</a></p>'],
    ['a link within the organization', '[here](/#narrow/id/1)', '<p><a href="/#narrow/id/1">here</a></p>'],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });
});

describe('The HTML runs no script and loads nothing from elsewhere', () => {
  it('raw HTML is shown as it was typed', () => {
    expect(renderMarkdown('<script>alert(1)</script> <b onclick=x>')).toBe(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt; &lt;b onclick=x&gt;</p>',
    );
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](<java\tscript:alert(1)>)',
    '[x](&#x6A;avascript:alert(1))',
    '[x](&#9;javascript:alert(1))',
    '[x](vbscript:x)',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](data:image/svg+xml;base64,AAAA)',
    '[x](file:///etc/passwd)',
    '<javascript:alert(1)>',
    '[x][r]\n\n[r]: javascript:alert(1)',
  ])('%s is no link', (text) => {
    expect(renderMarkdown(text)).not.toMatch(/href="\s*(?!http|%|java%09)[a-z]+:/i);
  });

  it('an image by URL is a link that readers do not load', () => {
    expect(renderMarkdown('![seen](https://example.com/pixel.png)')).toBe(
      '<p>![seen](<a href="https://example.com/pixel.png">https://example.com/pixel.png</a>)</p>',
    );
  });
});

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
