import type { PositionInterval } from '../../src/directory/directory.records.js';
import type { PersonalListEvent } from '../../src/events/personal/personal.events.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { foldCase } from '../../src/platform/kernel/text.js';
import type { OwnerDocument } from '../../src/platform/read-models/user-list.js';

/** A user's personal lists. Client events hold a list as a whole. */
export interface PersonalLists {
  /** In the order added. */
  readonly alertWords: readonly string[];
  /** In the order muted; milliseconds since 1970. */
  readonly mutedUsers: readonly { readonly userId: number; readonly at: number }[];
}

/** An alert word, and the positions of the log between which it was set. */
export interface HeldWord extends PositionInterval {
  readonly word: string;
}

/** Both fields are absent if the user never had an alert word. */
interface AlertWordFields {
  /** All alert words that the user ever had, in the order added. */
  readonly heldWords?: readonly HeldWord[];
  /** Position of the last change of the alert words. */
  readonly wordsChangedAt?: Position;
}

export interface PersonalListsDocument extends PersonalLists, AlertWordFields, OwnerDocument {}

export const NO_LISTS: PersonalLists & AlertWordFields = { alertWords: [], mutedUsers: [] };

/** The lists after an event. An event applied twice changes nothing the second time. */
export function changedLists(
  before: PersonalLists & AlertWordFields,
  { type, data, metadata, position }: Recorded<PersonalListEvent>,
): PersonalLists & AlertWordFields {
  const { mutedUsers } = before;
  switch (type) {
    case 'AlertWordsAdded': {
      const held = new Set(before.alertWords.map(foldCase));
      const added = data.words.filter((word) => !held.has(foldCase(word)));
      if (added.length === 0) return before;
      const since = added.map((word) => ({ word, from: position, to: null }));
      const heldWords = [...(before.heldWords ?? []), ...since];
      return { ...before, alertWords: [...before.alertWords, ...added], heldWords, wordsChangedAt: position };
    }
    case 'AlertWordsRemoved': {
      const gone = new Set(data.words.map(foldCase));
      const alertWords = before.alertWords.filter((word) => !gone.has(foldCase(word)));
      if (alertWords.length === before.alertWords.length) return before;
      const heldWords = (before.heldWords ?? []).map((held) =>
        held.to === null && gone.has(foldCase(held.word)) ? { ...held, to: position } : held,
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
