import { Inject } from '@nestjs/common';
import {
  DELETED_MESSAGES,
  MESSAGES,
  type MessageDocument,
  messages,
} from '../../../projections/messages/messages.projection.js';
import { Facts } from '../../directory/facts.js';
import { SITE } from '../../platform/kernel/site.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { EMOJI_DATA_PATH } from '../markdown/emoji.js';
import { MAX_MESSAGE_LENGTH } from './domain/message-content.js';
import { maxMessageId, recentConversations } from './register/message-state.js';
import { type Messages, subscriptionsOf } from './register/received-messages.js';

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
