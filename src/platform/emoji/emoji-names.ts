import { gemoji } from 'gemoji';
import unicodeEmoji from 'unicode-emoji-json/data-by-emoji.json' with { type: 'json' };
import { isAscii } from '../kernel/text.js';
import { EMOJI_TABLE } from './emoji-table.js';

/** Code points, hexadecimal, joined by hyphens; the variation selector for pictures is left out. */
function codeOf(characters: string): string {
  let code = '';
  for (const character of characters) {
    const point = character.codePointAt(0) ?? 0;
    if (point !== 0xfe0f) code += `${code && '-'}${point.toString(16).padStart(4, '0')}`;
  }
  return code;
}

/** A name made of Unicode's description. Nearly all descriptions are ASCII, which a start need not take apart. */
const slugOf = (description: string): string =>
  (isAscii(description) ? description : description.normalize('NFD').replace(/\p{M}/gu, ''))
    .toLowerCase()
    .replace(/[^0-9a-z]+/g, '_')
    .replace(/^_|_$/g, '');

type Name = readonly [code: string, name: string];

const ofGemoji = gemoji.map(({ emoji, description, names }) => ({
  code: codeOf(emoji),
  name: slugOf(description),
  names,
}));
const described = ofGemoji.map(({ code, name }): Name => [code, name]);

const codesOfGemoji = new Set(described.map(([code]) => code));

/** The version of Unicode whose emoji the API's clients know. Newer ones stay text. */
const NEWEST = 15;

/** Emoji that are newer than Unicode 14, where gemoji ends. */
const newer = Object.entries(unicodeEmoji)
  .filter(([, { emoji_version }]) => Number(emoji_version) <= NEWEST)
  .map(([emoji, { name }]): Name => [codeOf(emoji), name])
  .filter(([code]) => !codesOfGemoji.has(code))
  .map(([code, name]): Name => [code, slugOf(name)]);

/** Single characters among them: a runtime may not know yet that they are emoji. */
export const newerCharacters = newer
  .filter(([code]) => !code.includes('-'))
  .map(([code]) => String.fromCodePoint(Number.parseInt(code, 16)))
  .join('');

/** Names that differ from Unicode's and are missing in the table. */
const MORE_NAMES: readonly (readonly [name: string, code: string])[] = [
  ['gold', '1f947'],
  ['silver', '1f948'],
  ['bronze', '1f949'],
  ['kiwi', '1f95d'],
];

const table = EMOJI_TABLE.trim()
  .split(/\s+/)
  .map((row): readonly [code: string, names: readonly string[]] => {
    const [code = '', names = ''] = row.split('=');
    return [code, names.split(',')];
  });

/** The name that clients show, by code. Later rows win. */
const shownNames: ReadonlyMap<string, string> = new Map([
  ...newer,
  ...described,
  ...MORE_NAMES.map(([name, code]): [string, string] => [code, name]),
  ...table.map(([code, [name = '']]): [string, string] => [code, name]),
]);

const codesByName: ReadonlyMap<string, string> = new Map([
  ...newer.map(([code, name]): [string, string] => [name, code]),
  ...ofGemoji.flatMap(({ code, names }) => names.map((name): [string, string] => [name, code])),
  ...described.map(([code, name]): [string, string] => [name, code]),
  ...MORE_NAMES,
  ...table.flatMap(([code, names]) => names.map((name): [string, string] => [name, code])),
]);

export const emojiCodeOf = (name: string): string | undefined => codesByName.get(name);

/** The code of an emoji's characters in a text. */
export const codeOfSign = codeOf;

export const shownNameOf = (code: string): string | undefined => shownNames.get(code);

/** All names by code, the one that clients show first. */
export function namesByCode(): ReadonlyMap<string, readonly string[]> {
  const names = new Map([...shownNames].map(([code, name]): [string, string[]] => [code, [name]]));
  for (const [name, code] of codesByName) {
    const known = names.get(code) ?? [];
    if (!known.includes(name)) names.set(code, [...known, name]);
  }
  return names;
}
