import { Inject } from '@nestjs/common';
import {
  DELETED_MESSAGES,
  MESSAGES,
  type MessageDocument,
  messages,
} from '../../../projections/messages/messages.projection.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { Facts } from '../../directory/facts.js';
import type { Position } from '../../platform/kernel/position.js';
import { SITE } from '../../platform/kernel/site.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { EMOJI_DATA_PATH } from '../markdown/emoji.js';
import { MAX_MESSAGE_LENGTH } from './domain/message-content.js';
import type { Messages } from './queries/reading/messages-for.js';
import {
  channelMessages,
  directMessages,
  type Subscriptions,
  subscriptionsOf,
  take,
} from './register/received-messages.js';

/** Number of the newest direct messages that conversations are taken from; the API's own limit. */
const MOST_DIRECT_MESSAGES = 1000;

/** Id of the newest message sent to the reader up to a position; -1 if there is none, as in the API. */
async function maxMessageId(
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
async function recentConversations(
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

@ReadsState()
export class MessageStateReader implements StateReader {
  readonly sources = [messages];

  constructor(
    private readonly facts: Facts,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  parts({ reader }: RegisterContext): StateParts {
    const subscriptions = subscriptionsOf(reader, this.facts.directory);
    const collectionOf = (collection: string): Messages =>
      this.facts.readModels.collection<MessageDocument>(messages, collection);
    return {
      organization: {
        realm: () => ({
          max_message_length: MAX_MESSAGE_LENGTH,
          server_emoji_data_url: `${this.site()}/${EMOJI_DATA_PATH}`,
        }),
      },
      messages: {
        // Counts deleted messages too: clients count up from the newest id that they have heard of.
        message: async (through) => ({
          max_message_id: Math.max(
            await maxMessageId(collectionOf(MESSAGES), reader, subscriptions, through),
            await maxMessageId(collectionOf(DELETED_MESSAGES), reader, subscriptions, through),
          ),
        }),
        recent_private_conversations: async (through) => ({
          recent_private_conversations: await recentConversations(collectionOf(MESSAGES), reader, through),
        }),
      },
    };
  }
}
