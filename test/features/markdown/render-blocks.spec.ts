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
      'may follow a line of text without an empty line',
      'Bring:\n* tea\n* milk',
      '<p>Bring:</p>\n<ul>\n<li>tea</li>\n<li>milk</li>\n</ul>',
    ],
    ['begin with the number of their first item', '7. a\n7. b', '<ol start="7">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['are nested by two spaces', '* a\n  * b\n* c', '<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>'],
    ['of another kind are separate lists', '1. a\n- b', '<ol>\n<li>a</li>\n</ol>\n<ul>\n<li>b</li>\n</ul>'],
    ['continue in the next line', '- a\nb', '<ul>\n<li>a<br>\nb</li>\n</ul>'],
    [
      'have paragraphs if there are empty lines',
      '- a\n\n- b\n\n  more',
      '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n<p>more</p>\n</li>\n</ul>',
    ],
    ['are not lists in code', '```\nx\n* y\n```', code('x\n* y')],
    [
      'have all of a line with a separator in it',
      '- a\u2028b\n- c\u2029d',
      '<ul>\n<li>a\u2028b</li>\n<li>c\u2029d</li>\n</ul>',
    ],
    ['with numbers too', '1. a\u2028b', '<ol>\n<li>a\u2028b</li>\n</ol>'],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });
});

