import type { MessageDocument } from '../../../../projections/messages.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { Position } from '../../../kernel/position.js';
import { isReadInHistory } from '../../../messages/queries/message-flags.js';
import {
  type ChannelMessageRow,
  channelMessages,
  type DirectMessageRow,
  directMessages,
  type Messages,
  type Subscriptions,
  take,
} from './received-messages.js';

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

const PAGE = 500;

/**
 * What the reader has not read: messages of conversations, sent to them while they took part, minus what they have read.
 * Leaving a channel leaves nothing unread behind, so only subscriptions that still last count.
 *
 * @param through the log position as of which it is told; `subscriptions` are of then
 */
export async function unreadMessages(
  messages: Messages,
  reader: UserRecord,
  subscriptions: Subscriptions,
  through: Position,
  emptyTopicName: string,
): Promise<UnreadMessages> {
  const lasting = new Map(
    [...subscriptions].map(([channelId, intervals]) => [channelId, intervals.filter(({ to }) => to === null)]),
  );
  const inChannels = await take(channelMessages(messages, lasting, through), MOST_UNREAD);
  const direct = await take(directMessages(messages, reader._id, through), MOST_UNREAD);
  const read = await readAmong(messages, reader, [...inChannels.rows, ...direct.rows]);
  const newest = [...inChannels.rows, ...direct.rows].filter(({ _id }) => !read.has(_id)).sort((a, b) => a._id - b._id);
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
    old_unreads_missing: inChannels.more || direct.more || newest.length > told.length,
  };
}

const isOfChannel = (row: ChannelMessageRow | DirectMessageRow): row is ChannelMessageRow => 'channelId' in row;

const topicOf = ({ channelId, topicKey }: ChannelMessageRow): string => `${channelId} ${topicKey}`;

/** Ids of those that the reader has read. */
async function readAmong(
  messages: Messages,
  reader: UserRecord,
  rows: readonly { readonly _id: number; readonly senderId: number }[],
): Promise<ReadonlySet<number>> {
  const own = rows.filter(({ senderId }) => senderId === reader._id).map(({ _id }) => _id);
  const documents = await byIds(messages, own, { senderId: 1, readBySender: 1 });
  return new Set(documents.filter((message) => isReadInHistory(reader, message)).map(({ _id }) => _id));
}

/** As it was written last among the messages, by channel and folded name. */
async function topicNames(
  messages: Messages,
  rows: readonly ChannelMessageRow[],
): Promise<ReadonlyMap<string, string>> {
  const newest = new Map(rows.map((row) => [topicOf(row), row._id]));
  const documents = await byIds(messages, [...newest.values()], { topic: 1 });
  const names = new Map(documents.map((message) => [message._id, message.type === 'channel' ? message.topic : '']));
  return new Map([...newest].map(([topic, id]) => [topic, names.get(id) ?? '']));
}

async function byIds(
  messages: Messages,
  ids: readonly number[],
  fields: Readonly<Record<string, 1>>,
): Promise<MessageDocument[]> {
  const found: MessageDocument[] = [];
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = await messages.find(
      { _id: { $in: ids.slice(at, at + PAGE) } },
      { projection: { type: 1, ...fields } },
    );
    found.push(...page);
  }
  return found;
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
