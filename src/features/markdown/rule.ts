import type { Stash } from './stash.js';
import type { Element } from './tree.js';
import type { Writing } from './writing.js';

/** The state of reading a text by the rules. Each rule puts its matches into the stash. */
export interface Reading {
  readonly stash: Stash;
  readonly writing: Writing;
  /** Quoted mentions mention nobody again. */
  readonly isQuoted: boolean;
  /** Puts an element into the stash, with its text read by the later rules. @returns the mark that stands for it */
  readonly putRead: (made: Element, words: string) => string;
}

export type InlineRule = (words: string, reading: Reading) => string;

/** The replacement of a match; with `until`, also of the text up to that index. */
type Replacement = string | { readonly put: string; readonly until: number } | null;

/** Replaces the matches of a pattern by the results of `made`; null: the match stays. */
export function replaced(words: string, pattern: RegExp, made: (match: RegExpExecArray) => Replacement): string {
  let out = '';
  let at = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(words); match; match = pattern.exec(words)) {
    const replacement = made(match);
    if (replacement === null) continue;
    const put = typeof replacement === 'string' ? replacement : replacement.put;
    out += words.slice(at, match.index) + put;
    at = typeof replacement === 'string' ? match.index + match[0].length : replacement.until;
    pattern.lastIndex = at;
  }
  return at === 0 ? words : out + words.slice(at);
}
