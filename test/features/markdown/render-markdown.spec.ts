import { describe, expect, it } from '@jest/globals';
import { renderMarkdown } from '../../../src/features/markdown/render-markdown.js';

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
