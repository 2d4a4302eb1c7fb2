import {
  MARKUP,
  type Search,
  searchedPhrases,
  stemLists,
  stemOf,
  termsIn,
} from '../../../platform/documents/tokenize.js';
import { characterOf, ENTITY } from '../../../platform/kernel/text.js';

/** A range of a text, in UTF-16 units; `to` is excluded. */
type Span = readonly [from: number, to: number];

/** Greatest number of marks in one text: a mark is many times as long as a word. */
export const MOST_MARKS = 200;

const BEFORE = '<span class="highlight">';
const BEHIND = '</span>';
/** The start of an element that shows an emoji. */
const EMOJI = /^<span [^>]*class="emoji /;

/**
 * Marks the matches of a search in HTML: single words in the form that stands there, and the words of a phrase where the
 * phrase occurs. Inserts nothing but the marks, and only around visible text: not in tags, nor inside an entity.
 *
 * @param language of the text
 */
export function highlighted(html: string, search: Search, language?: string): string {
  const { text, origins } = visibleText(html);
  const marks: [from: number, to: number][] = [];
  for (const [from, to] of matches(text, search, language)) {
    const [start, end] = [origins[from]?.[0] ?? 0, origins[to - 1]?.[1] ?? 0];
    if (start === end) continue;
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
  let isEmoji = false;
  for (const markup of html.matchAll(MARKUP)) {
    const start = at;
    // The name in an emoji's element is shown as a picture: it is not marked.
    if (isEmoji) add(html.slice(at, markup.index), () => [start, start]);
    else addText(at, markup.index);
    isEmoji = EMOJI.test(markup[0]);
    at = markup.index + markup[0].length;
    add(' ', () => [at, at]);
  }
  addText(at, html.length);
  return { text, origins };
}

/** The range of each matching word, in order. */
function matches(text: string, search: Search, language: string | undefined): Span[] {
  const words = termsIn(text);
  const placesOf = new Map<string, number[]>();
  words.forEach(({ term, emoji }, place) => {
    for (const found of emoji === undefined ? [term] : [term, emoji]) {
      const known = placesOf.get(found);
      if (known) known.push(place);
      else placesOf.set(found, [place]);
    }
  });
  const places = new Set<number>();
  const stems = new Set<string>();
  for (const phrase of searchedPhrases(search)) {
    if (!phrase.isExact) for (const stem of stemLists(phrase, search).flat()) stems.add(stem);
    const terms = phrase.isExact ? phrase.terms : [];
    for (const start of placesOf.get(terms[0] ?? '') ?? []) {
      if (!terms.every((term, offset) => words[start + offset]?.term === term)) continue;
      terms.forEach((_, offset) => {
        places.add(start + offset);
      });
    }
  }
  for (const [term, at] of placesOf) if (stems.has(stemOf(term, language))) for (const place of at) places.add(place);
  return words.flatMap(({ from, to }, place): Span[] => (places.has(place) ? [[from, to]] : []));
}
