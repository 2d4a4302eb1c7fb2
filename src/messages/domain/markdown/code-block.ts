import { LANGUAGE_TABLE } from './language-table.js';
import { withoutAtEnd } from './lines.js';
import { pythonTokens } from './python-tokens.js';
import { texTokens } from './tex-tokens.js';
import type { Token } from './token.js';
import { escapeQuoted, escapeText } from './tree.js';

const nameOf: ReadonlyMap<string, string> = new Map(
  LANGUAGE_TABLE.replaceAll('\n', '')
    .split('|')
    .flatMap((row) => {
      const at = row.lastIndexOf('=');
      return row
        .slice(at + 1)
        .split(',')
        .map((asked): [string, string] => [asked, row.slice(0, at)]);
    }),
);

const TOKENS: ReadonlyMap<string, (code: string) => Iterable<Token>> = new Map([
  ['Python', pythonTokens],
  ['Python 2.x', pythonTokens],
  ['TeX', texTokens],
]);

/** The program that a script asks for, by its first line. */
const FIRST_LINE = /^(?:::+|#!)(?:(?:\/\w+)*[/ ])?([\w#.+-]*)/;

/** @param language as the writer has it; a language that nobody knows is told to clients all the same */
export function codeBlock(source: string, language?: string): string {
  const code = `${withoutAtEnd('\n', source.replace(/^\n+/, ''))}\n`;
  const asked = language ?? FIRST_LINE.exec(code)?.[1]?.toLowerCase() ?? '';
  const name = nameOf.get(asked);
  const tokens = name === undefined ? undefined : TOKENS.get(name);
  const escaped = language === undefined ? (text: string) => escapeQuoted(text).replaceAll("'", '&#39;') : escapeText;
  let html = '';
  for (const [kind, text] of joined(tokens?.(code) ?? [[null, code]]))
    html += kind === null ? escaped(text) : coloured(kind, escaped(text));
  const attribute = language === undefined ? '' : ` data-code-language="${escapeQuoted(name ?? language)}"`;
  return `<div class="codehilite"${attribute}><pre><span></span><code>${html}</code></pre></div>`;
}

/** Neighbours of one kind as one. */
function joined(tokens: Iterable<Token>): Token[] {
  const out: [string | null, string][] = [];
  for (const [kind, code] of tokens) {
    const last = out.at(-1);
    if (last && last[0] === kind) last[1] += code;
    else out.push([kind, code]);
  }
  return out;
}

/** A line's end is in no colour. */
const coloured = (kind: string, html: string): string =>
  html
    .split('\n')
    .map((line) => (line === '' ? '' : `<span class="${kind}">${line}</span>`))
    .join('\n');
