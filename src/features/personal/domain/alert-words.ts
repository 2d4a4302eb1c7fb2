import type { AlertWordsAdded, AlertWordsRemoved } from '../../../events/personal/personal.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';
import type { PersonalState } from './personal.state.js';

/** Greatest number of alert words: each change sends the whole list. */
export const MOST_ALERT_WORDS = 1000;

export class AddAlertWords extends Command<{ userId: number; words: readonly string[] }> {}

/** Words that differ only in case are the same word; its first spelling stays. */
export const decideAddAlertWords: Decide<AddAlertWords, PersonalState, AlertWordsAdded> = (
  { userId, words },
  { alertWords },
) => {
  const added = new Map<string, string>();
  for (const word of words.map((given) => given.trim())) {
    const key = foldCase(word);
    if (word !== '' && !alertWords.has(key) && !added.has(key)) added.set(key, word);
  }
  if (added.size === 0) return [];
  if (alertWords.size + added.size > MOST_ALERT_WORDS) refuse('TOO_MANY_ALERT_WORDS', { limit: MOST_ALERT_WORDS });
  return [{ type: 'AlertWordsAdded', data: { userId, words: [...added.values()] } }];
};

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
