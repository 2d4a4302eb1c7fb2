import type { Json } from '../kernel/json.js';

/**
 * Writes JSON as RFC 8785 does: equal values give equal texts, whatever the order of their names. Names are sorted by
 * their UTF-16 code units; numbers and strings are as ECMAScript writes them.
 *
 * It takes more than the RFC, which refuses half a surrogate pair: a log may hold one in a name, and must be checkable all
 * the same. Half a pair is written as its escape, `\ud800`, as JSON.stringify does. It also leaves out what JSON.stringify
 * does: names without a value.
 *
 * @throws TypeError for a number that JSON cannot hold
 */
export const canonicalJson = (value: Json): string =>
  isInOrder(value) ? JSON.stringify(value) : writtenInOrder(value);

/** Tells that JSON.stringify writes it canonically: names are in order, and so it is with what a log has as it was written. */
function isInOrder(value: Json | undefined): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let last = '';
  for (const name in value) {
    if (name < last || !isInOrder(value[name])) return false;
    last = name;
  }
  return true;
}

function writtenInOrder(value: Json): string {
  if (typeof value === 'string') return isPlain(value) ? `"${value}"` : JSON.stringify(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`JSON has no number ${value}`);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(writtenInOrder).join()}]`;
  let text = '';
  for (const name of sorted(Object.keys(value))) {
    const inner = value[name];
    if (inner !== undefined) text += `${text === '' ? '{' : ','}${quoted(name)}:${writtenInOrder(inner)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Tells that a text is written as it is. Of a long one, JSON.stringify finds that sooner. */
const isPlain = (text: string): boolean => text.length < 64 && /^[ !#-[\]-~]*$/.test(text);

const FEW = 16;

/** Sorts in place. A few names, most of which are in order, are sorted sooner by hand. */
function sorted(names: string[]): string[] {
  if (names.length > FEW) return names.sort();
  for (let at = 1; at < names.length; at++) {
    const name = names[at] ?? '';
    let place = at;
    for (let before = names[place - 1]; before !== undefined && before > name; before = names[place - 1]) {
      names[place] = before;
      place -= 1;
    }
    names[place] = name;
  }
  return names;
}

/** A log has few different names, and many of each. */
const MOST_REMEMBERED = 1000;
const remembered = new Map<string, string>();

/** Writes a name, of a field or of a type. */
function quoted(name: string): string {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (remembered.size < MOST_REMEMBERED) remembered.set(name, text);
  return text;
}
