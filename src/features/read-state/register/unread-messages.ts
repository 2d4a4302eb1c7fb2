import type { PlaceDocument } from '../../../../projections/messages/message-blocks.js';
import type { PositionInterval, UserRecord } from '../../../directory/directory.records.js';
import type { Position } from '../../../platform/kernel/position.js';
import { isRead } from '../../message-flags/queries/own-flags.js';
import type { ReadState } from '../../message-flags/queries/read-state.js';
import type { Subscriptions } from '../../messages/register/received-messages.js';
import type { MessageRow } from '../../messages/services/message-block.js';
import { ALL_IDS, type MessageRows, type RowsWanted } from '../../messages/services/message-rows.js';

/** `unread_msgs` of a registration; message ids ascend. */
export interface UnreadMessages {
  /** Number of all unread messages here. */
  readonly count: number;
  /** `sender_id` is the old name of `other_user_id`. */
  readonly pms: readonly {
    readonly other_user_id: number;
    readonly sender_id: number;
    readonly unread_message_ids: readonly number[];
  }[];
  readonly streams: readonly {
    readonly stream_id: number;
    readonly topic: string;
    readonly unread_message_ids: readonly number[];
  }[];
  /** Conversations of more than two users; `user_ids_string` includes the reader's own id. */
  readonly huddles: readonly { readonly user_ids_string: string; readonly unread_message_ids: readonly number[] }[];
  readonly mentions: readonly number[];
  /** Whether there are more, older ones. */
  readonly old_unreads_missing: boolean;
}

/** Greatest number of unread messages in the state, the newest ones; the API's own limit. */
const MOST_UNREAD = 50_000;

/**
 * The reader's unread messages, for the initial state.
 *
 * @param through the log position of the state; `subscriptions` are as of it
 */
export async function unreadMessages(
  rows: MessageRows,
  reader: UserRecord,
  state: ReadState,
  subscriptions: Subscriptions,
  through: Position,
  emptyTopicName: string,
): Promise<UnreadMessages> {
  const { rows: newest, more } = await unreadRows(rows, reader, state, subscriptions, through, MOST_UNREAD);
  const oldestFirst = [...newest].reverse();
  const byPlace = grouped(oldestFirst, ({ place }) => place);
  const names = await rows.named(new Set(byPlace.keys()));
  const streams: UnreadInTopic[] = [];
  const pms: UnreadMessages['pms'][number][] = [];
  const huddles: UnreadMessages['huddles'][number][] = [];
  for (const [place, ids] of byPlace) {
    const name = names.get(place);
    if (name?.channelId !== undefined) streams.push({ ...topicOf(name), ids });
    if (name?.participants === undefined) continue;
    const others = name.participants.filter((id) => id !== reader._id);
    const other = others[0] ?? reader._id;
    if (others.length > 1) huddles.push({ user_ids_string: name.participants.join(','), unread_message_ids: ids });
    else pms.push({ other_user_id: other, sender_id: other, unread_message_ids: ids });
  }
  return {
    count: oldestFirst.length,
    pms,
    streams: spelledOnce(streams).map(({ channelId, topic, ids }) => ({
      stream_id: channelId,
      topic: topic || emptyTopicName,
      unread_message_ids: ids,
    })),
    huddles,
    mentions: [],
    old_unreads_missing: more,
  };
}

interface UnreadInTopic {
  readonly channelId: number;
  readonly topic: string;
  readonly topicKey: string;
  readonly ids: readonly number[];
}

const topicOf = ({ channelId = 0, topic = '', topicKey = '' }: PlaceDocument): Omit<UnreadInTopic, 'ids'> => ({
  channelId,
  topic,
  topicKey,
});

/** Joins spellings of one topic; the spelling of its newest message stays. */
function spelledOnce(spelled: readonly UnreadInTopic[]): readonly UnreadInTopic[] {
  const topics = new Map<string, UnreadInTopic>();
  for (const one of spelled) {
    const key = `${one.channelId} ${one.topicKey}`;
    const other = topics.get(key);
    topics.set(key, other ? united(other, one) : one);
  }
  return [...topics.values()];
}

function united(one: UnreadInTopic, other: UnreadInTopic): UnreadInTopic {
  const newest = (one.ids.at(-1) ?? 0) > (other.ids.at(-1) ?? 0) ? one : other;
  return { ...newest, ids: [...one.ids, ...other.ids].sort((a, b) => a - b) };
}

function grouped<Row extends { readonly _id: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => number,
): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const row of rows) {
    const ids = groups.get(keyOf(row));
    if (ids) ids.push(row._id);
    else groups.set(keyOf(row), [row._id]);
  }
  return groups;
}

interface UnreadRows {
  /** Newest first. */
  readonly rows: readonly MessageRow[];
  /** Whether there are more, older ones. */
  readonly more: boolean;
}

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
