import { matchesOf } from './linkifiers.js';
import { type InlineRule, replaced } from './rule.js';
import { entities } from './spans.js';
import { element, isElement, type Node, textOf } from './tree.js';
import { addressesIn } from './web-address.js';

/** The HTML standard's safelisted schemes, with those of the web. */
const SAFE_SCHEMES: ReadonlySet<string> = new Set(
  'http https ftp sftp bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms smsto ssh tel urn webcal wtai xmpp'.split(
    ' ',
  ),
);

/**
 * The address of a link; null if it is not safe. An address without a scheme is a web or mail address.
 * @param site the organization's URL, whose addresses become relative; null: none do
 */
export function hrefFor(written: string, site: string | null): string | null {
  const url = written
    .replace(/^[\p{Cc} ]+/u, '')
    .replace(/[\t\r\n]/g, '')
    .replaceAll(' ', '%20');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
  const href = scheme === undefined ? withScheme(url) : scheme.toLowerCase() + url.slice(scheme.length);
  if (scheme !== undefined && !SAFE_SCHEMES.has(scheme.toLowerCase())) return null;
  if (site === null) return href;
  const isOurs = href.startsWith(`${site}/#`) || href.startsWith(`${site}/user_uploads/`);
  return isOurs ? href.slice(site.length + 1) : href;
}

function withScheme(url: string): string {
  if (url.startsWith('//')) return `http:${url}`;
  const path = /^[^?#]*/.exec(url)?.[0] ?? '';
  if (path.includes('@')) return `mailto:${url}`;
  return path.startsWith('/') || /^#./.test(url) ? url : `http://${url}`;
}

/** Matches of the organization's linkifiers; each reads the text that earlier ones have left. */
export const linkified: InlineRule = (words, { stash, writing }) => {
  const { linkifiers, site } = writing.names.settings;
  let text = words;
  for (const linkifier of linkifiers) {
    let out = '';
    let at = 0;
    for (const { from, found, url } of matchesOf(linkifier, text)) {
      const href = found.includes('\u0002') ? null : hrefFor(url, site);
      if (href === null) continue;
      out += text.slice(at, from) + stash.put(element('a', { href }, [found]));
      at = from + found.length;
    }
    text = out + text.slice(at);
  }
  return text;
};

/** `[text](address "title")`. Links to unsafe addresses stay as typed. */
export const links: InlineRule = (words, reading) => {
  const { stash, writing } = reading;
  if (!words.includes('](')) return words;
  const closing = pairs(words);
  return replaced(words, /(?<!!)\[/g, ({ index }) => {
    const end = closing.get(index);
    if (end === undefined || words[end + 1] !== '(') return null;
    const target = targetAt(words, end + 1, closing);
    const href = target && hrefFor(stash.asWritten(target.address).trim(), writing.names.settings.site);
    if (!target || href === null) return null;
    const shown = words.slice(index + 1, end);
    const said = shown.trim() === '' ? href : entities(shown, reading);
    const children: Node[] = stash.restored(said).map(withoutAnchors);
    const title: Record<string, string> =
      target.title === null ? {} : { title: stash.asWritten(target.title).replace(/\s/g, ' ') };
    return { until: target.end, put: stash.put(element('a', { href, ...title }, children)) };
  });
};

/** Addresses in the text without markup. */
export const bareLinks: InlineRule = (words, { stash, writing }) => {
  let out = '';
  let at = 0;
  for (const { url, from } of addressesIn(words)) {
    const href = url.includes('\u0002') ? null : hrefFor(url, writing.names.settings.site);
    if (href === null) continue;
    out += words.slice(at, from) + stash.put(element('a', { href }, [url]));
    at = from + url.length;
  }
  return out + words.slice(at);
};

/** Replaces a link in a link by its text. */
function withoutAnchors(node: Node): Node {
  if (!isElement(node)) return node;
  return node.tag === 'a' ? textOf(node) : { ...node, children: node.children.map(withoutAnchors) };
}

/** The address in the parentheses behind a text. */
interface Target {
  readonly address: string;
  readonly title: string | null;
  /** Index of the text after the link. */
  readonly end: number;
}

const IN_ANGLES = /\(\s*<([^<>]*)>(?:\s*(?:'([^']*)'|"([^"]*)"))?\s*\)/y;
const BEFORE_TITLE = /\(([^"'()]*(?:\([^"'()]*\)[^"'()]*)*)(["'])/y;

/** @param open index of its opening parenthesis */
export function targetAt(words: string, open: number, closing: ReadonlyMap<number, number>): Target | null {
  IN_ANGLES.lastIndex = open;
  const [angled, inside = '', single, double] = IN_ANGLES.exec(words) ?? [];
  if (angled !== undefined) return { address: inside, title: single ?? double ?? null, end: open + angled.length };
  BEFORE_TITLE.lastIndex = open;
  const [before, address = '', quote = ''] = BEFORE_TITLE.exec(words) ?? [];
  if (before !== undefined) {
    const from = open + before.length;
    const ending = quote === '"' ? /" *\)/g : /' *\)/g;
    ending.lastIndex = from;
    const end = ending.exec(words);
    if (end) return { address, title: words.slice(from, end.index).trim(), end: end.index + end[0].length };
  }
  const close = closing.get(open);
  return close === undefined ? null : { address: words.slice(open + 1, close), title: null, end: close + 1 };
}

/** The index of the closing bracket or parenthesis of each opening one. */
export function pairs(words: string): Map<number, number> {
  const closing = new Map<number, number>();
  const open: Record<string, number[]> = { ']': [], ')': [] };
  for (const { 0: sign, index } of words.matchAll(/[[\]()]/g)) {
    if (sign === '[') open[']']?.push(index);
    else if (sign === '(') open[')']?.push(index);
    else {
      const opened = open[sign]?.pop();
      if (opened !== undefined) closing.set(opened, index);
    }
  }
  return closing;
}
