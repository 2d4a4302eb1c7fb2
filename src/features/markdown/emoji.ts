import type { Emoji, ReactionType } from '../../events/messages/message.events.js';
import { emojiCodeOf, shownNameOf } from '../../platform/emoji/emoji-names.js';
import { refuse } from '../../platform/kernel/deciding.js';

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
