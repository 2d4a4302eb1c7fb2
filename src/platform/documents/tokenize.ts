import { codesOfNamed, emojiIn, withEmojiNames } from '../emoji/emoji-signs.js';
import { characterOf, ENTITY, isAscii } from '../kernel/text.js';
import { DEFAULT_LANGUAGE, languageOf } from './languages.js';

/**
 * Cuts a text into terms, in documents and in searches alike (D14): NFKC, lower case, then runs of letters, digits and
 * the marks that belong to them. Accents count: `e` and `é` are different letters. Emoji are their names.
 *
 * Scripts without spaces between words have one term a character. A run of such characters in a search is a phrase.
 */
export function tokenize(text: string): string[] {
  return termsOf(withEmojiNames(text));
}

/** Finds the same terms in ASCII several times as fast as `TERM`. */
const ASCII_TERM = /[a-z0-9]+/g;

const termsOf = (text: string): string[] =>
  (isAscii(text) ? text.toLowerCase().match(ASCII_TERM) : text.normalize('NFKC').toLowerCase().match(TERM)) ?? [];

/** The terms of emoji in a text: an emoji is found by any of its names, and by its sign. */
const emojiTerms = (named: string): string[] => codesOfNamed(named).map(emojiTerm);

const emojiTerm = (code: string): string => `emoji${code.replaceAll('-', '')}`;

/** The term of a text that is one emoji, by name or sign; null for another text. */
function emojiAlone(text: string): string | null {
  const named = withEmojiNames(text.trim());
  const [term = null] = /^:[^:\s]+:$/.test(named) ? emojiTerms(named) : [];
  return term;
}

/** A term and its place in the text, in UTF-16 units: `from` included, `to` excluded. */
interface PlacedTerm {
  readonly term: string;
  readonly from: number;
  readonly to: number;
  /** The term of the emoji, if the term is a word of an emoji's name. */
  readonly emoji?: string;
}

/** The terms of a text with their places in the text as it was written. Words of an emoji's name have its whole place. */
export function termsIn(text: string): PlacedTerm[] {
  const terms: PlacedTerm[] = [];
  let at = 0;
  for (const { code, name, from, to } of emojiIn(text)) {
    terms.push(...wordsIn(text.slice(at, from), at));
    for (const term of termsOf(name)) terms.push({ term, from, to, emoji: emojiTerm(code) });
    at = to;
  }
  terms.push(...wordsIn(text.slice(at), at));
  return terms;
}

/** The terms of a text without emoji. @param start of the text in a longer one */
function wordsIn(text: string, start: number): PlacedTerm[] {
  const { folded, placeOf } = foldedWithPlaces(text);
  return [...folded.matchAll(TERM)].map(({ 0: term, index }) => {
    const [from] = placeOf(index);
    const [, to] = placeOf(index + term.length - 1);
    return { term, from: start + from, to: start + to };
  });
}

type Place = readonly [from: number, to: number];

/** Folds each visible character by itself, because folding may make it longer or shorter. */
function foldedWithPlaces(text: string): { folded: string; placeOf: (unit: number) => Place } {
  if (isAscii(text)) return { folded: text.toLowerCase(), placeOf: (unit) => [unit, unit + 1] };
  const places: Place[] = [];
  let folded = '';
  for (const { 0: piece, index: start } of text.matchAll(PIECE)) {
    for (const { segment, index } of CHARACTERS.segment(piece)) {
      const part = segment.normalize('NFKC').toLowerCase();
      const place: Place = [start + index, start + index + segment.length];
      for (let unit = 0; unit < part.length; unit++) places.push(place);
      folded += part;
    }
  }
  // Some letters are folded differently at the end of a word.
  const whole = text.normalize('NFKC').toLowerCase();
  return { folded: whole.length === folded.length ? whole : folded, placeOf: (unit) => places[unit] ?? [0, 0] };
}

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A segmenter's time grows with the square of the text's length. No piece ends within a composed character. */
const PIECE = /.{1,500}[\p{M}\u1100-\u11ff\u200d]*/gsu;

/** A search, in words and quoted phrases. */
export interface Search {
  readonly text: string;
  /**
   * The languages whose word forms it finds: every language that documents are in, the language of the search first.
   */
  readonly languages: readonly string[];
}

interface SearchedPhrase {
  readonly terms: readonly string[];
  /** These words are wanted, side by side; otherwise any form of the one word. */
  readonly isExact: boolean;
}

/**
 * The phrases of a search: each must occur somewhere. Quotes enclose a phrase (an unclosed quote reaches to the end).
 * Outside quotes each run without a space is a phrase, so that `東京` and `don't` are found as they are written; a run
 * of one word is found in any form of the word. Runs of stop words count for nothing, unless nothing else is searched
 * for. Empty for a search without terms.
 */
