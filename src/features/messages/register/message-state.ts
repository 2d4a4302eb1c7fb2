import type { UserRecord } from '../../../directory/directory.records.js';
import type { Position } from '../../../platform/kernel/position.js';
import { channelMessages, directMessages, type Messages, type Subscriptions, take } from './received-messages.js';

/** Number of the newest direct messages that conversations are taken from; the API's own limit. */
const MOST_DIRECT_MESSAGES = 1000;

/** Id of the newest message sent to the reader up to a position; -1 if there is none, as in the API. */
export async function maxMessageId(
  messages: Messages,
  reader: UserRecord,
  subscriptions: Subscriptions,
  through: Position,
): Promise<number> {
  const newest = await Promise.all([
    take(channelMessages(messages, subscriptions, through, 'channelId'), 1),
    take(channelMessages(messages, subscriptions, through, 'firstChannelId'), 1),
    take(directMessages(messages, reader._id, through), 1),
  ]);
  return Math.max(-1, ...newest.flatMap(({ rows }) => rows.map(({ _id }) => _id)));
}

/** `recent_private_conversations`: newest first, the reader's own id left out. */
export async function recentConversations(
  messages: Messages,
  reader: UserRecord,
  through: Position,
): Promise<readonly { readonly max_message_id: number; readonly user_ids: readonly number[] }[]> {
  const { rows } = await take(directMessages(messages, reader._id, through), MOST_DIRECT_MESSAGES);
  const newest = new Map<string, number>();
  for (const { _id, dmKey } of rows) if (!newest.has(dmKey)) newest.set(dmKey, _id);
  return [...newest].map(([dmKey, messageId]) => ({
    max_message_id: messageId,
    user_ids: dmKey
      .split(',')
      .map(Number)
      .filter((id) => id !== reader._id),
  }));
}