describe('Quotations', () => {
  const said = '<blockquote>\n<p>said</p>\n</blockquote>';

  it.each([
    ['have a > before each line', '> said', said],
    ['may have a fence around them', '```quote\nsaid\n```', said],
    ['may have another fence', '~~~ quoted\nsaid\n~~~', said],
    ['end with an empty line', '> said\n\n> said', `${said}\n${said}`],
    ['continue in lines without a >', '> a\nb', '<blockquote>\n<p>a<br>\nb</p>\n</blockquote>'],
    ['are not quotations if they are empty', '>\n>', '<p>&gt;<br>\n&gt;</p>'],
    ['may be nested', '~~~quote\n> a\n~~~', '<blockquote>\n<blockquote>\n<p>a</p>\n</blockquote>\n</blockquote>'],
    [
      'hold code',
      '```quote\nlook:\n~~~\n*x*\n~~~\nsee?\n```',
      `<blockquote>\n<p>look:</p>\n${code('*x*')}\n<p>see?</p>\n</blockquote>`,
    ],
    ['without a closing fence end with the text', '```quote\nsaid', said],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  it('show no images', () => {
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
      'may be in a quotation',
      '```quote\n```spoiler\nall',
      `<blockquote>\n${spoiler('\n', '\n<p>all</p>\n')}\n</blockquote>`,
    ],
    ['may have no header', '```spoiler\nall\n```', spoiler('\n', '\n<p>all</p>\n')],
    ['hold code', '~~~spoiler x\n```\na\n```\n~~~', spoiler('\n<p>x</p>\n', `\n${code('a')}\n`)],
    ['cannot be written as HTML', '<div class="spoiler-block">', '<p>&lt;div class="spoiler-block"&gt;</p>'],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });
});

describe('Code', () => {
  it.each([
    ['may be indented', '    a <b>', code('a &lt;b&gt;')],
    ['may have a language', '```rust\nfn\n```', code('fn', ' data-code-language="Rust"')],
    ['may have a language in any case', '```JS\nx\n```', code('x', ' data-code-language="JavaScript"')],
    ['may be empty, if there is nothing else', '```\n```', code('')],
    ['may be empty and not closed', '```py', code('', ' data-code-language="Python"')],
    ['is nothing if it is empty, and there is more', 'a\n```\n```', '<p>a</p>'],
    ['may have an unknown language', '```my-own\nx\n```', code('x', ' data-code-language="my-own"')],
    ['loses outer empty lines and trailing spaces', '```\n\na  \n\n```', code('a')],
    ['does not begin with a fence within text', 'a ```\nb', '<p>a ```<br>\nb</p>'],
    [
      'in Python is highlighted',
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
      'in TeX is highlighted',
      '```tex\n\\a{b} % c\n```',
      code(
        '<span class="k">\\a</span><span class="nb">{</span>b<span class="nb">}</span> <span class="c">% c</span>',
        ' data-code-language="TeX"',
      ),
    ],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  it('is in the language of the organization if it names none', () => {
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
    ['no header without a space', '#plan', '<p>#plan</p>'],
    ['a horizontal rule', 'a\n\n---\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
    [
      'a table',
      'a|b\n:-|-:\n`x|y`|z',
      '<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: right;">b</th>\n</tr>\n' +
        '</thead>\n<tbody>\n<tr>\n<td style="text-align: left;"><code>x|y</code></td>\n' +
        '<td style="text-align: right;">z</td>\n</tr>\n</tbody>\n</table>',
    ],
    ['no table without its columns', 'a|b\n-', '<p>a|b<br>\n-</p>'],
    ['no link reference', '[a]\n\n[a]: b', '<p>[a]</p>\n<p>[a]: b</p>'],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });
});

describe('Images', () => {
  const picture = (url: string, title = ''): string => {
    const source = `/thumbnail?url=${encodeURIComponent(url.replace(/^\//, ''))}&amp;size=`;
    const image = `<img data-src-fullsize="${source}full" src="${source}thumbnail">`;
    return `<div class="message_inline_image"><a href="${url}"${title}>${image}</a></div>`;
  };
  const cat = 'https://example.com/cat.png';

  it.each([
    ['replace their URL', cat, picture(cat)],
    ['are below the text', `see ${cat}`, `<p>see <a href="${cat}">${cat}</a></p>\n${picture(cat)}`],
    [
      'have the text of a link as title',
      `[cat](${cat})`,
      `<p><a href="${cat}">cat</a></p>\n${picture(cat, ' title="cat"')}`,
    ],
    [
      'are within the item of a list',
      `* a ${cat}`,
      `<ul>\n<li>a <a href="${cat}">${cat}</a>${picture(cat)}</li>\n</ul>`,
    ],
  ])('%s', (_, text, html) => {
    expect(renderWith(text, { showsPictures: true })).toBe(html);
  });

  it.each([
    ['below the text', '[x.webm](/user_uploads/1/ab/x.webm)', '/user_uploads/1/ab/x.webm', ' title="x.webm"'],
    ['whatever the case', '[x](/user_uploads/1/ab/x.MP4)', '/user_uploads/1/ab/x.MP4', ' title="x"'],
  ])('uploaded videos are shown %s', (_, text, url, title) => {
    const link = `<p>${renderMarkdown(text).slice(3, -4)}</p>`;
    const video = `<a href="${url}"${title}><video preload="metadata" src="${url}"></video></a>`;
    const html = `${link}\n<div class="message_inline_image message_inline_video">${video}</div>`;
    expect(renderWith(text, { showsPictures: true })).toBe(html);
    expect(renderWith(text, { showsPictures: false })).toBe(link);
  });

  it('does not play videos of other sites', () => {
    const html = renderWith('https://example.com/user_uploads/x.mp4 /user_uploads/x.mp4.exe', { showsPictures: true });
    expect(html).not.toContain('<video');
  });

  it('are shown once, in order, and only if the organization enables them', () => {
    const text = `${cat} https://example.com/dog.gif ${cat}`;
    const html = renderWith(text, { showsPictures: true });
    expect([...html.matchAll(/<div class="message_inline_image"><a href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      cat,
      'https://example.com/dog.gif',
    ]);
    expect(renderWith(text, { showsPictures: false })).not.toContain('<img');
  });

  it('have a source on this server, wherever they are in the text', () => {
    const html = renderWith(`${cat} [a](${cat}) ![b](${cat}) > ${cat}`, { showsPictures: true });
    expect([...html.matchAll(/\ssrc="([^"]*)"/g)].every(([, source]) => source?.startsWith('/thumbnail?'))).toBe(true);
  });

  it('are not shown if there are too many', () => {
    const many = Array.from({ length: 25 }, (_, n) => `https://example.com/${n}.png`).join(' ');
    expect(renderWith(many, { showsPictures: true })).not.toContain('<img');
  });
});
