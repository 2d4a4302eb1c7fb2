import { type Rule } from './rule.js';
import { element } from './tree.js';

/** `code` between equal runs of backticks; a backslash before a run makes its first backtick text. */
export const codeSpans: Rule = (words, { stash }) => {
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
