import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type NamedChannel,
  type NamedUser,
  NO_NAMES,
  PLAIN_SETTINGS,
  type WritingSettings,
} from '../../../src/features/markdown/content-facts.js';
import { renderMarkdown, renderMessage } from '../../../src/features/markdown/render-markdown.js';
import { processorTime } from '../../support/processor-time.js';

const renderWith = (text: string, settings: Partial<WritingSettings>): string =>
  renderMessage(text, { ...NO_NAMES, settings: { ...PLAIN_SETTINGS, ...settings } }).rendered;

const link = (href: string, shown = href): string => `<a href="${href}">${shown}</a>`;

const emoji = (code: string, name: string, title = name): string =>
  `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;

describe('Emphasis', () => {
  it.each([
    ['strong', '**a *b* c**', '<strong>a <em>b</em> c</strong>'],
    ['strong and emphasized', '***a***', '<strong><em>a</em></strong>'],
    ['deleted', '~~a~~ ~~~b~~~', '<del>a</del> ~~~b~~~'],
    ['not with a space inside', '2 * 3 * 4', '2 * 3 * 4'],
    ['not with underscores', '_a_ __b__', '_a_ __b__'],
    ['not over a line', '*a\nb*', '*a<br>\nb*'],
    ['code takes precedence', '`*a` b*', '<code>*a</code> b*'],
    ['code with backticks in it', '`` a`b ``', '<code> a`b </code>'],
    ['a character by its number', '&#42;a&#x2A; &#60;b> &#38;lt; &#2;', '*a* &lt;b&gt; &amp;lt; &#2;'],
    ['a character by its name', '&copy; &lt;b&gt; &nothing', '&copy; &lt;b&gt; &amp;nothing'],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(`<p>${html}</p>`);
  });
});

describe('Markup in names, addresses and formulas is read as it was written', () => {
  const general: NamedChannel = { id: 7, name: 'general', newestIn: () => null };
  const bob: NamedUser = { id: 9, fullName: 'Bob', isActive: true };
  const facts = {
    ...NO_NAMES,
    channel: (name: string) => (name === 'general' ? general : undefined),
    user: (name: string) => (name === 'Bob' ? bob : undefined),
  };
  const rendered = (text: string): string => renderMessage(text, facts).rendered;

  it('in a link to a topic', () => {
    expect(rendered('#**general>fix `x` now**')).toBe(
      '<p><a class="stream-topic" data-stream-id="7" href="/#narrow/channel/7-general/topic/fix.20.60x.60.20now">#general &gt; fix `x` now</a></p>',
    );
  });

  it('in an address', () => {
    expect(rendered('[a]($$x$$)')).toBe(`<p>${link('http://$$x$$', 'a')}</p>`);
    expect(rendered('[a](https://a.example/`x`)')).toBe(`<p>${link('https://a.example/`x`', 'a')}</p>`);
  });

  it('in a formula', () => {
    expect(rendered('a $$`x` + 1$$ b')).toContain('<annotation encoding="application/x-tex">`x` + 1</annotation>');
  });

  const PIECES = [
    ...[
      '`',
      '``',
      '**',
      '***',
      '*',
      '~~',
      '$$',
      '[',
      '](',
      ')',
      '"',
      '<',
      '>',
      '#**general',
      '>',
      '**',
      '@**Bob**',
      '@_*',
    ],
    ...[
      '<time:',
      ':smile:',
      ':)',
      '&amp;',
      '&#2;',
      'https://a.example/',
      'x',
      ' ',
      '\n',
      '\\',
      'é',
      '```',
      '```math\n',
      '|',
      '- ',
    ],
    ...['```spoiler `x`\n', '> ', '![a](', '\u0002', '\u00030\u0003', '\u00021\u0003'],
  ];
  it('and no message is nothing', () => {
    for (const text of ['```', '```\n```', '~~~quote\n~~~', '```spoiler', '```math', '\u0002', '> ```quote', '\u200b'])
      expect(rendered(text)).toMatch(/^<.+>$/s);
    expect(rendered('```quote\n```')).toBe('<p>```quote<br>\n```</p>');
  });

  it('so no word becomes a control character', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
        const html = rendered(pieces.join(''));
        for (const sign of ['\u0002', '\u0003']) expect(html).not.toContain(sign);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('Links', () => {
  it.each([
    ['with text', '[*a*](https://a.example/b_(c))', link('https://a.example/b_(c)', '*a*')],
    [
      'with character references',
      '[&#42;&#64;**all** &lt;b&#62;](https://a.example)',
      link('https://a.example', '*@**all** &lt;b&gt;'),
    ],
    ['with code', '[`a`](https://a.example)', link('https://a.example', '<code>a</code>')],
    ['without text', '[ ](https://a.example)', link('https://a.example')],
    ['with a title', '[a](https://a.example "b")', '<a href="https://a.example" title="b">a</a>'],
    ['with a URL in angle brackets', '[a](<https://a.example/b c>)', link('https://a.example/b%20c', 'a')],
    ['without a scheme', '[a](a.example)', link('http://a.example', 'a')],
    ['in emphasis', '**[a](https://a.example)**', `<strong>${link('https://a.example', 'a')}</strong>`],
    ['to an email address', '[a](b@a.example)', link('mailto:b@a.example', 'a')],
    ['to an unsafe scheme', '[a](vbscript:b)', '[a](vbscript:b)'],
    ['bare', 'https://a.example/b?c=d#e.', `${link('https://a.example/b?c=d#e')}.`],
    ['bare and without a scheme', 'see python.org/x, ok', `see ${link('http://python.org/x', 'python.org/x')}, ok`],
    ['no link for a file name', 'setup.py notes.md', 'setup.py notes.md'],
    ['in parentheses', '(https://a.example/b_(c))', `(${link('https://a.example/b_(c)')})`],
    ['with an unclosed parenthesis', 'https://a.example/(b', 'https://a.example/(b'],
    ['a bare email address', 'me@a.example!', `${link('mailto:me@a.example', 'me@a.example')}!`],
    ['behind struck text', '~~a~~https://a.example', `<del>a</del>${link('https://a.example')}`],
    ['in struck text', '~~https://a.example~~', '<del>https://a.example</del>'],
    ['in the middle of a word', 'xhttps://a.example', 'xhttps://a.example'],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(`<p>${html}</p>`);
  });

  it('to this organization are relative', () => {
    const site = 'https://chat.example.com';
    expect(renderWith(`[a](${site}/#narrow/id/1)`, { site })).toBe(`<p>${link('#narrow/id/1', 'a')}</p>`);
    expect(renderWith(`[a](${site}/x)`, { site })).toBe(`<p>${link(`${site}/x`, 'a')}</p>`);
    expect(renderWith('[a](https://other.example/#x)', { site })).toContain('https://other.example/#x');
  });
});

describe('Linkifiers', () => {
  const linkifier = (pattern: string, urlTemplate: string) => ({
    id: 1,
    pattern,
    urlTemplate,
    exampleInput: null,
    reverseTemplate: null,
    alternativeUrlTemplates: [],
  });
  const issues = linkifier('#(?P<id>[0-9]+)', 'https://tracker.example/{id}');
  const issue = (id: number): string => link(`https://tracker.example/${id}`, `#${id}`);

  it.each([
    ['link text', 'see #12, #13.', `see ${issue(12)}, ${issue(13)}.`],
    ['link adjacent matches', '#1 #2', `${issue(1)} ${issue(2)}`],
    ['do not link parts of a word', 'a#12 #12b', 'a#12 #12b'],
    ['do not link in code', '`#12`', '<code>#12</code>'],
    ['do not link in the text of a link', '[#12](https://a.example)', link('https://a.example', '#12')],
    ['link in emphasis', '**#12**', '<strong>#12</strong>'],
    ['link in quotation marks', '"#12"', `"${issue(12)}"`],
  ])('%s', (_, text, html) => {
    expect(renderWith(text, { linkifiers: [issues] })).toBe(`<p>${html}</p>`);
  });

  it('apply in order: text that one has matched is skipped by later ones', () => {
    const all = linkifier('(?P<all>#[0-9]+)', 'https://other.example/{all}');
    expect(renderWith('#12', { linkifiers: [issues, all] })).toBe(`<p>${issue(12)}</p>`);
    expect(renderWith('#12', { linkifiers: [all, issues] })).toBe(
      `<p>${link('https://other.example/%2312', '#12')}</p>`,
    );
  });

  it('apply to a line without other markup', () => {
    const words = linkifier('(?P<word>tea)', 'https://a.example/{word}');
    expect(renderWith('Good tea', { linkifiers: [words] })).toBe(`<p>Good ${link('https://a.example/tea', 'tea')}</p>`);
  });

  it('make no unsafe links and no HTML', () => {
    const any = linkifier('!(?P<it>.+)!', '{+it}');
    expect(renderWith('!javascript:alert(1)!', { linkifiers: [any] })).toBe('<p>!javascript:alert(1)!</p>');
    expect(renderWith('!"><script>!', { linkifiers: [any] })).not.toContain('<script');
  });

  it('read a text repeatedly only up to a limit of characters', () => {
    const greedy = linkifier('(?P<it>a( .*b)?)', 'https://a.example/{it}');
    expect(processorTime(() => renderWith('a '.repeat(20_000), { linkifiers: [greedy] }))).toBeLessThan(1_500);
    expect(renderWith(`${'x'.repeat(9_000)}${' #1'.repeat(300)}`, { linkifiers: [issues] }).split('<a ')).toHaveLength(
      301,
    );
  });

  it('take time linear in the text', () => {
    const evil = linkifier('(?P<a>(a+)+b)', 'https://a.example/{a}');
    const took = processorTime(() => {
      renderWith('a'.repeat(10_000), { linkifiers: [evil] });
      renderWith('a '.repeat(5_000), { linkifiers: [evil] });
    });
    expect(took).toBeLessThan(3_000);
  });
});

describe('Emoji', () => {
  it.each([
    ['by name', ':tada:', emoji('1f389', 'tada')],
    ['by another name', ':pile_of_poo:', emoji('1f4a9', 'pile_of_poo', 'pile of poo')],
    ['that are unknown', ':nothing_at_all: 10:30:00', ':nothing_at_all: 10:30:00'],
    ['as Unicode characters', 'x🎉y', `x${emoji('1f389', 'tada')}y`],
    ['of Unicode 15 by name', ':shaking_face:', emoji('1fae8', 'shaking_face', 'shaking face')],
    ['of Unicode 15 as a character', '\u{1fae8}!', `${emoji('1fae8', 'shaking_face', 'shaking face')}!`],
    ['newer than clients know, which stay text', '\u{1faea} :phoenix:', '\u{1faea} :phoenix:'],
    ['newer than clients know, of two', '\u{1f34b}\u200d\u{1f7e9}', '\u{1f34b}\u200d\u{1f7e9}'],
    ['of several characters', '1️⃣', emoji('0031-20e3', 'one')],
    ['that are shown as text', '1 © ↔ #', '1 © ↔ #'],
    ['in code', '`:tada: 🎉`', '<code>:tada: 🎉</code>'],
    ['as emoticons, which stay text by default', ':)', ':)'],
  ])('%s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(`<p>${html}</p>`);
  });

  it('of the organization come first among those of a name', () => {
    const customEmojiUrl = (name: string) => (name === 'tada' || name === 'green_tick' ? `/${name}.webp` : undefined);
    const own = (name: string, title = name) =>
      `<img alt=":${name}:" class="emoji" src="/${name}.webp" title="${title}">`;
    expect(renderWith(':green_tick::tada: `:tada:` :smile: 🎉', { customEmojiUrl })).toBe(
      `<p>${own('green_tick', 'green tick')}${own('tada')} <code>:tada:</code> ${emoji('1f642', 'smile')} ${emoji('1f389', 'tada')}</p>`,
    );
  });

  it('replace emoticons if the user enables it', () => {
    const smile = emoji('1f642', 'smile');
    expect(renderWith('well :), `:)` a:)', { translatesEmoticons: true })).toBe(
      `<p>well ${smile}, <code>:)</code> a:)</p>`,
    );
  });
});

