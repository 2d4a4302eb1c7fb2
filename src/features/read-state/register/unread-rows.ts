import type { PositionInterval, UserRecord } from '../../../directory/directory.records.js';
import type { Position } from '../../../platform/kernel/position.js';
import { isRead } from '../../message-flags/queries/own-flags.js';
import type { ReadState } from '../../message-flags/queries/read-state.js';
import type { MessageRow } from '../../messages/queries/reading/rows/message-block.js';
import { ALL_IDS, type MessageRows, type RowsWanted } from '../../messages/queries/reading/rows/message-rows.js';
import type { Messages, Subscriptions } from '../../messages/register/received-messages.js';

export interface UnreadRows {
  /** Newest first. */
  readonly rows: readonly MessageRow[];
  /** Whether there are more, older ones. */
  readonly more: boolean;
}

/** Ids looked up at once. */
const PAGE = 500;

/**
 * The newest unread messages of a reader, at most `limit`: those sent to them since they subscribed, except those they
 * have read; and those they have marked as unread, though not sent to them or older than that.
 *
 * @param subscriptions as of `through`
 */
export async function unreadRows(
  rows: MessageRows,
  reader: UserRecord,
  state: ReadState,
  subscriptions: Subscriptions,
  through: Position,
  limit: number,
): Promise<UnreadRows> {
  const isLasting = (intervals: readonly PositionInterval[]): boolean => intervals.at(-1)?.to === null;
  const channelIds = [...subscriptions].flatMap(([id, intervals]) => (isLasting(intervals) ? [id] : []));
  const conversations = await rows.conversations(reader._id, null);
  const wanted: RowsWanted = {
    channelIds: new Set(channelIds),
    conversations,
    topics: null,
    ids: ALL_IDS,
    bits: (first, into) => state.maybeUnread(first, into),
    accepts: (row) => row.sentPosition <= through && !isRead(row, reader, state, (id) => subscriptions.get(id)),
  };
  const found: MessageRow[] = [];
  for await (const batch of rows.scan(wanted, -1)) {
    for (const row of batch) found.push(row);
    if (found.length > limit) return { rows: found.slice(0, limit), more: true };
  }
  return { rows: found, more: false };
}

export async function byIds<Found>(
  messages: Messages,
  ids: readonly number[],
  projection: Readonly<Record<string, 1>>,
): Promise<Found[]> {
  const found: object[] = [];
  for (let at = 0; at < ids.length; at += PAGE)
    found.push(...(await messages.find({ _id: { $in: ids.slice(at, at + PAGE) } }, { projection })));
  return found as Found[];
}
