import type { OwnFlags } from '../../message-flags/queries/own-flags.js';
import type { MessageRows } from '../../messages/queries/reading/rows/message-rows.js';

/**
 * Ids of existing starred messages, ascending, without those that the reader has lost since. A star that was lost stays
 * lost if the reader can read the message again.
 */
export async function starredMessages(rows: MessageRows, own: OwnFlags): Promise<readonly number[]> {
  const found = await rows.byIds(own.state.ids('starred'));
  return found.filter((row) => own.has('starred', row)).map(({ _id }) => _id);
}