describe('Times', () => {
  it.each([
    ['1700000000', '2023-11-14T22:13:20Z'],
    ['2026-05-01T10:30:00+02:00', '2026-05-01T08:30:00Z'],
    ['2026-05-01 10:30', '2026-05-01T10:30:00Z'],
    ['May 1st 2026, 10:30PM', '2026-05-01T22:30:00Z'],
    ['Fri, 1 May 2026 12 am CET', '2026-04-30T23:00:00Z'],
    ['5/1/2026', '2026-05-01T00:00:00Z'],
    ['20260501', '2026-05-01T00:00:00Z'],
    ['20240307T150000Z', '2024-03-07T15:00:00Z'],
    ['20240307T1500+0100', '2024-03-07T14:00:00Z'],
    ['20240307T150000.25Z', '2024-03-07T15:00:00.250000Z'],
    ['2024-03-07T15:00:00.25Z', '2024-03-07T15:00:00.250000Z'],
    ['1700000000.5', '2023-11-14T22:13:20.500000Z'],
    ['2024-03-07T15:00:00+14:00', '2024-03-07T01:00:00Z'],
    ['2024-03-07T15:00:00-14:00', '2024-03-08T05:00:00Z'],
  ])('%s', (said, datetime) => {
    expect(renderMarkdown(`at <time:${said}>`)).toBe(`<p>at <time datetime="${datetime}">${said}</time></p>`);
  });

  it.each([
    'soon',
    '2026-02-30',
    '20260230T1500Z',
    '2024-03-07T15:00:00+14:01',
    '2024-03-07T15:00:00-15:00',
    '2026-13-01',
    '10:30',
    '99999999999999999999',
    '-7000-01-01',
    '13 Sep 275760, 10:00',
    '',
  ])('%s is no time', (said) => {
    expect(renderMarkdown(`<time:${said}>`)).toBe(
      `<p><span class="timestamp-error">Invalid time format: ${said}</span></p>`,
    );
  });
});

