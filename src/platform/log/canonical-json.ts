import type { Json } from '../kernel/json.js';

/**
 * Writes JSON as RFC 8785 does: equal values give equal texts, whatever the order of their names. Names are sorted by
 * their UTF-16 code units; numbers and strings are as ECMAScript writes them.
 *
 * It takes more than the RFC, which refuses half a surrogate pair: a log may hold one in a name, and must be checkable
 * all the same. Half a pair is written as its escape, `\ud800`, as JSON.stringify does.
 *
 * @throws TypeError for a number that JSON cannot hold
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`JSON has no number ${value}`);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  let text = '';
  for (const name of sorted(Object.keys(value)))
    text += `${text === '' ? '{' : ','}${quoted(name)}:${canonicalJson(value[name] as Json)}`;
  return text === '' ? '{}' : `${text}}`;
}

/** Sorts in place. Most names are in order already. */
function sorted(names: string[]): string[] {
  for (let at = 1; at < names.length; at++) if ((names[at - 1] ?? '') > (names[at] ?? '')) return names.sort();
  return names;
}

/** A log has few different names, and many of each. */
const MOST_REMEMBERED = 1000;
const remembered = new Map<string, string>();

function quoted(name: string): string {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (remembered.size < MOST_REMEMBERED) remembered.set(name, text);
  return text;
}
