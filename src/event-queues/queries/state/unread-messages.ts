import type { MessageDocument } from '../../../../projections/messages.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { Position } from '../../../kernel/position.js';
import type { ReadState } from '../../../read-state/queries/read-state.js';
import type { ChannelMessageRow, DirectMessageRow, Messages, Subscriptions } from './received-messages.js';
import { byIds, type UnreadRow, unreadRows } from './unread-rows.js';

/** api-coverage §5.2; message ids ascend. */
export interface UnreadMessages {
  /** Of all unread messages here. */
  readonly count: number;
  /** `sender_id`: the old name of `other_user_id`. */
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
  /** Conversations of more than two; `user_ids_string` has the reader's own id too. */
  readonly huddles: readonly { readonly user_ids_string: string; readonly unread_message_ids: readonly number[] }[];
  readonly mentions: readonly number[];
  /** There are more, older ones. */
  readonly old_unreads_missing: boolean;
}

/** The newest that are told of; the API's own number. */
export const MOST_UNREAD = 50_000;

/**
 * What the reader has not read, for the initial state.
 *
 * @param through the log position as of which it is told; `subscriptions` are of then
 */
export async function unreadMessages(
  messages: Messages,
  reader: UserRecord,
  state: ReadState,
  subscriptions: Subscriptions,
  through: Position,
  emptyTopicName: string,
): Promise<UnreadMessages> {
  const lasting = lastingOf(subscriptions);
  const { rows, more } = await unreadRows(messages, reader, state, lasting, through, MOST_UNREAD);
  const newest = [...rows].sort((a, b) => a._id - b._id);
  const told = newest.slice(-MOST_UNREAD);
  const topics = await topicNames(messages, told.filter(isOfChannel));
  const conversations = told.filter((row): row is DirectMessageRow => !isOfChannel(row));
  const others = (dmKey: string): number[] =>
    dmKey
      .split(',')
      .map(Number)
      .filter((id) => id !== reader._id);
  const [pms, huddles] = partition(
    grouped(conversations, ({ dmKey }) => dmKey),
    ([dmKey]) => others(dmKey).length <= 1,
  );
  return {
    count: told.length,
    pms: pms.map(([dmKey, ids]) => {
      const other = others(dmKey)[0] ?? reader._id;
      return { other_user_id: other, sender_id: other, unread_message_ids: ids };
    }),
    streams: [...grouped(told.filter(isOfChannel), topicOf)].map(([topic, ids]) => ({
      stream_id: Number(topic.split(' ', 1)[0]),
      topic: topics.get(topic) || emptyTopicName,
      unread_message_ids: ids,
    })),
    huddles: huddles.map(([dmKey, ids]) => ({ user_ids_string: dmKey, unread_message_ids: ids })),
    mentions: [],
    old_unreads_missing: more || newest.length > told.length,
  };
}

/** Leaving a channel leaves nothing unread behind. */
export function lastingOf(subscriptions: Subscriptions): Subscriptions {
  const lasting = new Map<number, Subscriptions extends ReadonlyMap<number, infer Intervals> ? Intervals : never>();
  for (const [channelId, intervals] of subscriptions) {
    const open = intervals.filter(({ to }) => to === null);
    if (open.length > 0) lasting.set(channelId, open);
  }
  return lasting;
}

const isOfChannel = (row: UnreadRow): row is ChannelMessageRow => 'channelId' in row;

const topicOf = ({ channelId, topicKey }: ChannelMessageRow): string => `${channelId} ${topicKey}`;

/** As it was written last among the messages, by channel and folded name. */
async function topicNames(
  messages: Messages,
  rows: readonly ChannelMessageRow[],
): Promise<ReadonlyMap<string, string>> {
  const newest = new Map(rows.map((row) => [topicOf(row), row._id]));
  const documents = await byIds<MessageDocument>(messages, [...newest.values()], { type: 1, topic: 1 });
  const names = new Map(documents.map((message) => [message._id, message.type === 'channel' ? message.topic : '']));
  return new Map([...newest].map(([topic, id]) => [topic, names.get(id) ?? '']));
}

function grouped<Row extends { readonly _id: number }>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const row of rows) {
    const ids = groups.get(keyOf(row));
    if (ids) ids.push(row._id);
    else groups.set(keyOf(row), [row._id]);
  }
  return groups;
}

function partition<T>(all: Iterable<T>, isFirst: (one: T) => boolean): [T[], T[]] {
  const parts: [T[], T[]] = [[], []];
  for (const one of all) parts[isFirst(one) ? 0 : 1].push(one);
  return parts;
}
