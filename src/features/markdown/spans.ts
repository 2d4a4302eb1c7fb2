import { characterOf, ENTITY } from '../../platform/kernel/text.js';
import { momentOf } from './moment.js';
import { type InlineRule, replaced } from './rule.js';
import { element } from './tree.js';

/** `code` between equal runs of backticks; a backslash before a run makes its first backtick text. */
export const codeSpans: InlineRule = (words, { stash }) => {
  if (!words.includes('`')) return words;
  const runs = [...words.matchAll(/`+/g)].map(({ 0: run, index }) => ({ from: index, width: run.length }));
  const closers = new Map<number, number[]>();
  for (const [at, { width }] of runs.entries()) {
    const known = closers.get(width);
    if (known) known.push(at);
    else closers.set(width, [at]);
  }
  const closerOf = (opener: number, width: number): number | undefined => {
    const known = closers.get(width);
    while (known?.[0] !== undefined && known[0] <= opener) known.shift();
    return known?.[0];
  };
  let out = '';
  let done = 0;
  for (let at = 0; at < runs.length; at++) {
    const { from, width } = runs[at] ?? { from: 0, width: 0 };
    const isEscaped = words[from - 1] === '\\';
    let opening = isEscaped ? width - 1 : width;
    while (opening > 0 && closerOf(at, opening) === undefined) opening -= 1;
    const closer = opening > 0 ? closerOf(at, opening) : undefined;
    const end = closer === undefined ? undefined : runs[closer];
    if (closer === undefined || !end) continue;
    const begin = from + (isEscaped ? 1 : 0);
    const code = element('code', {}, [stash.asWritten(words.slice(begin + opening, end.from))]);
    out += words.slice(done, begin) + stash.put(code, words.slice(begin, end.from + end.width));
    done = end.from + end.width;
    at = closer;
  }
  return out + words.slice(done);
};

const STRONG_AND_STRESSED = /\*\*\*(?!\s)([^*^\n]+)(?<!\s)\*\*\*/g;
const STRONG = /\*\*([^\n]+?)\*\*/g;
const STRESSED = /\*(?!\s)([^*^\n]+)(?<!\s)\*/g;
const STRUCK = /(?<!~)~~([^~\n]+)~~(?!~)/g;
const FORMULA = /(?<![\p{L}\p{N}_$])\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\p{L}\p{N}_$])/gu;

export const strongAndStressed: InlineRule = (words, { putRead }) => {
  if (!words.includes('***')) return words;
  return replaced(words, STRONG_AND_STRESSED, ([, inner = '']) =>
    putRead(element('strong'), putRead(element('em'), inner)),
  );
};

const wrapping =
  (tag: string, sign: string, pattern: RegExp): InlineRule =>
  (words, { putRead }) =>
    words.includes(sign) ? replaced(words, pattern, ([, inner = '']) => putRead(element(tag), inner)) : words;

export const strong = wrapping('strong', '**', STRONG);
export const stressed = wrapping('em', '*', STRESSED);
export const struck = wrapping('del', '~~', STRUCK);

export const formulas: InlineRule = (words, { stash, writing }) => {
  if (!words.includes('$$')) return words;
  return replaced(words, FORMULA, ([written, inner = '']) => {
    const source = stash.asWritten(inner);
    const html = writing.formulas.htmlOf(source, false);
    if (html !== null) return stash.put({ html, isBlock: false }, written);
    return stash.put(element('span', { class: 'tex-error' }, [`$$${source}$$`]), written);
  });
};

export const lineBreaks: InlineRule = (words, { stash }) =>
  words.includes('\n') ? replaced(words, /\n/g, () => stash.put(element('br'))) : words;

/** `<time:a moment>`, which clients show in the reader's time zone. */
export const timestamps: InlineRule = (words, { stash }) => {
  if (!words.includes('<time:')) return words;
  return replaced(words, /<time:([^>]*)>/g, ([, text = '']) => {
    const shown = stash.restored(text);
    const moment = momentOf(text);
    if (moment === null)
      return stash.put(element('span', { class: 'timestamp-error' }, ['Invalid time format: ', ...shown]));
    return stash.put(element('time', { datetime: moment }, shown));
  });
};

const ANY = /&(?:#\d+|#x[\da-f]+|[\da-z]+);/gi;

/**
 * Characters by name or number, as in HTML. Their characters are plain text, and are escaped when written. Unknown
 * names are left to browsers.
 */
export const entities: InlineRule = (words, { stash }) => {
  if (!words.includes('&')) return words;
  const known = replaced(words, ENTITY, (entity) => {
    const character = characterOf(entity);
    return character === null ? null : stash.put(character);
  });
  return replaced(known, ANY, ([html]) => stash.put({ html, isBlock: false }, html));
};
