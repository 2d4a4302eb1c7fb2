import type { PositionInterval, UserRecord } from '../../../directory/directory.records.js';
import type { Position } from '../../../kernel/position.js';
import type { MessageRow } from '../../../messages/queries/rows/message-block.js';
import { ALL_IDS, type MessageRows, type RowsWanted } from '../../../messages/queries/rows/message-rows.js';
import { isRead } from '../../../read-state/queries/own-flags.js';
import type { ReadState } from '../../../read-state/queries/read-state.js';
import type { Messages, Subscriptions } from './received-messages.js';

export interface UnreadRows {
  /** Newest first. */
  readonly rows: readonly MessageRow[];
  /** There are more, older ones. */
  readonly more: boolean;
}

/** Ids asked for at once. */
const PAGE = 500;

/**
 * What a reader has not read, at most so much of it: what was sent to them since they took part, minus what they have
 * read; and what they have marked as unread though it was not sent to them, or is older than that.
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
  for await (const some of rows.scan(wanted, -1)) {
    for (const row of some) found.push(row);
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
