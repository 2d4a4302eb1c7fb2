/**
 * A field's value as indexes hold it, in MongoDB's order: null and missing, then numbers, then strings, then booleans.
 * SQLite's columns store it as it is. They have NUMERIC affinity, which keeps whole numbers short; the letter in front
 * of a text keeps SQLite from reading "12" as a number.
 */
export type IndexValue = number | string;

/** Stands for null and missing alike, below every number that JSON can hold. */
export const NULL_VALUE = Number.NEGATIVE_INFINITY;

/** undefined for a value that no index can hold: an object, an array, a number that JSON cannot hold. */
export function encodeIndexValue(value: unknown): IndexValue | undefined {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? value : undefined;
    case 'string':
      return `s${escapeText(value)}`;
    case 'boolean':
      return value ? 't1' : 't0';
    case 'undefined':
      return NULL_VALUE;
    default:
      return value === null ? NULL_VALUE : undefined;
  }
}

/** Reverses `encodeIndexValue`, but for NULL_VALUE: only the document tells null from missing. */
export function decodeIndexValue(value: IndexValue): number | string | boolean {
  if (typeof value === 'number') return value;
  return value.startsWith('s') ? unescapeText(value.slice(1)) : value === 't1';
}

/** Compares in SQLite's order, which compares texts as UTF-8. */
export function compareIndexValues(a: IndexValue, b: IndexValue): number {
  if (a === b) return 0;
  if (typeof a === 'number') return typeof b === 'number' ? (a < b ? -1 : 1) : -1;
  if (typeof b === 'number') return 1;
  return compareCodePoints(a, b);
}

export interface Bound {
  readonly value: IndexValue;
  readonly inclusive: boolean;
}

/** All values of the value's type: `$gt` and `$lt` compare within a type. */
export function typeInterval(value: IndexValue): { readonly low: Bound; readonly high: Bound } {
  const [from, to] = typeof value === 'number' ? [NULL_VALUE, 's'] : value.startsWith('s') ? ['s', 't'] : ['t', 'u'];
  return { low: { value: from, inclusive: from === 's' }, high: { value: to, inclusive: false } };
}

/** The binding cuts texts at U+0000 when it reads: U+0000 is stored as two other characters, in the same order. */
function escapeText(text: string): string {
  return CONTROL.test(text) ? text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001') : text;
}

function unescapeText(text: string): string {
  if (!text.includes('\u0001')) return text;
  return text.replaceAll(ESCAPED, (pair) => (pair.endsWith('\u0001') ? '\u0000' : '\u0001'));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these two are what is escaped
const CONTROL = /[\u0000\u0001]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these two are what is escaped
const ESCAPED = /\u0001[\u0001\u0002]/g;

function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    let left = a.charCodeAt(at);
    let right = b.charCodeAt(at);
    if (left === right) continue;
    // Surrogates stand for characters beyond U+FFFF, which come after U+E000 to U+FFFF.
    if (left >= 0xd800 && right >= 0xd800) {
      left = left >= 0xe000 ? left - 0x800 : left + 0x2000;
      right = right >= 0xe000 ? right - 0x800 : right + 0x2000;
    }
    return left - right;
  }
  return a.length - b.length;
}
