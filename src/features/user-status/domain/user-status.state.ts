import type { Emoji } from '../../../events/messages/message.events.js';
import type { StatusWords, UserStatusEvent } from '../../../events/user-status/user-status.events.js';
import type { Decider } from '../../../platform/kernel/deciding.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';

/** A status with a hash of its text only: a remembered state keeps no words. */
export interface UserStatusState {
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
