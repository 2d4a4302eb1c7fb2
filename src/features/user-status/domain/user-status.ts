import type { Emoji } from '../../../events/messages/message.events.js';
import type { StatusField, StatusWords, UserStatusEvent } from '../../../events/user-status/user-status.events.js';
import { Command, type Decide, type Decider, refuse } from '../../../platform/kernel/deciding.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';
import { longerThan } from '../../../platform/kernel/text.js';
import { type CustomEmojiFacts, emojiNamed, type NamedEmoji } from '../../markdown/emoji.js';

/** A status with a hash of its text only: a remembered state keeps no words. */
interface UserStatusState {
  /** null: no text. */
  readonly text: {
    readonly keyId: string;
    /** Hexadecimal; null if the key is destroyed. */
    readonly sha256: string | null;
  } | null;
  readonly emoji: Emoji | null;
}

const textOf = (keyId: string, words: StatusWords | null) => ({ keyId, sha256: words && sha256Of(words.text) });

/** One user's status. Other events of the user's stream do not change it. */
export const userStatus: Decider<UserStatusState, UserStatusEvent> = {
  initialState: { text: null, emoji: null },
  evolve: (state, event) => {
    switch (event.type) {
      case 'UserStatusTextSet':
      case 'UserStatusTextReplaced':
        return { ...state, text: textOf(event.data.keyId, event.data.words) };
      case 'UserStatusTextCleared':
        return { ...state, text: null };
      case 'UserStatusEmojiChanged':
        return { ...state, emoji: event.data.to };
      default:
        event satisfies never;
        return state;
    }
  },
};

/** In Unicode code points. */
const LONGEST_TEXT = 60;

/** Absent parts stay as they are. */
export interface StatusChanges {
  /** Empty: none. */
  readonly text?: string;
  /** With an empty name: none. */
  readonly emoji?: NamedEmoji;
  /** The older name of the setting `presence_enabled`, turned around. */
  readonly away?: boolean;
}

export class ChangeUserStatus extends Command<{ userId: number; changes: StatusChanges }> {}

export interface ChangeUserStatusFacts {
  /** Whether the status is the caller's own, or the caller an administrator. */
  readonly mayChange: boolean;
  readonly user: 'person' | 'bot' | 'nobody';
  /** A new key id. */
  readonly keyId: string;
  /** Absent: the organization has no emoji of its own. */
  readonly customEmoji?: CustomEmojiFacts;
}

/** Text and emoji only: `away` is a setting. */
export const decideChangeUserStatus: Decide<
  ChangeUserStatus,
  UserStatusState,
  UserStatusEvent,
  ChangeUserStatusFacts
> = ({ userId, changes: { text, emoji, away } }, state, { mayChange, user, keyId, customEmoji }) => {
  if (!mayChange) refuse('NOT_AUTHORIZED');
  if (user === 'nobody') refuse('USER_NOT_FOUND');
  if (user === 'bot') refuse('BOTS_NOT_ALLOWED');
  if (text === undefined && emoji === undefined && away === undefined) refuse('STATUS_WITHOUT_VALUES');
  const newText = text === undefined ? undefined : checkedText(text);
  const newEmoji = emoji === undefined ? state.emoji : checkedEmoji(emoji, customEmoji);
  const told: readonly StatusField[] = [
    ...(text === undefined ? [] : ['text' as const]),
    ...(emoji === undefined ? [] : ['emoji' as const]),
  ];
  const emojiChanges = !isSame(state.emoji, newEmoji);
  const of = { userId, told: emojiChanges ? [] : told };
  return [
    ...(newText === undefined ? [] : textChange(of, newText, state, keyId)),
    ...(emojiChanges
      ? [{ type: 'UserStatusEmojiChanged' as const, data: { userId, told, from: state.emoji, to: newEmoji } }]
      : []),
  ];
};

function textChange(
  of: Pick<UserStatusEvent['data'], 'userId' | 'told'>,
  text: string,
  { text: before }: UserStatusState,
  keyId: string,
): readonly UserStatusEvent[] {
  if (text === '') return before ? [{ type: 'UserStatusTextCleared', data: { ...of, keyId: before.keyId } }] : [];
  if (before === null) return [{ type: 'UserStatusTextSet', data: { ...of, keyId, words: { text } } }];
  if (before.sha256 === sha256Of(text)) return [];
  return [{ type: 'UserStatusTextReplaced', data: { ...of, keyId, previousKeyId: before.keyId, words: { text } } }];
}

/** @throws DomainError STATUS_TEXT_TOO_LONG, STATUS_HAS_NULL_BYTES */
function checkedText(given: string): string {
  const text = given.trim();
  if (longerThan(text, LONGEST_TEXT)) refuse('STATUS_TEXT_TOO_LONG', { limit: LONGEST_TEXT });
  if (text.includes('\0')) refuse('STATUS_HAS_NULL_BYTES');
  return text;
}

/** @throws DomainError STATUS_EMOJI_NAME_MISSING, EMOJI_UNKNOWN, EMOJI_CODE_INVALID, EMOJI_NAME_INVALID, EMOJI_DEACTIVATED */
function checkedEmoji({ name, code, type }: NamedEmoji, custom?: CustomEmojiFacts): Emoji | null {
  if (name === null) return refuse('STATUS_EMOJI_NAME_MISSING');
  return name === '' ? null : emojiNamed({ name, code, type }, custom);
}

const isSame = (one: Emoji | null, other: Emoji | null): boolean =>
  one?.emojiName === other?.emojiName &&
  one?.emojiCode === other?.emojiCode &&
  one?.reactionType === other?.reactionType;
