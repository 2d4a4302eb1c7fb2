import { LANGUAGE_TABLE } from './language-table.js';
import { withoutAtEnd } from './lines.js';
import { pythonTokens } from './python-tokens.js';
import { texTokens } from './tex-tokens.js';
import type { Token } from './token.js';
import { escapeQuoted, escapeText } from './tree.js';
import type { Writing } from './writing.js';

const nameOf: ReadonlyMap<string, string> = new Map(
  LANGUAGE_TABLE.replaceAll('\n', '')
    .split('|')
    .flatMap((row) => {
      const at = row.lastIndexOf('=');
      return row
        .slice(at + 1)
        .split(',')
        .map((requested): [string, string] => [requested, row.slice(0, at)]);
    }),
);

const TOKENS: ReadonlyMap<string, (code: string) => Iterable<Token>> = new Map([
  ['Python', pythonTokens],
  ['Python 2.x', pythonTokens],
  ['TeX', texTokens],
]);

/** The interpreter that a script's first line names. */
const FIRST_LINE = /^(?:::+|#!)(?:(?:\/\w+)*[/ ])?([\w#.+-]*)/;

/**
 * Code as HTML; without colours if they would make it too long.
 *
 * @param language as the writer names it; clients get unknown languages too
 */
export function codeBlock(
  source: string,
  { growth, colours }: Pick<Writing, 'growth' | 'colours'>,
  language?: string,
): string {
  const code = `${withoutAtEnd('\n', source.replace(/^\n+/, ''))}\n`;
  const requested = language ?? FIRST_LINE.exec(code)?.[1]?.toLowerCase() ?? '';
  const name = nameOf.get(requested);
  const tokens = name === undefined ? undefined : (TOKENS.get(name)?.(code) ?? colours({ language: name, code }));
  const escaped = language === undefined ? (text: string) => escapeQuoted(text).replaceAll("'", '&#39;') : escapeText;
  const inColours =
    tokens &&
    joined(tokens)
      .map(([kind, text]) => coloured(kind, escaped(text)))
      .join('');
  const html = inColours && growth.admitsColours(inColours, code) ? inColours : escaped(code);
  const attribute = language === undefined ? '' : ` data-code-language="${escapeQuoted(name ?? language)}"`;
  return `<div class="codehilite"${attribute}><pre><span></span><code>${html}</code></pre></div>`;
}

/** Joins adjacent tokens of one kind. */
function joined(tokens: Iterable<Token>): Token[] {
  const out: [string | null, string][] = [];
  for (const [kind, code] of tokens) {
    const last = out.at(-1);
    if (last && last[0] === kind) last[1] += code;
    else out.push([kind, code]);
  }
  return out;
}

/** HTML of a token, line by line: line ends have no colour. */
const coloured = (kind: string | null, html: string): string =>
  kind === null
    ? html
    : html
        .split('\n')
        .map((line) => (line === '' ? '' : `<span class="${kind}">${line}</span>`))
        .join('\n');
