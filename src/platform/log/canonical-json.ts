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
  let members = '';
  for (const name of Object.keys(value).sort()) {
    members += `${members && ','}${JSON.stringify(name)}:${canonicalJson(value[name] as Json)}`;
  }
  return `{${members}}`;
}
