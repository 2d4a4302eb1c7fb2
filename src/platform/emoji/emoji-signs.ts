import { codeOfSign, emojiCodeOf, newerCharacters, shownNameOf } from './emoji-names.js';

/** `:name:`, whether or not there is an emoji of the name. */
export const NAMED_EMOJI = /:([\p{L}\p{N}_+-]+):/gu;

/** A character with its color, its form or its flag. `\p{Emoji}` has what the runtime knows of Unicode. */
const ONE = `(?:\\p{Emoji}|[${newerCharacters}])(?:\\p{EMod}|\\ufe0f\\u20e3?|[\\u{e0020}-\\u{e007e}]+\\u{e007f})?`;

/** Characters that may be an emoji: `emojiOfSign` decides. */
export const SIGN = new RegExp(`\\p{RI}\\p{RI}|${ONE}(?:\\u200d(?:\\p{RI}\\p{RI}|${ONE}))*`, 'gu');

/** Arrows, digits and similar characters are text, unless a variation selector asks for a picture. */
const IS_TEXT = new RegExp(`^(?![${newerCharacters}])\\P{Emoji_Presentation}\\u20e3?$`, 'u');

/** A text without such a character has no sign that is an emoji. */
const MAY_BE_SIGN = new RegExp(`[\\p{Emoji_Presentation}\\ufe0f${newerCharacters}]`, 'u');

interface UnicodeEmoji {
  readonly code: string;
  /** The name that clients show. */
  readonly name: string;
}

/** The emoji of a character, or of several that form one; null for text. */
export function emojiOfSign(sign: string): UnicodeEmoji | null {
  if (IS_TEXT.test(sign)) return null;
  const code = codeOfSign(sign);
  const name = shownNameOf(code);
  return name === undefined ? null : { code, name };
}

/** Emoji without a name of their own have the name without the color. */
const namedEmojiOf = (sign: string): UnicodeEmoji | null =>
  emojiOfSign(sign) ?? emojiOfSign(sign.replace(/\p{EMod}/gu, ''));

/** A text with `:name:` in the place of emoji. */
export function withEmojiNames(text: string): string {
  if (!MAY_BE_SIGN.test(text)) return text;
  return text.replace(SIGN, (sign) => {
    const emoji = namedEmojiOf(sign);
    return emoji ? `:${emoji.name}:` : sign;
  });
}

/** An emoji and its place in a text, in UTF-16 units: `from` included, `to` excluded. */
interface PlacedEmoji extends UnicodeEmoji {
  readonly from: number;
  readonly to: number;
}

/** The emoji of a text, by sign and by name, in order. */
export function emojiIn(text: string): PlacedEmoji[] {
  const found: PlacedEmoji[] = [];
  const signs = MAY_BE_SIGN.test(text) ? text.matchAll(SIGN) : [];
  for (const { 0: sign, index: from } of signs) {
    const emoji = namedEmojiOf(sign);
    if (emoji) found.push({ ...emoji, from, to: from + sign.length });
  }
  const names = text.includes(':') ? text.matchAll(NAMED_EMOJI) : [];
  for (const { 0: named, 1: name = '', index: from } of names) {
    const code = emojiCodeOf(name);
    if (code !== undefined) found.push({ code, name, from, to: from + named.length });
  }
  return found.sort((one, other) => one.from - other.from);
}

/** Codes of the emoji that a text has by name, each once. */
export function codesOfNamed(text: string): string[] {
  if (!text.includes(':')) return [];
  const codes = [...text.matchAll(NAMED_EMOJI)].flatMap(([, name = '']) => emojiCodeOf(name) ?? []);
  return [...new Set(codes)];
}
