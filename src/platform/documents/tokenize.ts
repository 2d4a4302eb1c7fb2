/**
 * Cuts a text into terms, in documents and in searches alike (D14): NFKC, lower case, then runs of letters, digits and
 * the marks that belong to them. Accents count: `e` and `é` are different letters.
 *
 * Scripts without spaces between words have one term a character. A run of such characters in a search is a phrase.
 */
export function tokenize(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(TERM) ?? [];
}

/** A term and its place in the text, in UTF-16 units: `from` included, `to` excluded. */
export interface PlacedTerm {
  readonly term: string;
  readonly from: number;
  readonly to: number;
}

/** The terms of a text with their places in the text as it was written. */
export function termsIn(text: string): PlacedTerm[] {
  const { folded, placeOf } = foldedWithPlaces(text);
  return [...folded.matchAll(TERM)].map(({ 0: term, index }) => {
    const [from] = placeOf(index);
    const [, to] = placeOf(index + term.length - 1);
    return { term, from, to };
  });
}

type Place = readonly [from: number, to: number];

/** Folds each visible character by itself, because folding may make it longer or shorter. */
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
  // Some letters are folded differently at the end of a word.
  const whole = text.normalize('NFKC').toLowerCase();
  return { folded: whole.length === folded.length ? whole : folded, placeOf: (unit) => places[unit] ?? [0, 0] };
}

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A segmenter's time grows with the square of the text's length. No piece ends within a composed character. */
const PIECE = /.{1,500}[\p{M}\u1100-\u11ff\u200d]*/gsu;

/**
 * The phrases of a `$search`: each must occur somewhere, its terms side by side. Quotes enclose a phrase (an unclosed
 * quote reaches to the end). Outside quotes each run without a space is a phrase, so that `東京` and `don't` are found as
 * they are written. Empty for a search without terms.
 */
export function searchedPhrases(search: string): string[][] {
  const parts = search.split('"');
  return parts
    .flatMap((part, place) => (place % 2 === 1 ? [part] : part.split(/\s+/)))
    .map(tokenize)
    .filter((terms) => terms.length > 0);
}

/** Answers searches as `$text` would, among some texts and without an index. */
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

/** One character of a script without spaces, with its marks; or a run of all other letters, digits and marks. */
const TERM = new RegExp(`(?:(?=[${UNSPACED}])[\\p{L}\\p{N}]\\p{M}*)|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, 'gu');
