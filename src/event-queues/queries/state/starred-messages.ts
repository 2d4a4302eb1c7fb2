import type { MessageRows } from '../../../messages/queries/rows/message-rows.js';
import type { ReadState } from '../../../read-state/queries/read-state.js';

/**
 * Ids of those that there still are, ascending. Also where the message cannot be read at present: no event tells of a
 * star that comes back into sight with its channel, and state plus events is the fresh state.
 */
export async function starredMessages(rows: MessageRows, state: ReadState): Promise<readonly number[]> {
  return (await rows.byIds(state.ids('starred'))).map(({ _id }) => _id);
}
