import { fold } from '../../kernel/fold.js';

const BEFORE: ReadonlySet<string | undefined> = new Set([undefined, ...' \t\n("\'.,;[*`>']);
const AFTER: ReadonlySet<string | undefined> = new Set([undefined, ...' \t\n)"\'.,;:?!]*`']);

/** Blocks of code are nobody's words. */
const CODE_BLOCK = /^ {0,3}(`{3,}|~{3,}).*\n(?:[\s\S]*?\n)? {0,3}\1[`~]*[ \t]*$/gm;

/** Whether one of the words stands in a text by itself, in any case. */
export function hasOneOf(words: readonly string[], text: string): boolean {
  if (words.length === 0) return false;
  const folded = fold(text.includes('```') || text.includes('~~~') ? text.replace(CODE_BLOCK, '') : text);
  return words.some((word) => stands(fold(word), folded));
}

function stands(word: string, text: string): boolean {
  if (word === '') return false;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (BEFORE.has(text[at - 1]) && AFTER.has(text[at + word.length])) return true;
  return false;
}
