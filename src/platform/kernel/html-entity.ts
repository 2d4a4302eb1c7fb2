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
