import type { PositionInterval } from '../src/directory/directory.records.js';
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

/** An alert word, and which part of the log it was set for. */
export interface HeldWord extends PositionInterval {
  readonly word: string;
}

/** Absent where the user has never had an alert word. */
interface AlertWordHistory {
  /** All that they ever had, in the order added. */
  readonly heldWords?: readonly HeldWord[];
  /** What last changed them. */
  readonly wordsChangedAt?: Position;
}

export interface PersonalListsDocument extends PersonalLists, AlertWordHistory, StoredDocument {
  /** The user's id. */
  readonly _id: number;
  /** Of the user's newest event. */
  readonly position: Position;
}

export const NO_LISTS: PersonalLists = { alertWords: [], mutedUsers: [] };

/** The lists after an event; applied again to what it has led to, it changes nothing. */
export function changedLists(
  before: PersonalLists & AlertWordHistory,
  { type, data, metadata, position }: Recorded<PersonalListEvent>,
): PersonalLists & AlertWordHistory {
  const { mutedUsers } = before;
  switch (type) {
    case 'AlertWordsAdded': {
      const held = new Set(before.alertWords.map(fold));
      const added = data.words.filter((word) => !held.has(fold(word)));
      if (added.length === 0) return before;
      const since = added.map((word) => ({ word, from: position, to: null }));
      const heldWords = [...(before.heldWords ?? []), ...since];
      return { ...before, alertWords: [...before.alertWords, ...added], heldWords, wordsChangedAt: position };
    }
    case 'AlertWordsRemoved': {
      const gone = new Set(data.words.map(fold));
      const alertWords = before.alertWords.filter((word) => !gone.has(fold(word)));
      if (alertWords.length === before.alertWords.length) return before;
      const heldWords = (before.heldWords ?? []).map((held) =>
        held.to === null && gone.has(fold(held.word)) ? { ...held, to: position } : held,
      );
      return { ...before, alertWords, heldWords, wordsChangedAt: position };
    }
    case 'UserMuted': {
      const others = mutedUsers.filter(({ userId }) => userId !== data.mutedUserId);
      return { ...before, mutedUsers: [...others, { userId: data.mutedUserId, at: metadata.at }] };
    }
    case 'UserUnmuted':
      return { ...before, mutedUsers: mutedUsers.filter(({ userId }) => userId !== data.mutedUserId) };
  }
}
