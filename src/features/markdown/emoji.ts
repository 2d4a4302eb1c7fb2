import type { Emoji, ReactionType } from '../../events/messages/message.events.js';
import { emojiCodeOf, namesByCode, shownNameOf } from '../../platform/emoji/emoji-names.js';
import { emojiOfSign, NAMED_EMOJI, SIGN } from '../../platform/emoji/emoji-signs.js';
import { refuse } from '../../platform/kernel/deciding.js';
import { sha256Of } from '../../platform/kernel/sha256.js';
import { type InlineRule, replaced } from './rule.js';
import { type Element, element } from './tree.js';

/** The names of all emoji by code, as clients fetch them (`server_emoji_data_url` of the register response). */
export const EMOJI_DATA = JSON.stringify({ code_to_names: Object.fromEntries(namesByCode()) });

/** Other data have another path, so that clients may keep what they have. */
export const EMOJI_DATA_PATH = `static/generated/emoji/emoji_api.${sha256Of(EMOJI_DATA).slice(0, 12)}.json`;

/** Path of the picture that `:zulip:` shows: clients name it, too. */
export const ZULIP_EMOJI_PATH = 'static/generated/emoji/images/emoji/unicode/zulip.png';

const BASE64 = [
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABABAMAAABYR2ztAAAAMFBMVEVMaXFabtZabtZPZeVab9ZabtZab9Vab9VabtZabtZabtZabtZcb9Rbb9b/',
  '//+tt+sb6lC2AAAADXRSTlMA8swEXzkjT5rdfcYPziqD6AAAAAlwSFlzAAALEwAACxMBAJqcGAAAAXBJREFUSMeVlb9KA0EQxjfRmD9GsBGrqwRB',
  'ISDiAwSshfgG6UXQ3sJaCIitCGIliGCrELCzPgkSPUafQH0CxTHsXW5vZ79Jvu6YH9/ezszOGDONnq7Xovjs5CgQnrsiq/WuFN/qU6ZkW4hfUE6v',
  'HlFpkaPnjhuf6VFBww0H2CNPq84BkQ/E+UMOSdDyOF4lUQcZsCsDS1kKIxmI04RuUkArFuiFgKG9IwXVwSekZ+yEgcGoDLaM7185fdqi/hdklsIA',
  'tRmYR8AdA/sIeGHgFgFvDLQQkBjTLF7tNw/Qo1fqj5HDz7jkDcngO/u8NDVoQMemDA04EXVoQKemBA1o0SxAgyLgGTBQggYM1KEB/2QZGvA1a9CA',
  'E9WABpzqKjTgYjWhAZfbbZiiQTJJy6lNq7a9+nDUp5c+XgkYTPb81QGijiB9iKljUB2k+ihWh7m+DtSFoq8kU+njpeatxfb0i5UTepPGH7rB5X4f',
  'xefB5S7rDwa/IlTnLFO0AAAAAElFTkSuQmCC',
];

/** A white Z on a blue disc, 64 × 64 pixels, as PNG. */
export const ZULIP_EMOJI: Uint8Array = Buffer.from(BASE64.join(''), 'base64');

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

const NO_CUSTOM_EMOJI: CustomEmojiFacts = { activeNamed: () => undefined, withId: () => undefined };

/** The emoji that is neither in Unicode nor an organization's own. */
const ZULIP: Emoji = { emojiName: 'zulip', emojiCode: 'zulip', reactionType: 'zulip_extra_emoji' };

/** Tells whether every organization has an emoji of the name. */
export const isBuiltIn = (name: string): boolean => emojiCodeOf(name) !== undefined || name === ZULIP.emojiName;

/** Whether the name stands for the emoji of the code. */
const isNameOf = (name: string, code: string): boolean => emojiCodeOf(name) === code || shownNameOf(code) === name;

/**
 * The emoji that a client means. Name and code must agree: readers are shown the one or the other. An organization's own
 * emoji comes first among those of a name.
 *
 * @throws DomainError EMOJI_UNKNOWN, EMOJI_CODE_INVALID, EMOJI_NAME_INVALID, EMOJI_DEACTIVATED
 */
export function emojiNamed(
  { name, code, type }: NamedEmoji & { readonly name: string },
  custom: CustomEmojiFacts = NO_CUSTOM_EMOJI,
): Emoji {
  if (code === null) {
    const own = (type ?? 'realm_emoji') === 'realm_emoji' ? custom.activeNamed(name) : undefined;
    if (own) return { emojiName: own.name, emojiCode: String(own.id), reactionType: 'realm_emoji' };
    if (name === ZULIP.emojiName && (type ?? ZULIP.reactionType) === ZULIP.reactionType) return ZULIP;
    const known = (type ?? 'unicode_emoji') === 'unicode_emoji' ? emojiCodeOf(name) : undefined;
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
  const isKnown = reactionType === 'unicode_emoji' ? shownNameOf(code) !== undefined : code === ZULIP.emojiCode;
  if (!isKnown) refuse('EMOJI_CODE_INVALID');
  const isNamed = reactionType === ZULIP.reactionType ? name === ZULIP.emojiName : isNameOf(name, code);
  if (!isNamed) refuse('EMOJI_NAME_INVALID');
  return { emojiName: name, emojiCode: code, reactionType };
}

const EMOTICONS: ReadonlyMap<string, string> = new Map([
  [':)', 'smile'],
  ['(:', 'smile'],
  [':(', 'frown'],
  ['<3', 'heart'],
  [':|', 'neutral'],
  [':/', 'confused'],
  [';)', 'wink'],
  [':D', 'grinning'],
  [':P', 'stuck_out_tongue'],
  [':p', 'stuck_out_tongue'],
  [':o', 'open_mouth'],
  [':O', 'open_mouth'],
]);

const EMOTICON = /(?<![^,.;?!()[\] "'\n\t])(?::\)|\(:|:\(|<3|:\||:\/|;\)|:D|:P|:p|:o|:O)(?![^,.;?!()[\] "'\n\t])/g;

/** Emoji by name: `:name:`. */
export const namedEmoji: InlineRule = (words, { stash, writing }) => {
  if (!words.includes(':')) return words;
  return replaced(words, NAMED_EMOJI, ([syntax, name = '']) => {
    const src = writing.names.settings.customEmojiUrl(name) ?? (name === 'zulip' ? `/${ZULIP_EMOJI_PATH}` : null);
    if (src !== null)
      return stash.put(element('img', { alt: syntax, class: 'emoji', src, title: name.replaceAll('_', ' ') }));
    const code = emojiCodeOf(name);
    return stash.put(code === undefined ? syntax : span(code, name));
  });
};

/** Emoticons such as `:)`, for writers who want them as pictures. */
export const emoticons: InlineRule = (words, { stash, writing }) => {
  if (!writing.names.settings.translatesEmoticons) return words;
  return replaced(words, EMOTICON, ([emoticon]) => {
    const name = EMOTICONS.get(emoticon) ?? '';
    const code = emojiCodeOf(name);
    return code === undefined ? null : stash.put(span(code, name));
  });
};

/** Emoji characters of Unicode. */
export const emojiSigns: InlineRule = (words, { stash }) =>
  replaced(words, SIGN, ([sign]) => {
    const emoji = emojiOfSign(sign);
    return emoji && stash.put(span(emoji.code, emoji.name));
  });

function span(code: string, name: string): Element {
  const title = name.replaceAll('_', ' ');
  return element('span', { 'aria-label': title, class: `emoji emoji-${code}`, role: 'img', title }, [`:${name}:`]);
}
