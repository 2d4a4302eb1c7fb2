import { describe, expect, it } from '@jest/globals';
import { codeIn } from '../../../src/features/markdown/code-in.js';
import { NO_NAMES } from '../../../src/features/markdown/content-facts.js';
import { renderMessage } from '../../../src/features/markdown/render-markdown.js';

const rust = (code: string) => ({ language: 'Rust', code });

describe('the code in a text', () => {
  it.each([
    ['has its language by any alias', '```rs\na\n```\n~~~ {.Rust}\nb\n', '', [rust('a\n'), rust('b\n')]],
    ['may be quoted', '```quote\n~~~rust\na\n~~~\n```', '', [rust('a\n')]],
    ['may have the language of the organization', '```\na\n```', 'rust', [rust('a\n')]],
    ['may name its language in its first line', '```\n#!/bin/rust\n```', '', [rust('#!/bin/rust\n')]],
    ['counts without empty lines at its ends', '```rust\n\na  \n\n```', '', [rust('a\n')]],
    ['is none in a language of its own', '```python\na\n```', '', []],
    ['is none in unknown languages, or in none', '```my-own\na\n```\n```\nb\n```', '', []],
    ['is none without fences', 'a `b`\n\n    #!/bin/rust\n', '', []],
  ])('%s', (_, text, codeLanguage, blocks) => {
    expect(codeIn(text, codeLanguage)).toEqual(blocks);
  });

  it('is what rendering asks the colours of', () => {
    const text = '> a\n\n```rust\nlet a;\n```\n\n* b\n```quote\n```c++\n<a>\n\n```\n~~~ js\nb';
    const asked: object[] = [];
    renderMessage(text, NO_NAMES, (block) => {
      asked.push(block);
      return null;
    });
    expect(asked).toHaveLength(3);
    expect(codeIn(text, '')).toEqual(asked);
  });

  it('is shown in its colours, escaped, line by line', () => {
    const { rendered } = renderMessage('```rust\n<a\nb>\n```', NO_NAMES, () => [
      ['k', '<a\nb'],
      [null, '>\n'],
    ]);
    expect(rendered).toContain('<code><span class="k">&lt;a</span>\n<span class="k">b</span>&gt;\n</code>');
  });
});
