import type { StoredDocument } from '../src/document-store/document-store.js';
import type { Recorded } from '../src/kernel/event.js';
import { fold } from '../src/kernel/fold.js';
import type { Position } from '../src/kernel/position.js';
import type { PersonalListEvent } from '../src/personal/domain/personal.events.js';

/** What a user keeps for themselves and is told as a whole. */
export interface PersonalLists {
  /** In the order added. */
  readonly alertWords: readonly string[];
  /** In the order muted; milliseconds since 1970. */
  readonly mutedUsers: readonly { readonly userId: number; readonly at: number }[];
}

export interface PersonalListsDocument extends PersonalLists, StoredDocument {
  /** The user's id. */
  readonly _id: number;
  /** Of the user's newest event. */
  readonly position: Position;
}

export const NO_LISTS: PersonalLists = { alertWords: [], mutedUsers: [] };

/** The lists after an event; applied again to what it has led to, it changes nothing. */
export function changedLists(
  before: PersonalLists,
  { type, data, metadata }: Recorded<PersonalListEvent>,
): PersonalLists {
  const { alertWords, mutedUsers } = before;
  switch (type) {
    case 'AlertWordsAdded': {
      const held = new Set(alertWords.map(fold));
      return { alertWords: [...alertWords, ...data.words.filter((word) => !held.has(fold(word)))], mutedUsers };
    }
    case 'AlertWordsRemoved': {
      const gone = new Set(data.words.map(fold));
      return { alertWords: alertWords.filter((word) => !gone.has(fold(word))), mutedUsers };
    }
    case 'UserMuted': {
      const others = mutedUsers.filter(({ userId }) => userId !== data.mutedUserId);
      return { alertWords, mutedUsers: [...others, { userId: data.mutedUserId, at: metadata.at }] };
    }
    case 'UserUnmuted':
      return { alertWords, mutedUsers: mutedUsers.filter(({ userId }) => userId !== data.mutedUserId) };
  }
}
