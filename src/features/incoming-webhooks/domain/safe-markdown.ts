import { beginningOf } from '../../../platform/kernel/text.js';

/** Characters that begin or end markup. Mentions need asterisks; struck words and formulas need two of their signs. */
const MARKUP = /[*`[\]<>&|\\]|~(?=~)|(?<=~)~|\$(?=\$)|(?<=\$)\$/g;

const MOST_OF_LINE = 200;
const MOST_OF_QUOTE = 3000;

/**
 * Words of a service as one line of plain text. They are no markup, and mention nobody: characters of markup are
 * written by their number, as in HTML.
 */
export function plain(words: string, most = MOST_OF_LINE): string {
  const line = words.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return beginningOf(line, most).replace(MARKUP, (character) => `&#${character.codePointAt(0)};`);
}

/** A link with plain words. Words alone if the address is not one of the web. */
export function link(words: string, address: string): string {
  const href = webAddress(address);
  return href === null ? plain(words) : `[${plain(words) || plain(href)}](${href})`;
}

/** The address, with its characters of markup encoded; null if it is not one of the web. */
export function webAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return href.replace(/[*`~[\]()<>$\\'"|]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Words between signs that show them as code. */
export function code(words: string): string {
  const line = beginningOf(words.replace(/[\s\p{Cc}]+/gu, ' ').trim(), MOST_OF_LINE);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`;
}

/** Markdown of a service as a quotation, in which mentions notify nobody. */
export function quoted(markdown: string): string {
  const words = beginningOf(markdown.trim(), MOST_OF_QUOTE);
  return words === '' ? '' : fenced(words, 'quote');
}

/** A block whose lines cannot end it. */
export function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/~+/g)].map(([run]) => run.length));
  const fence = '~'.repeat(longest + 1);
  return `${fence} ${language}\n${text}\n${fence}`;
}
