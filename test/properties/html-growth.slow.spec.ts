import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NO_NAMES } from '../../src/features/markdown/content-facts.js';
import { renderAllMarkup, renderMarkdown } from '../../src/features/markdown/render-markdown.js';

const LONGEST_TEXT = 10_000;
const LONGEST_HTML = 100_000;
const SETTINGS = { ...NO_NAMES.settings, showsPictures: true, translatesEmoticons: true };

/** A user and a group by any name, with the longest name of a user. */
const NAMES = {
  ...NO_NAMES,
  settings: SETTINGS,
  user: () => ({ id: 1, fullName: '&'.repeat(100), isActive: true }),
};

const filled = (piece: string, before = ''): string =>
  before + piece.repeat(Math.floor((LONGEST_TEXT - before.length) / piece.length));

describe('the HTML of a message of the greatest length is at most ten times as long,', () => {
  const openings = ['', '```python\n', '```tex\n', '```spoiler &\n', '```quote\n', '- ', '> '];
  const table = `|${'a|'.repeat(100)}\n|${':-:|'.repeat(100)}\n`;
  const pieces = [
    ...'f\'{|1+|a.|%s|\\a|{|⌚|:zulip:|:8ball: |:) |&|"|`a`|*a*|~~a~~|a.co |a.co/a.png |[a](b) |@**a** |x@y.co '.split(
      '|',
    ),
    ...['|\n', '|a', '> ', '- a\n', '# a\n', '---\n\n', '$$a$$ ', 'a\n\n', '\n', '<time:1>', '<time:a>', '    a\n\n'],
    ...[
      '```py\n1+1+1+1+1+1+1+1\n```\n',
      '```tex\n{{{{\n```\n',
      '```math\na+b\n```\n',
      '```spoiler\na\n```\n',
      '~~~quote\na\n~~~\n',
      '```\n"\n```\n',
    ],
  ];

  it.each([...openings, table].flatMap((opening) => pieces.map((piece) => [opening.slice(0, 20), piece, opening])))(
    'after %j if it repeats %j',
    (_, piece, opening) => {
      expect(renderAllMarkup(filled(piece, opening), NAMES).rendered.length).toBeLessThanOrEqual(LONGEST_HTML);
    },
  );

  it('whatever it is made of', () => {
    const markup = fc.array(
      fc.constantFrom(...openings.slice(1).map((opening) => `\n${opening}`), ...pieces, '\n```\n'),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(markup, (made) => {
        expect(renderAllMarkup(filled(made.join('')), NAMES).rendered.length).toBeLessThanOrEqual(LONGEST_HTML);
      }),
      { numRuns: 20 },
    );
  });
});

describe('code', () => {
  const html = (code: string): string =>
    `<div class="codehilite" data-code-language="Python"><pre><span></span><code>${code}\n</code></pre></div>`;

  it('that colours would make more than eight times as long has none', () => {
    const code = filled("f'{", '```python\n').slice('```python\n'.length);
    expect(renderMarkdown(`\`\`\`python\n${code}`)).toBe(html(code));
  });

  it('of a few dense lines has colours', () => {
    expect(renderMarkdown('```python\n1+1+1+1')).toBe(
      html(Array.from({ length: 4 }, () => '<span class="mi">1</span>').join('<span class="o">+</span>')),
    );
  });

  it('of many words has colours, and behind 80,000 characters of HTML none', () => {
    const block = `\`\`\`python\n${'def total(first, second): return first + second\n'.repeat(20)}\`\`\`\n`;
    const blocks = renderMarkdown(block.repeat(20)).match(/<div class="codehilite".*?<\/div>/gs) ?? [];
    expect(blocks).toHaveLength(20);
    const isColoured = blocks.map((one) => one.includes('<span class="k">def</span>'));
    const last = isColoured.lastIndexOf(true);
    expect(isColoured).toEqual(blocks.map((_, at) => at <= last));
    const length = blocks.slice(0, last + 1).join('').length;
    expect(length).toBeLessThan(85_000);
    expect(length).toBeGreaterThan(70_000);
    expect(blocks.at(-1)).toContain('def total(first, second): return first + second\n');
  });
});

it('formulas behind 80,000 characters of HTML are shown as typed', () => {
  const rendered = renderMarkdown(`\`\`\`math\n${'a\n\n'.repeat(300)}\n\`\`\``);
  expect(rendered).toContain('<span class="katex-display">');
  expect(rendered).toContain('<span class="tex-error">a</span>');
  expect(rendered.length).toBeLessThan(LONGEST_HTML);
});
