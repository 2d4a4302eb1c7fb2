import type { AlertWordsAdded } from '../../../events/personal/personal.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { foldCase } from '../../../platform/kernel/fold-case.js';
import type { PersonalState } from './personal.state.js';

/** Greatest number of alert words: each change sends the whole list. */
export const MOST_ALERT_WORDS = 1000;

export class AddAlertWords extends Command<void> {
  constructor(
    readonly userId: number,
    readonly words: readonly string[],
    readonly by: CommandContext,
  ) {
    super();
  }
}

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
