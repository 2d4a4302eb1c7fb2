import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { fold } from '../../kernel/fold.js';
import type { AlertWordsRemoved } from './personal.events.js';
import type { PersonalState } from './personal.state.js';

export class RemoveAlertWords {
  constructor(
    readonly userId: number,
    readonly words: readonly string[],
    readonly by: CommandContext,
  ) {}
}

/** Words that are none of the user's are passed over. */
export const decideRemoveAlertWords: Decide<RemoveAlertWords, PersonalState, AlertWordsRemoved> = (
  { userId, words },
  { alertWords },
) => {
  const keys = new Set(words.map((word) => fold(word.trim())));
  const removed = [...keys].flatMap((key) => alertWords.get(key) ?? []);
  if (removed.length === 0) return [];
  return [{ type: 'AlertWordsRemoved', data: { userId, words: removed } }];
};
