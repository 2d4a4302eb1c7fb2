import type { ReadState } from '../../../read-state/queries/read-state.js';
import type { Messages } from './received-messages.js';
import { byIds } from './unread-rows.js';

/** Ids of those that there still are, ascending. */
export async function starredMessages(messages: Messages, state: ReadState): Promise<readonly number[]> {
  const found = await byIds<{ readonly _id: number }>(messages, state.ids('starred'), { _id: 1 });
  return found.map(({ _id }) => _id).sort((a, b) => a - b);
}
