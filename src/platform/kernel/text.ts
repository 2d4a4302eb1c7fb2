/** The text, cut to `limit` code points, of which the last are `mark`. A text that is no longer stays as it is. */
export function shortened(text: string, limit: number, mark: string): string {
  if (text.length <= limit) return text;
  const characters = [...text];
  return characters.length <= limit ? text : characters.slice(0, limit - mark.length).join('') + mark;
}

/** The first `most` code points of a longer text, with a sign behind them that it goes on. */
export function beginningOf(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most).join('')}…`;
}

/** Whether the text has more code points than `limit`. Counts them only if it has more UTF-16 units than that. */
export function longerThan(text: string, limit: number): boolean {
  return text.length > limit && [...text].length > limit;
}

/** The key by which names are compared: equal for names that differ only in case or in Unicode composition. */
export function foldCase(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Whether a text has nothing but ASCII: it needs no normalization, and its letters have simple cases. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
export const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);

/** Whether the text shows nothing: only spaces, and characters that join, separate or direct others. */
export const isBlank = (text: string): boolean =>
  !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u.test(text);

/** Matches characters by number, and by the names of HTML's own characters. */
export const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** The character of an entity; null if there is none, or if it is a control character or surrogate. */
export function characterOf([, decimal, hex, name]: readonly (string | undefined)[]): string | null {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? null;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  if (code > 0x10ffff) return null;
  const character = String.fromCodePoint(code);
  return /[\p{Cc}\p{Surrogate}]/u.test(character) ? null : character;
}

/** The text without the escapes of a URL; the text itself if they are malformed. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
