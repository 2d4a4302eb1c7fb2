import type { PositionInterval } from '../../directory/directory.records.js';
import type { Position } from '../../kernel/position.js';
import type { MessageRow } from '../../messages/queries/rows/message-block.js';
import { ALL_IDS, type MessageRows, type RowsWanted } from '../../messages/queries/rows/message-rows.js';
import { isRead } from './own-flags.js';
import type { ReadState } from './read-state.js';

/** Whom an event concerned, and what was known of them. */
export interface ReaderThen {
  readonly userId: number;
  /** Of then or newer: what was marked as unread since is left out. */
  readonly state: ReadState;
  /** When they were in each channel that counts; of then or newer. */
  readonly subscriptions: ReadonlyMap<number, readonly PositionInterval[]>;
}

export interface UnreadWanted extends Pick<RowsWanted, 'channelIds' | 'conversations'> {
  /** Asked of a message as it was then. */
  readonly accepts: (row: MessageRow) => boolean;
}

/**
 * What was shown to somebody as unread when the event at a position happened:
 * messages as they were, wherever they have been moved since; newest first.
 *
 * @param wanted channels and conversations where such messages may be now
 */
export async function unreadAsOf(
  position: Position,
  { userId, state, subscriptions }: ReaderThen,
  rows: MessageRows,
  wanted: UnreadWanted,
): Promise<readonly MessageRow[]> {
  const then = new Map([...subscriptions].map(([id, intervals]) => [id, intervalsBefore(position, intervals)]));
  const wasShown = (row: MessageRow): boolean => {
    if ((state.markedUnreadAt(row._id) ?? position) > position) return false;
    const was = rowAsOf(position, row);
    return was !== null && wanted.accepts(was) && !isRead(was, { _id: userId }, state, (id) => then.get(id));
  };
  const { channelIds, conversations } = wanted;
  const bits: RowsWanted['bits'] = (first, into) => state.maybeUnread(first, into);
  const found: MessageRow[] = [];
  const scan = rows.scan({ channelIds, conversations, topics: null, ids: ALL_IDS, bits, accepts: wasShown }, -1);
  for await (const some of scan) for (const row of some) found.push(row);
  return found;
}

/** A message where it was just before the event at a position; null: it had yet to be sent. */
export function rowAsOf(position: Position, row: MessageRow): MessageRow | null {
  if (row.sentPosition >= position) return null;
  if (row.type === 'direct') return row;
  const { firstChannelId, arrivedPosition, between = [], ...sent } = row;
  if (firstChannelId === undefined || arrivedPosition === undefined || arrivedPosition < position) return row;
  const stays = between.filter(({ since }) => since < position);
  const last = stays.pop();
  if (!last) return { ...sent, channelId: firstChannelId };
  return { ...sent, channelId: last.channelId, firstChannelId, arrivedPosition: last.since, between: stays };
}

/** When somebody was in a channel, as it was known just before the event at a position. */
function intervalsBefore(position: Position, intervals: readonly PositionInterval[]): PositionInterval[] {
  return intervals.flatMap(({ from, to }) =>
    from < position ? [{ from, to: to !== null && to < position ? to : null }] : [],
  );
}
