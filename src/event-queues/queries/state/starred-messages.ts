import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { channelReach, isReached } from '../../../messages/queries/readable-messages.js';
import type { MessageRows } from '../../../messages/queries/rows/message-rows.js';
import type { ReadState } from '../../../read-state/queries/read-state.js';

/** Ids of those that there still are, and that the reader may still read, ascending. */
export async function starredMessages(
  rows: MessageRows,
  reader: UserRecord,
  state: ReadState,
  directory: Directory,
): Promise<readonly number[]> {
  const starred = await rows.byIds(state.ids('starred'));
  return starred.flatMap((row) =>
    row.type === 'direct' || isReached(channelReach(reader, row.channelId, directory), row) ? [row._id] : [],
  );
}
