import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import type { Emoji } from '../messages/message.events.js';
import { concernsUser } from '../shared/concerned.js';

/** The parts of a status, which change independently. */
export type StatusField = 'text' | 'emoji';

/** What users write in their status. */
export interface StatusWords {
  readonly text: string;
}

interface OfStatus {
  readonly userId: number;
  /** The parts that the request named. Empty if the next event of the same append has them. */
  readonly told: readonly StatusField[];
}

/** A user's status has a text. In the user's stream, `user-<id>`. The user had no text before. */
export type UserStatusTextSet = DomainEvent<
  'UserStatusTextSet',
  OfStatus & {
    /** The content key of `words`: the event's id. */
    readonly keyId: string;
    /** null once the content key is destroyed. */
    readonly words: StatusWords | null;
  }
>;

/** A user's status has another text. The key of the previous text is destroyed. */
export type UserStatusTextReplaced = DomainEvent<
  'UserStatusTextReplaced',
  OfStatus & { readonly keyId: string; readonly previousKeyId: string; readonly words: StatusWords | null }
>;

/** A user's status has no text any more. */
export type UserStatusTextCleared = DomainEvent<
  'UserStatusTextCleared',
  OfStatus & {
    /** The content key, which is destroyed too. */
    readonly keyId: string;
  }
>;

/** A user's status has another emoji. null: no emoji. */
export type UserStatusEmojiChanged = DomainEvent<
  'UserStatusEmojiChanged',
  OfStatus & { readonly from: Emoji | null; readonly to: Emoji | null }
>;

export type UserStatusEvent =
  | UserStatusTextSet
  | UserStatusTextReplaced
  | UserStatusTextCleared
  | UserStatusEmojiChanged;

export const userStatusEvents = [
  defineEvent<UserStatusTextSet>({
    type: 'UserStatusTextSet',
    concerns: concernsUser,
    sealed: { field: 'words', under: 'own key', shownTo: 'auditors' },
    keys: { keyId: 'seals' },
  }),
  defineEvent<UserStatusTextReplaced>({
    type: 'UserStatusTextReplaced',
    concerns: concernsUser,
    sealed: { field: 'words', under: 'own key', shownTo: 'auditors' },
    keys: { keyId: 'seals', previousKeyId: 'ends' },
  }),
  defineEvent<UserStatusTextCleared>({
    type: 'UserStatusTextCleared',
    concerns: concernsUser,
    keys: { keyId: 'ends' },
  }),
  defineEvent<UserStatusEmojiChanged>({
    type: 'UserStatusEmojiChanged',
    concerns: concernsUser,
    unsealed: { from: 'an emoji', to: 'an emoji' },
  }),
];
