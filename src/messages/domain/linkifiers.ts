import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';
import { RE2JS } from 're2js';
import type { Linkifier } from '../../organization/domain/organization.settings.js';

/** A place in a text where a linkifier has found something. */
export interface Linked {
  readonly from: number;
  readonly found: string;
  readonly url: string;
}

/** Patterns that begin and end where words do; `\s` alone would leave out white space beyond ASCII. */
const atWords = (pattern: string): string => `(^|[\\s\\x{85}\\pZ'"(,:<])(${pattern})($|[^\\pL\\pN])`;

/** Behind the group that is the match, a pattern's own groups follow. */
const FOUND = 2;

/**
 * Characters of the text and of URLs. Before a pattern says where it ends it may have looked at all that follows, each
 * time: a long text in which one matches hundreds of times is linked in its first part.
 */
const MOST_LOOKED_AT = 2_000_000;

const compiled = new WeakMap<Linkifier, RE2JS>();

function patternOf(linkifier: Linkifier): RE2JS {
  const known = compiled.get(linkifier) ?? RE2JS.compile(atWords(linkifier.pattern));
  compiled.set(linkifier, known);
  return known;
}

/** All that a linkifier finds in a text, in time that grows with the text alone and has an end. */
export function* matchesOf(linkifier: Linkifier, text: string): Iterable<Linked> {
  const pattern = patternOf(linkifier);
  const names = Object.keys(pattern.namedGroups());
  const matcher = pattern.matcher(text);
  let left = MOST_LOOKED_AT;
  for (let at = 0; at <= text.length && left >= 0 && matcher.find(at); ) {
    left -= text.length - at + linkifier.urlTemplate.length;
    const [from, to] = [matcher.start(FOUND), matcher.end(FOUND)];
    const values = Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? '']));
    yield { from, found: text.slice(from, to), url: StdUriTemplate.expand(linkifier.urlTemplate, values) };
    // What stands behind one may stand before the next.
    at = Math.max(to, at + 1);
  }
}
