import type { AlertWordsRemoved } from '../../../events/personal/personal.events.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';
import type { PersonalState } from './personal.state.js';

export class RemoveAlertWords extends Command<{ userId: number; words: readonly string[] }> {}

/** Unknown words are ignored. */
export const decideRemoveAlertWords: Decide<RemoveAlertWords, PersonalState, AlertWordsRemoved> = (
  { userId, words },
  { alertWords },
) => {
  const keys = new Set(words.map((word) => foldCase(word.trim())));
  const removed = [...keys].flatMap((key) => alertWords.get(key) ?? []);
  if (removed.length === 0) return [];
  return [{ type: 'AlertWordsRemoved', data: { userId, words: removed } }];
};
