import { searchedPhrases, termsIn } from '../../../platform/documents/tokenize.js';
import { characterOf, ENTITY } from '../../markdown/html-entity.js';

/** A range of a text, in UTF-16 units; `to` is excluded. */
type Span = readonly [from: number, to: number];

/** Greatest number of marks in one text: a mark is many times as long as a word. */
export const MOST_MARKS = 200;

const BEFORE = '<span class="highlight">';
const BEHIND = '</span>';

/** A tag or comment, with attributes quoted in any way, or unclosed; any other `<` is text. */
const MARKUP = /<!--[\s\S]*?(?:-->|$)|<[/!?]?[a-z](?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^'">])*(?:>|$)/gi;

/**
 * Marks the matches of a search in HTML: single words, and the words of a phrase where the phrase occurs. Inserts
 * nothing but the marks, and only around visible text: not in tags, nor inside an entity.
 *
 * @param search as `$text` takes it
 */
export function highlighted(html: string, search: string): string {
  const { text, origins } = visibleText(html);
  const marks: [from: number, to: number][] = [];
  for (const [from, to] of matches(text, search)) {
    const [start, end] = [origins[from]?.[0] ?? 0, origins[to - 1]?.[1] ?? 0];
    const last = marks.at(-1);
    // Adjacent characters that are words of their own share one mark.
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  }
  let out = '';
  let at = 0;
  for (const [from, to] of marks.slice(0, MOST_MARKS)) {
    out += html.slice(at, from) + BEFORE + html.slice(from, to) + BEHIND;
    at = to;
  }
  return out + html.slice(at);
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The visible text of HTML, and the range of the HTML that each of its UTF-16 units comes from. */
interface VisibleText {
  readonly text: string;
  readonly origins: readonly Span[];
}

/** The visible text; as in a message's text, markup separates words. */
function visibleText(html: string): VisibleText {
  let text = '';
  const origins: Span[] = [];
  const add = (units: string, originOf: (at: number) => Span): void => {
    for (let at = 0; at < units.length; at++) origins.push(originOf(at));
    text += units;
  };
  const addPlain = (from: number, to: number): void => add(html.slice(from, to), (at) => [from + at, from + at + 1]);
  const addText = (from: number, to: number): void => {
    let at = from;
    for (const entity of html.slice(from, to).matchAll(ENTITY)) {
      const start = from + entity.index;
      const end = start + entity[0].length;
      addPlain(at, start);
      add(characterOf(entity) ?? ' ', () => [start, end]);
      at = end;
    }
    addPlain(at, to);
  };
  let at = 0;
  for (const markup of html.matchAll(MARKUP)) {
    addText(at, markup.index);
    at = markup.index + markup[0].length;
    add(' ', () => [at, at]);
  }
  addText(at, html.length);
  return { text, origins };
}

/** The range of each matching word, in order. */
function matches(text: string, search: string): Span[] {
  const words = termsIn(text);
  const placesOf = new Map<string, number[]>();
  words.forEach(({ term }, place) => {
    const known = placesOf.get(term);
    if (known) known.push(place);
    else placesOf.set(term, [place]);
  });
  const places = new Set<number>();
  for (const phrase of searchedPhrases(search)) {
    for (const start of placesOf.get(phrase[0] ?? '') ?? []) {
      if (!phrase.every((term, offset) => words[start + offset]?.term === term)) continue;
      phrase.forEach((_, offset) => {
        places.add(start + offset);
      });
    }
  }
  return words.flatMap(({ from, to }, place): Span[] => (places.has(place) ? [[from, to]] : []));
}