describe('Formulas', () => {
  it.each(['$$a^2$$', 'so $$a^2$$.', '**$$a^2$$**'])('%s', (text) => {
    expect(renderMarkdown(text)).toContain('<annotation encoding="application/x-tex">a^2</annotation>');
  });

  it('with a macro of their own', () => {
    expect(renderMarkdown('$$\\def\\R{\\mathbb{R}}\\R^2$$')).not.toContain('tex-error');
  });

  it('in a math block', () => {
    const html = renderMarkdown('```math\na\n\nb\n```');
    expect(html.match(/<span class="katex-display">/g)).toHaveLength(2);
  });

  it.each([
    ['money', 'from $$5 to $$6', '<p>from $$5 to $$6</p>'],
    ['code', '`$$a$$`', '<p><code>$$a$$</code></p>'],
    ['an invalid formula', '$$\\nothing<b>$$', '<p><span class="tex-error">$$\\nothing&lt;b&gt;$$</span></p>'],
  ])('not %s', (_, text, html) => {
    expect(renderMarkdown(text)).toBe(html);
  });

  it.each([
    '\\href{javascript:alert(1)}{x}',
    '\\includegraphics{https://a.example/x.png}',
    '\\htmlStyle{color:red}{x}',
  ])('%s makes no link, image or style', (source) => {
    expect(renderMarkdown(`$$${source}$$`)).not.toMatch(/<a\s|<img|href=|style="color:red"/);
  });
});

describe('Mentions', () => {
  const names = {
    ...NO_NAMES,
    user: (name: string) => (name === 'Ada <b>' ? { id: 5, fullName: name, isActive: true } : undefined),
  };

  it('are silent in quotations', () => {
    const { rendered, userIds } = renderMessage('hi @**Ada <b>**', names);
    expect(rendered).toBe('<p>hi <span class="user-mention" data-user-id="5">@Ada &lt;b&gt;</span></p>');
    expect([...userIds]).toEqual([5]);
    for (const text of ['> @**Ada <b>**', '```quote\n@**Ada <b>**\n```', '```quote\n* a\n  * @**Ada <b>**\n```']) {
      const quoted = renderMessage(text, names);
      expect([...quoted.userIds]).toEqual([]);
      expect(quoted.rendered).toContain('<span class="user-mention silent" data-user-id="5">Ada &lt;b&gt;</span>');
    }
  });
});
