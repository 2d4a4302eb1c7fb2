import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';
import { RE2JS } from 're2js';
import type { Linkifier } from '../../events/organization/organization.settings.js';

/** A match of a linkifier in a text. */
interface Linked {
  readonly from: number;
  readonly found: string;
  readonly url: string;
}

/** Makes a pattern match whole words; `\s` alone would miss white space beyond ASCII. */
const atWords = (pattern: string): string => `(^|[\\s\\x{85}\\pZ'"(,:<])(${pattern})($|[^\\pL\\pN])`;

/** The group that is the match; the pattern's own groups follow it. */
const FOUND = 2;

/**
 * Greatest number of characters of text and URLs that a linkifier reads. Each match may read all the text that follows:
 * a long text with hundreds of matches is linked in its first part only.
 */
const MOST_READ = 2_000_000;

const compiled = new WeakMap<Linkifier, RE2JS>();

function patternOf(linkifier: Linkifier): RE2JS {
  const known = compiled.get(linkifier) ?? RE2JS.compile(atWords(linkifier.pattern));
  compiled.set(linkifier, known);
  return known;
}

/** All matches of a linkifier in a text, in bounded time that grows with the text alone. */
export function* matchesOf(linkifier: Linkifier, text: string): Iterable<Linked> {
  const pattern = patternOf(linkifier);
  const names = Object.keys(pattern.namedGroups());
  const matcher = pattern.matcher(text);
  let left = MOST_READ;
  for (let at = 0; at <= text.length && left >= 0 && matcher.find(at); ) {
    left -= text.length - at + linkifier.urlTemplate.length;
    const [from, to] = [matcher.start(FOUND), matcher.end(FOUND)];
    const values = Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? '']));
    yield { from, found: text.slice(from, to), url: StdUriTemplate.expand(linkifier.urlTemplate, values) };
    // The character after a match may stand before the next one.
    at = Math.max(to, at + 1);
  }
}
