import { DEFAULT_LANGUAGE, languageOf } from './languages.js';

/** In UTF-16 units: longer terms are no words. */
const LONGEST_WORD = 40;
/** Greatest number of words of a language whose stems are remembered. */
const MOST_REMEMBERED = 20_000;

const remembered = new Map<string, Map<string, string>>();

/** The part of a word that its forms have in common, such as `run` of `running`. @param word a term (tokenize.ts) */
export function stemOf(word: string, language: string = DEFAULT_LANGUAGE): string {
  const stems = remembered.get(language) ?? new Map<string, string>();
  if (stems.size === 0) remembered.set(language, stems);
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = computed(word, language);
  if (stems.size >= MOST_REMEMBERED) stems.clear();
  stems.set(word, stem);
  return stem;
}

function computed(word: string, language: string): string {
  if (word.length > LONGEST_WORD || !/^[\p{L}\p{M}]+$/u.test(word)) return word;
  const stem = languageOf(language).stem(word);
  return /^[\p{L}\p{N}\p{M}]+$/u.test(stem) ? stem : word;
}
