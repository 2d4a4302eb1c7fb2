import { type Rule, replaced } from './rule.js';
import { element } from './tree.js';

const STRONG_AND_STRESSED = /\*\*\*(?!\s)([^*^\n]+)(?<!\s)\*\*\*/g;
const STRONG = /\*\*([^\n]+?)\*\*/g;
const STRESSED = /\*(?!\s)([^*^\n]+)(?<!\s)\*/g;
const STRUCK = /(?<!~)~~([^~\n]+)~~(?!~)/g;
const FORMULA = /(?<![\p{L}\p{N}_$])\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\p{L}\p{N}_$])/gu;

export const strongAndStressed: Rule = (words, { putRead }) => {
  if (!words.includes('***')) return words;
  return replaced(words, STRONG_AND_STRESSED, ([, inner = '']) =>
    putRead(element('strong'), putRead(element('em'), inner)),
  );
};

const wrapping =
  (tag: string, sign: string, pattern: RegExp): Rule =>
  (words, { putRead }) =>
    words.includes(sign) ? replaced(words, pattern, ([, inner = '']) => putRead(element(tag), inner)) : words;

export const strong = wrapping('strong', '**', STRONG);
export const stressed = wrapping('em', '*', STRESSED);
export const struck = wrapping('del', '~~', STRUCK);

export const formulas: Rule = (words, { stash, writing }) => {
  if (!words.includes('$$')) return words;
  return replaced(words, FORMULA, ([written, inner = '']) => {
    const source = stash.asWritten(inner);
    const html = writing.formulas.htmlOf(source, false);
    if (html !== null) return stash.put({ html, isBlock: false }, written);
    return stash.put(element('span', { class: 'tex-error' }, [`$$${source}$$`]), written);
  });
};

export const lineBreaks: Rule = (words, { stash }) =>
  words.includes('\n') ? replaced(words, /\n/g, () => stash.put(element('br'))) : words;
