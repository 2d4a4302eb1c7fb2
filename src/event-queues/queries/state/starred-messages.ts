import type { MessageRows } from '../../../messages/queries/rows/message-rows.js';
import type { OwnFlags } from '../../../read-state/queries/own-flags.js';

/**
 * Ids of those that there still are, ascending. Also where the message cannot be read at present, unless a move has taken
 * it away: no event tells of a star that comes back into sight with its channel, and state plus events is the fresh state.
 */
export async function starredMessages(rows: MessageRows, own: OwnFlags): Promise<readonly number[]> {
  const found = await rows.byIds(own.state.ids('starred'));
  return found.filter((row) => own.has('starred', row)).map(({ _id }) => _id);
}
