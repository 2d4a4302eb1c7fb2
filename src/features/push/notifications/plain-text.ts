import { beginningOf } from '../../../platform/kernel/text.js';

const MAX_LENGTH = 200;

const BREAKING = new Set(['p', 'div', 'br', 'li', 'tr', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'hr']);
const VOID = new Set(['br', 'img', 'hr', 'input', 'source']);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

interface OpenElement {
  readonly name: string;
  /** Nothing in it is shown. */
  readonly isHidden: boolean;
  /** Replaces the text. */
  readonly instead?: string;
}

/** Gives the text of a rendered message, shortened, as phones show it. */
export function plainText(rendered: string): string {
  return beginningOf(textOf(rendered), MAX_LENGTH);
}

/** Reads the HTML that this server has rendered, and no other. */
function textOf(rendered: string): string {
  const open: OpenElement[] = [];
  let text = '';
  const isHidden = (): boolean => open.some((element) => element.isHidden);
  const depth = (): number => open.filter(({ name }) => name === 'blockquote').length;
  const say = (words: string): void => {
    if (isHidden() || words === '') return;
    if (depth() > 0 && (text === '' || text.endsWith('\n'))) text += '> '.repeat(depth());
    text += words;
  };
  const breakLine = (): void => {
    if (!isHidden() && text !== '' && !text.endsWith('\n')) text += '\n';
  };
  for (const [token, close, name = '', attributes = ''] of rendered.matchAll(
    /<(\/?)([a-z][a-z0-9-]*)([^>]*)>|[^<]+/gi,
  )) {
    if (name === '') {
      const isCode = open.some((element) => element.name === 'pre');
      // Elsewhere, line breaks of the HTML stand beside those of its elements.
      const words = isCode ? token : token.replace(/^\n|\n$/g, '');
      say(decoded(words));
      continue;
    }
    if (BREAKING.has(name)) breakLine();
    if (close !== '') {
      while (open.length > 0 && open.pop()?.name !== name);
      continue;
    }
    if (name === 'img') say(decoded(attribute('alt', attributes)));
    if (name === 'audio') say(decoded(attribute('title', attributes)));
    if (VOID.has(name)) continue;
    const element = elementOf(name, attributes);
    if (element.instead !== undefined) say(element.instead);
    open.push(element);
  }
  return text.trim();
}

function elementOf(name: string, attributes: string): OpenElement {
  const classes = attribute('class', attributes).split(/\s+/);
  const [, code] = /\bemoji-((?:[0-9a-f]+-?)+)/.exec(classes.join(' ')) ?? [];
  if (classes.includes('emoji') && code !== undefined) {
    const points = code.split('-').map((point) => Number.parseInt(point, 16));
    return { name, isHidden: true, instead: String.fromCodePoint(...points) };
  }
  if (classes.includes('spoiler-content')) return { name, isHidden: true, instead: '(…)' };
  if (classes.includes('katex-html') || name === 'annotation') return { name, isHidden: true };
  return { name, isHidden: false };
}

const attribute = (name: string, attributes: string): string =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (whole, decimal, hexadecimal, name) => {
    if (decimal) return String.fromCodePoint(Number(decimal));
    if (hexadecimal) return String.fromCodePoint(Number.parseInt(hexadecimal, 16));
    return ENTITIES[name] ?? whole;
  });
