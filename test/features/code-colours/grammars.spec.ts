import { describe, expect, it } from '@jest/globals';
import { colourCode } from '../../../src/features/code-colours/colour-code.js';
import { grammarOf } from '../../../src/features/code-colours/grammars.js';
import { LANGUAGE_TABLE } from '../../../src/features/markdown/language-table.js';

describe('grammars', () => {
  it('are of languages that code blocks know', () => {
    const known = new Set(
      LANGUAGE_TABLE.replaceAll('\n', '')
        .split('|')
        .map((row) => row.slice(0, row.lastIndexOf('='))),
    );
    expect([...grammarOf.keys()].filter((language) => !known.has(language))).toEqual([]);
  });

  it('can all be loaded, and change no code', async () => {
    const code = 'a = "\\n" <% {{ x }} %> `b` \\\n\u2167 \ud83d\ude00 <?php 1 # {% c %} &amp; ___PHP1___\n';
    const plain: string[] = [];
    for (const language of grammarOf.keys()) if (!(await colourCode(language, code))) plain.push(language);
    expect(plain).toEqual([]);
  });
});
