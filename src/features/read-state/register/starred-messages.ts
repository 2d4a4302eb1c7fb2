import type { OwnFlags } from '../../narrow/queries/flags/own-flags.js';
import type { MessageRows } from '../../narrow/queries/rows/message-rows.js';

/**
 * Ids of existing starred messages, ascending. Includes messages that cannot be read at present, except those that a
 * move has taken away: no event tells of a star that becomes visible again with its channel, and state plus events must
 * be the fresh state.
 */
export async function starredMessages(rows: MessageRows, own: OwnFlags): Promise<readonly number[]> {
  const found = await rows.byIds(own.state.ids('starred'));
  return found.filter((row) => own.has('starred', row)).map(({ _id }) => _id);
}
