/**
 * The one tokenizer (D14), for documents and for searches: NFKC, lower case, then runs of letters, digits and the
 * marks that belong to them. Accents count: `e` and `é` are different letters.
 *
 * Scripts that are written without spaces have no words to cut at, so each of their characters is a term of its own,
 * and a run of them in a search is a phrase.
 */
export function tokenize(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(TERM) ?? [];
}

/** A term, and where in the text it stands: from one UTF-16 unit, and before another. */
export interface PlacedTerm {
  readonly term: string;
  readonly from: number;
  readonly to: number;
}

/** The terms of a text with their places in it as it was written. */
export function termsIn(text: string): PlacedTerm[] {
  const { folded, placeOf } = foldedWithPlaces(text);
  return [...folded.matchAll(TERM)].map(({ 0: term, index }) => {
    const [from] = placeOf(index);
    const [, to] = placeOf(index + term.length - 1);
    return { term, from, to };
  });
}

type Place = readonly [from: number, to: number];

/** What a character is folded to may be longer or shorter; what one sees as a character is folded by itself. */
function foldedWithPlaces(text: string): { folded: string; placeOf: (unit: number) => Place } {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\u0000-\u007f]*$/.test(text)) return { folded: text.toLowerCase(), placeOf: (unit) => [unit, unit + 1] };
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
  // Some letters are folded otherwise at the end of a word.
  const whole = text.normalize('NFKC').toLowerCase();
  return { folded: whole.length === folded.length ? whole : folded, placeOf: (unit) => places[unit] ?? [0, 0] };
}

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A segmenter takes time by the square of what it is given. No piece ends between what is composed into one character. */
const PIECE = /.{1,500}[\p{M}\u1100-\u11ff\u200d]*/gsu;

/**
 * What `$search` asks for: sequences of terms, each of which must occur somewhere, its terms side by side. Quotes make
 * one sequence of all that is between them (an unclosed quote reaches to the end); elsewhere each run without a space
 * is one, so that `東京` and `don't` are found as they are written. Empty where the search holds no term.
 */
export function searchedPhrases(search: string): string[][] {
  const parts = search.split('"');
  return parts
    .flatMap((part, place) => (place % 2 === 1 ? [part] : part.split(/\s+/)))
    .map(tokenize)
    .filter((terms) => terms.length > 0);
}

/** Whether one of some texts has what `$text` would find it by: the same answers without an index. */
export function finderIn(texts: readonly (string | null | undefined)[]): (search: string) => boolean {
  const fields = texts.map((text) => ` ${tokenize(text ?? '').join(' ')} `);
  const holds = (terms: readonly string[]): boolean => fields.some((field) => field.includes(` ${terms.join(' ')} `));
  return (search) => {
    const phrases = searchedPhrases(search);
    return phrases.length > 0 && phrases.every(holds);
  };
}

const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}';

/** One unspaced character with its marks, or a run of everything else that a word is made of. */
const TERM = new RegExp(`(?:(?=[${UNSPACED}])[\\p{L}\\p{N}]\\p{M}*)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
