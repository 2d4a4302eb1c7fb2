import { searchedPhrases, termsIn } from '../../document-store/tokenize.js';
import { characterOf, ENTITY } from './html-entity.js';

/** Where something stands in a text: from, and to before which. */
type Span = readonly [from: number, to: number];

const BEFORE = '<span class="highlight">';
const BEHIND = '</span>';

/** A tag or comment, however its attributes are quoted, and though nothing closes it; any other `<` is text. */
const MARKUP = /<!--[\s\S]*?(?:-->|$)|<[/!?]?[a-z](?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^'">])*(?:>|$)/gi;

/**
 * HTML with what a search finds in it marked: each of its words, those of a phrase where the phrase stands. Nothing but
 * the marks comes in, and only around what readers see: not into tags, nor through the middle of an entity.
 *
 * @param search as `$text` takes it
 */
export function highlighted(html: string, search: string): string {
  const { text, origins } = shown(html);
  const marks: [from: number, to: number][] = [];
  for (const [from, to] of found(text, search)) {
    const [start, end] = [origins[from]?.[0] ?? 0, origins[to - 1]?.[1] ?? 0];
    const last = marks.at(-1);
    // Characters that are words of their own make one mark where they stand side by side.
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  }
  let out = '';
  let at = 0;
  for (const [from, to] of marks) {
    out += html.slice(at, from) + BEFORE + html.slice(from, to) + BEHIND;
    at = to;
  }
  return out + html.slice(at);
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** What readers see of HTML, and where in it each of its UTF-16 units comes from. */
interface Shown {
  readonly text: string;
  readonly origins: readonly Span[];
}

/** As in what people write, markup stands between words. */
function shown(html: string): Shown {
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

/** Of each word that is found, in order. */
function found(text: string, search: string): Span[] {
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
