import { entities } from './entities.js';
import { hrefFor } from './href.js';
import { type Rule, replaced } from './rule.js';
import { element, isElement, type Node, textOf } from './tree.js';
import { addressesIn } from './web-address.js';

/** `[text](address "title")`. Links to unsafe addresses stay as typed. */
export const links: Rule = (words, reading) => {
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
export const bareLinks: Rule = (words, { stash, writing }) => {
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
export interface Target {
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
