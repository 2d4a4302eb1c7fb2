import { createRequire } from 'node:module';

/** The language of documents and searches that name none. */
export const DEFAULT_LANGUAGE = 'en';

/** By the code of a language, without its country: the name of its stemmer, and of its list of stop words. */
const NAMES: Readonly<Record<string, string>> = {
  ar: 'arabic',
  bg: 'bulgarian',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  hi: 'indian',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  nl: 'dutch',
  nn: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  uk: 'ukrainian',
};

/** A language's rules for word forms. */
interface Language {
  readonly stem: (word: string) => string;
  /** Words that say nothing, as they are written. */
  readonly stopWords: readonly string[];
}

const NO_RULES: Language = { stem: (word) => word, stopWords: [] };

const loaded = new Map<string, Language>();

/** The rules of a language by its code, such as `pt-br`; a language without rules has words in one form only. */
export function languageOf(code: string): Language {
  const known = loaded.get(code);
  if (known) return known;
  const name = NAMES[code.split('-')[0] ?? ''];
  const language = name === undefined ? NO_RULES : load(name);
  loaded.set(code, language);
  return language;
}

/** Loads a language when it is first used: all of them together would delay every start. */
const packages = createRequire(import.meta.url);

function load(name: string): Language {
  const { stemmer }: { stemmer: (word: string) => string } = packages(`@orama/stemmers/${name}`);
  const { stopwords }: { stopwords: readonly string[] } = packages(`@orama/stopwords/${name}`);
  return { stem: stemmer, stopWords: stopwords };
}
