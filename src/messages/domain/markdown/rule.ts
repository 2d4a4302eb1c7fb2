import type { Stash } from './stash.js';
import type { Element } from './tree.js';
import type { Writing } from './writing.js';

/** Words on their way through the rules, each of which puts aside what it has found. */
export interface Reading {
  readonly stash: Stash;
  readonly writing: Writing;
  /** What is quoted calls nobody again. */
  readonly isQuoted: boolean;
  /** What stands for an element in which the words are read by the rules that come later. */
  readonly putRead: (made: Element, words: string) => string;
}

export type Rule = (words: string, reading: Reading) => string;

/** What takes a match's place; with `until`, also of what follows it. */
export type Instead = string | { readonly put: string; readonly until: number } | null;

/** Every place that a pattern matches, with what `made` puts in its stead; null: it stays as it is. */
export function replaced(words: string, pattern: RegExp, made: (match: RegExpExecArray) => Instead): string {
  let out = '';
  let at = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(words); match; match = pattern.exec(words)) {
    const instead = made(match);
    if (instead === null) continue;
    const put = typeof instead === 'string' ? instead : instead.put;
    out += words.slice(at, match.index) + put;
    at = typeof instead === 'string' ? match.index + match[0].length : instead.until;
    pattern.lastIndex = at;
  }
  return at === 0 ? words : out + words.slice(at);
}
