import { describe, expect, it } from '@jest/globals';
import { NO_NAMES, PLAIN_SETTINGS, type WritingSettings } from '../../../src/features/markdown/content-facts.js';
import { renderMarkdown, renderMessage } from '../../../src/features/markdown/render-markdown.js';

const renderWith = (text: string, settings: Partial<WritingSettings>): string =>
  renderMessage(text, { ...NO_NAMES, settings: { ...PLAIN_SETTINGS, ...settings } }).rendered;

const code = (html: string, language = ''): string =>
  `<div class="codehilite"${language}><pre><span></span><code>${html}\n</code></pre></div>`;

describe('Lists', () => {
  it.each([
    [
      'hang on the words before them',
      'Bring:\n* tea\n* milk',
      '<p>Bring:</p>\n<ul>\n<li>tea</li>\n<li>milk</li>\n</ul>',
    ],
    ['begin with the number that they begin with', '7. a\n7. b', '<ol start="7">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['go two spaces deeper', '* a\n  * b\n* c', '<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>'],
    ['of another kind are lists of their own', '1. a\n- b', '<ol>\n<li>a</li>\n</ol>\n<ul>\n<li>b</li>\n</ul>'],
    ['go on in the next line', '- a\nb', '<ul>\n<li>a<br>\nb</li>\n</ul>'],
    [
      'have paragraphs where empty lines are',
      '- a\n\n- b\n\n  more',
      '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n<p>more</p>\n</li>\n</ul>',
    ],
    ['are none in code', '```\nx\n* y\n```', code('x\n* y')],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });
});

describe('Quotations', () => {
  const said = '<blockquote>\n<p>said</p>\n</blockquote>';

  it.each([
    ['have a sign before each line', '> said', said],
    ['or a fence around them', '```quote\nsaid\n```', said],
    ['or another one', '~~~ quoted\nsaid\n~~~', said],
    ['end with an empty line', '> said\n\n> said', `${said}\n${said}`],
    ['go on with words that have no sign', '> a\nb', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
    ['are none where they quote nothing', '>\n>', '<p>&gt;<br>\n&gt;</p>'],
    ['stand in each other', '~~~quote\n> a\n~~~', '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>'],
    [
      'hold code',
      '```quote\nlook:\n~~~\n*x*\n~~~\nsee?\n```',
      `<blockquote>\n<p>look:</p>\n${code('*x*')}\n<p>see?</p>\n</blockquote>`,
    ],
    ['that nobody ends are ended by the text', '```quote\nsaid', said],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  it('show no pictures', () => {
    expect(renderWith('> https://example.com/cat.png', { showsPictures: true })).not.toContain('<img');
  });
});

describe('Spoilers', () => {
  const spoiler = (header: string, content: string): string =>
    `<div class="spoiler-block"><div class="spoiler-header">${header}</div>` +
    `<div class="spoiler-content" aria-hidden="true">${content}</div></div>`;

  it.each([
    ['have a header', '```spoiler the *end*\nall\n```', spoiler('\n<p>the <em>end</em></p>\n', '\n<p>all</p>\n')],
    [
      'stand in a quotation',
      '```quote\n```spoiler\nall',
      `<blockquote>\n${spoiler('\n', '\n<p>all</p>\n')}\n</blockquote>`,
    ],
    ['or none', '```spoiler\nall\n```', spoiler('\n', '\n<p>all</p>\n')],
    ['hold code', '~~~spoiler x\n```\na\n```\n~~~', spoiler('\n<p>x</p>\n', `\n${code('a')}\n`)],
    [
      'cannot be made by who writes the HTML',
      '<div class="spoiler-block">',
      '<p>&lt;div class="spoiler-block"&gt;</p>',
    ],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });
});

describe('Code', () => {
  it.each([
    ['is indented', '    a <b>', code('a &lt;b&gt;')],
    ['has a language', '```rust\nfn\n```', code('fn', ' data-code-language="Rust"')],
    ['in whatever case', '```JS\nx\n```', code('x', ' data-code-language="JavaScript"')],
    ['also one that nobody knows', '```my-own\nx\n```', code('x', ' data-code-language="my-own"')],
    ['loses empty lines around it, and spaces behind its lines', '```\n\na  \n\n```', code('a')],
    ['is none where a fence stands in words', 'a ```\nb', '<p>a ```<br>\nb</p>'],
    [
      'in Python is coloured',
      '```py\nclass A(B):\n    """Why."""\n    x = not f"{1.5}" # so\n```',
      code(
        '<span class="k">class</span> <span class="nc">A</span><span class="p">(</span><span class="n">B</span>' +
          '<span class="p">):</span>\n    <span class="sd">"""Why."""</span>\n    <span class="n">x</span> ' +
          '<span class="o">=</span> <span class="ow">not</span> <span class="sa">f</span><span class="s2">"{1.5}"</span> ' +
          '<span class="c1"># so</span>',
        ' data-code-language="Python"',
      ),
    ],
    [
      'in TeX too',
      '```tex\n\\a{b} % c\n```',
      code(
        '<span class="k">\\a</span><span class="nb">{</span>b<span class="nb">}</span> <span class="c">% c</span>',
        ' data-code-language="TeX"',
      ),
    ],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  it('is in the language of the organization where it names none', () => {
    expect(renderWith('```\nx\n```', { codeLanguage: 'rust' })).toBe(code('x', ' data-code-language="Rust"'));
  });

  it('has no attribute but the language', () => {
    expect(renderMarkdown('```a"onclick="x\nb\n```')).not.toContain(
      '<div class="codehilite" data-code-language="a"onclick',
    );
  });
});

describe('Other blocks', () => {
  it.each([
    ['a header', '## Plan ##\nwords', '<h2>Plan</h2>\n<p>words</p>'],
    ['no header', '#plan', '<p>#plan</p>'],
    ['a line across', 'a\n\n---\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
    [
      'a table',
      'a|b\n:-|-:\n`x|y`|z',
      '<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: right;">b</th>\n</tr>\n' +
        '</thead>\n<tbody>\n<tr>\n<td style="text-align: left;"><code>x|y</code></td>\n' +
        '<td style="text-align: right;">z</td>\n</tr>\n</tbody>\n</table>',
    ],
    ['no table', 'a|b\n-', '<p>a|b<br>\n-</p>'],
    ['no reference', '[a]\n\n[a]: b', '<p>[a]</p>\n<p>[a]: b</p>'],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });
});

describe('Pictures', () => {
  const picture = (url: string, title = ''): string => {
    const source = `/thumbnail?url=${encodeURIComponent(url.replace(/^\//, ''))}&amp;size=`;
    const image = `<img data-src-fullsize="${source}full" src="${source}thumbnail">`;
    return `<div class="message_inline_image"><a href="${url}"${title}>${image}</a></div>`;
  };
  const cat = 'https://example.com/cat.png';

  it.each([
    ['take the place of their address', cat, picture(cat)],
    ['stand below words', `see ${cat}`, `<p>see <a href="${cat}">${cat}</a></p>\n${picture(cat)}`],
    ['have the words of a link', `[cat](${cat})`, `<p><a href="${cat}">cat</a></p>\n${picture(cat, ' title="cat"')}`],
    [
      'that were uploaded',
      '[x](/user_uploads/1/ab/x.jpg)',
      '<p><a href="/user_uploads/1/ab/x.jpg">x</a></p>\n' + picture('/user_uploads/1/ab/x.jpg', ' title="x"'),
    ],
    ['stand in the item of a list', `* a ${cat}`, `<ul>\n<li>a <a href="${cat}">${cat}</a>${picture(cat)}</li>\n</ul>`],
  ])('%s', (_, text, html) => {
    expect(renderWith(text, { showsPictures: true })).toBe(html);
  });

  it('are shown once, in order, and only where the organization wants them', () => {
    const text = `${cat} https://example.com/dog.gif ${cat}`;
    const html = renderWith(text, { showsPictures: true });
    expect([...html.matchAll(/<div class="message_inline_image"><a href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      cat,
      'https://example.com/dog.gif',
    ]);
    expect(renderWith(text, { showsPictures: false })).not.toContain('<img');
  });

  it('come from this server, wherever they are', () => {
    const html = renderWith(`${cat} [a](${cat}) ![b](${cat}) > ${cat}`, { showsPictures: true });
    expect([...html.matchAll(/\ssrc="([^"]*)"/g)].every(([, source]) => source?.startsWith('/thumbnail?'))).toBe(true);
  });

  it('are not shown by the dozen', () => {
    const many = Array.from({ length: 25 }, (_, n) => `https://example.com/${n}.png`).join(' ');
    expect(renderWith(many, { showsPictures: true })).not.toContain('<img');
  });
});
