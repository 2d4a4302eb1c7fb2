import { gemoji } from 'gemoji';
import unicodeEmoji from 'unicode-emoji-json/data-by-emoji.json' with { type: 'json' };
import type { Emoji, ReactionType } from '../../events/messages/message.events.js';
import { refuse } from '../../platform/kernel/deciding.js';
import { EMOJI_TABLE } from './emoji-table.js';

/** An emoji as a client names it: by name, and by code if the client knows it. */
export interface NamedEmoji {
  readonly name: string | null;
  readonly code: string | null;
  readonly type: ReactionType | null;
}

/** The organization's own emoji that a name or an id stands for. */
export interface CustomEmojiFacts {
  activeNamed(name: string): { readonly id: number; readonly name: string } | undefined;
  withId(id: number): { readonly id: number; readonly name: string; readonly isActive: boolean } | undefined;
}

export const NO_CUSTOM_EMOJI: CustomEmojiFacts = { activeNamed: () => undefined, withId: () => undefined };

/** The emoji that is neither in Unicode nor an organization's own. */
const ZULIP: Emoji = { emojiName: 'zulip', emojiCode: 'zulip', reactionType: 'zulip_extra_emoji' };

const NAME = /^[0-9a-z+_-]{1,100}$/;

/** Code points, hexadecimal, joined by hyphens; the variation selector for pictures is left out. */
const codeOf = (characters: string): string =>
  [...characters]
    .map((character) => character.codePointAt(0) as number)
    .filter((point) => point !== 0xfe0f)
    .map((point) => point.toString(16).padStart(4, '0'))
    .join('-');

/** A name made of Unicode's description. */
const slugOf = (description: string): string =>
  description
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^0-9a-z]+/g, '_')
    .replace(/^_+|_+$/g, '');

type Name = readonly [code: string, name: string];

const described = gemoji.map(({ emoji, description }): Name => [codeOf(emoji), slugOf(description)]);

const codesOfGemoji = new Set(described.map(([code]) => code));

/** Emoji that are newer than Unicode 14, where gemoji ends. */
const newer = Object.entries(unicodeEmoji)
  .map(([emoji, { name }]): Name => [codeOf(emoji), slugOf(name)])
  .filter(([code]) => !codesOfGemoji.has(code));

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
  ...gemoji.flatMap(({ emoji, names }) => names.map((name): [string, string] => [name, codeOf(emoji)])),
  ...described.map(([code, name]): [string, string] => [name, code]),
  ...MORE_NAMES,
  ...table.flatMap(([code, names]) => names.map((name): [string, string] => [name, code])),
]);

/** Tells whether every organization has an emoji of the name. */
export const isBuiltIn = (name: string): boolean => codesByName.has(name) || name === ZULIP.emojiName;

export const emojiCodeOf = (name: string): string | undefined => codesByName.get(name);

/** The code of an emoji's characters in a text. */
export const codeOfSign = codeOf;

export const shownNameOf = (code: string): string | undefined => shownNames.get(code);

/**
 * The emoji that a client means. Lists differ in names, so a client that gives a code may use any valid name. Refuses
 * with EMOJI_UNKNOWN, EMOJI_CODE_INVALID, EMOJI_NAME_INVALID, EMOJI_DEACTIVATED. An organization's own emoji comes first
 * among those of a name.
 */
export function emojiNamed(
  { name, code, type }: NamedEmoji & { readonly name: string },
  custom: CustomEmojiFacts = NO_CUSTOM_EMOJI,
): Emoji {
  if (code === null) {
    const own = (type ?? 'realm_emoji') === 'realm_emoji' ? custom.activeNamed(name) : undefined;
    if (own) return { emojiName: own.name, emojiCode: String(own.id), reactionType: 'realm_emoji' };
    if (name === ZULIP.emojiName && (type ?? ZULIP.reactionType) === ZULIP.reactionType) return ZULIP;
    const known = (type ?? 'unicode_emoji') === 'unicode_emoji' ? codesByName.get(name) : undefined;
    if (known === undefined) return refuse('EMOJI_UNKNOWN', { name });
    return { emojiName: name, emojiCode: known, reactionType: 'unicode_emoji' };
  }
  const reactionType = type ?? 'unicode_emoji';
  if (reactionType === 'realm_emoji') {
    const own = /^[1-9]\d{0,14}$/.test(code) ? custom.withId(Number(code)) : undefined;
    if (!own) return refuse('EMOJI_UNKNOWN', { name });
    if (own.name !== name) refuse('EMOJI_NAME_INVALID');
    if (!own.isActive) refuse('EMOJI_DEACTIVATED');
    return { emojiName: name, emojiCode: code, reactionType };
  }
  const isKnown = reactionType === 'unicode_emoji' ? shownNames.has(code) : code === ZULIP.emojiCode;
  if (!isKnown) refuse('EMOJI_CODE_INVALID');
  if (reactionType === ZULIP.reactionType ? name !== ZULIP.emojiName : !NAME.test(name)) refuse('EMOJI_NAME_INVALID');
  return { emojiName: name, emojiCode: code, reactionType };
}
