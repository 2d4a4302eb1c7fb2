import type { PositionInterval } from '../../../directory/directory.records.js';
import type { Position } from '../../../platform/kernel/position.js';
import { isRead } from '../../message-flags/queries/own-flags.js';
import type { ReadState } from '../../message-flags/queries/read-state.js';
import type { MessageRow } from '../../messages/services/message-block.js';
import {
  ALL_IDS,
  type MessageRows,
  type PlacesWanted,
  type ReaderWanted,
} from '../../messages/services/message-rows.js';

/** A user whom an event concerned, with facts as of the event. */
interface ConcernedReader {
  readonly userId: number;
  /** As of the event or newer: messages marked as unread since are left out. */
  readonly state: ReadState;
  /** The intervals in which the user was subscribed to each relevant channel, as of the event or newer. */
  readonly subscriptions: ReadonlyMap<number, readonly PositionInterval[]>;
}

interface UnreadWanted extends Pick<PlacesWanted, 'channelIds' | 'conversations'> {
  /** Takes the message as it was at the event. */
  readonly accepts: (row: MessageRow) => boolean;
}

/**
 * Ids of the messages that clients showed to each of some users as unread at the event at a position, newest first. Each
 * message counts as it was then, wherever it has moved since.
 *
 * @param wanted channels and conversations that such messages may be in now
 * @returns ids for each reader, in the readers' order
 */
export async function unreadAsOf(
  position: Position,
  readers: readonly ConcernedReader[],
  rows: MessageRows,
  { channelIds, conversations, accepts }: UnreadWanted,
): Promise<readonly (readonly number[])[]> {
  const each = readers.map(({ userId, state, subscriptions }): ReaderWanted => {
    const then = new Map([...subscriptions].map(([id, intervals]) => [id, intervalsBefore(position, intervals)]));
    return {
      bits: (first, into) => state.maybeUnread(first, into),
      accepts: (row) => {
        if ((state.markedUnreadAt(row._id) ?? position) > position) return false;
        const was = rowAsOf(position, row);
        return was !== null && accepts(was) && !isRead(was, { _id: userId }, state, (id) => then.get(id));
      },
    };
  });
  const found: number[][] = readers.map(() => []);
  const places = { channelIds, conversations, topics: null, ids: ALL_IDS };
  for await (const batches of rows.scanForAll(places, each, -1))
    batches.forEach((batch, at) => {
      for (const { _id } of batch) found[at]?.push(_id);
    });
  return found;
}

/** A message as it was just before the event at a position; null: it was not sent yet. */
function rowAsOf(position: Position, row: MessageRow): MessageRow | null {
  if (row.sentPosition >= position) return null;
  if (row.type === 'direct') return row;
  const { firstChannelId, arrivedPosition, between = [], ...sent } = row;
  if (firstChannelId === undefined || arrivedPosition === undefined || arrivedPosition < position) return row;
  const stays = between.filter(({ since }) => since < position);
  const last = stays.pop();
  if (!last) return { ...sent, channelId: firstChannelId };
  return { ...sent, channelId: last.channelId, firstChannelId, arrivedPosition: last.since, between: stays };
}

/** The intervals of a subscription, as known just before the event at a position. */
function intervalsBefore(position: Position, intervals: readonly PositionInterval[]): PositionInterval[] {
  return intervals.flatMap(({ from, to }) =>
    from < position ? [{ from, to: to !== null && to < position ? to : null }] : [],
  );
}
