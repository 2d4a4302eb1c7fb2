import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { fold } from '../../kernel/fold.js';
import type { AlertWordsAdded } from './personal.events.js';
import type { PersonalState } from './personal.state.js';

/** Each change is told with the whole list. */
export const MOST_ALERT_WORDS = 1000;

export class AddAlertWords {
  constructor(
    readonly userId: number,
    readonly words: readonly string[],
    readonly by: CommandContext,
  ) {}
}

/** Words that differ only in case are one, which stays as it was given first. */
export const decideAddAlertWords: Decide<AddAlertWords, PersonalState, AlertWordsAdded> = (
  { userId, words },
  { alertWords },
) => {
  const added = new Map<string, string>();
  for (const word of words.map((one) => one.trim())) {
    const key = fold(word);
    if (word !== '' && !alertWords.has(key) && !added.has(key)) added.set(key, word);
  }
  if (added.size === 0) return [];
  if (alertWords.size + added.size > MOST_ALERT_WORDS) refuse('TOO_MANY_ALERT_WORDS', { limit: MOST_ALERT_WORDS });
  return [{ type: 'AlertWordsAdded', data: { userId, words: [...added.values()] } }];
};