export function searchedPhrases({ text, languages: [language = DEFAULT_LANGUAGE] }: Search): SearchedPhrase[] {
  const phrases = text
    .split('"')
    .flatMap((part, place) => {
      const isQuoted = place % 2 === 1;
      return (isQuoted ? [part] : part.split(/\s+/)).map((run) => {
        const emoji = emojiAlone(run);
        return { terms: emoji === null ? tokenize(run) : [emoji], isQuoted: isQuoted && emoji === null };
      });
    })
    .filter(({ terms }) => terms.length > 0);
  const ignored = stopWords(language);
  if (phrases.length === 0) return plainSigns(text);
  const telling = phrases.filter(({ terms, isQuoted }) => isQuoted || !terms.every((term) => ignored.has(term)));
  return (telling.length > 0 ? telling : phrases).map(({ terms, isQuoted }) => ({
    terms,
    isExact: isQuoted || terms.length > 1,
  }));
}

/** A search for signs that are emoji only by the way they are shown, such as ❤: beside words, they count for nothing. */
const plainSigns = (text: string): SearchedPhrase[] =>
  text.split(/\s+/).flatMap((sign) => {
    const term = sign === '' ? null : emojiAlone(`${sign}\ufe0f`);
    return term === null ? [] : [{ terms: [term], isExact: false }];
  });

/** The terms of a language's words that say nothing. */
export function stopWords(language: string): ReadonlySet<string> {
  const known = stopWordsOf.get(language) ?? new Set(languageOf(language).stopWords.flatMap(tokenize));
  stopWordsOf.set(language, known);
  return known;
}

const stopWordsOf = new Map<string, ReadonlySet<string>>();

/** The terms of a text for an index: stems of the words, in order, and then its emoji. */
export function indexTerms(text: string, language: string): string[] {
  const named = withEmojiNames(text);
  return [...termsOf(named).map((term) => stemOf(term, language)), ...emojiTerms(named)];
}

/** The stems by which an index finds a phrase: one list for each way in which the languages differ. */
export function stemLists({ terms }: SearchedPhrase, { languages }: Search): string[][] {
  const lists = languages.map((language) => terms.map((term) => stemOf(term, language)));
  return [...new Map(lists.map((list) => [list.join(' '), list])).values()];
}

/** Whether a text may have the stems of a phrase without having the phrase. */
export const exceedsStems = ({ terms, isExact }: SearchedPhrase): boolean =>
  isExact && !terms.every((term) => UNSPACED_TERM.test(term));

/** A phrase, and the stems of its first word in every language. */
interface Wanted {
  readonly phrase: SearchedPhrase;
  readonly stems: readonly string[];
}

/** Cut once for a search, which is asked about many texts. */
const wanted = new WeakMap<Search, readonly Wanted[]>();

function wantedBy(search: Search): readonly Wanted[] {
  const known = wanted.get(search);
  if (known) return known;
  const cut = searchedPhrases(search).map((phrase) => ({
    phrase,
    stems: stemLists(phrase, search).map(([stem = '']) => stem),
  }));
  wanted.set(search, cut);
  return cut;
}

/** Some texts in one language, cut into terms when a question needs them. */
export class SearchedTexts {
  private exact: readonly string[] | null = null;
  private stems: readonly (readonly string[])[] | null = null;

  constructor(
    private readonly texts: () => readonly string[],
    private readonly language: string = DEFAULT_LANGUAGE,
  ) {}

  /** Answers as `$text` would, without an index. */
  meet(search: Search): boolean {
    const wanted = wantedBy(search);
    return wanted.length > 0 && wanted.every((one) => this.holds(one));
  }

  /** Whether the terms stand side by side in one of the texts. */
  holdsExactly(terms: readonly string[]): boolean {
    this.exact ??= this.texts().map((text) => ` ${tokenize(text).join(' ')} `);
    return this.exact.some((field) => field.includes(` ${terms.join(' ')} `));
  }

  private holds({ phrase, stems }: Wanted): boolean {
    if (phrase.isExact) return this.holdsExactly(phrase.terms);
    this.stems ??= this.texts().map((text) => indexTerms(text, this.language));
    return stems.some((stem) => this.stems?.some((terms) => terms.includes(stem)));
  }
}

const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}';

/** One character of a script without spaces, with its marks; or a run of all other letters, digits and marks. */
const TERM = new RegExp(`(?:(?=[${UNSPACED}])[\\p{L}\\p{N}]\\p{M}*)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');

/** A term of a script without spaces between words: it has no forms. */
const UNSPACED_TERM = new RegExp(`^[${UNSPACED}]`, 'u');

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

/** A tag or comment, with attributes quoted in any way, or unclosed; any other `<` is text. */
export const MARKUP = /<!--[\s\S]*?(?:-->|$)|<[/!?]?[a-z](?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^'">])*(?:>|$)/gi;

/** The picture of an emoji: its name is shown in its place. */
const EMOJI_PICTURE = /^<img alt="(:[^":]+:)" class="emoji"/;

/** The text that HTML shows, with emoji by their names. Markup separates words. */
export function visibleText(html: string): string {
  const hasPictures = html.includes('<img alt=":');
  const text = hasPictures
    ? html.replace(MARKUP, (tag) => ` ${EMOJI_PICTURE.exec(tag)?.[1] ?? ''} `)
    : html.replace(MARKUP, ' ');
  return text.includes('&') ? text.replace(ENTITY, (...groups: string[]) => characterOf(groups) ?? ' ') : text;
}
