import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages/messages.projection.js';
import { readState } from '../../../projections/read-state/read-state.projection.js';
import { Facts } from '../../directory/facts.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../events/messages/topic-name.js';
import type { Position } from '../../platform/kernel/position.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { OwnFlags } from '../message-flags/queries/own-flags.js';
import { ReadStates } from '../message-flags/queries/read-states.js';
import { MessageRows } from '../messages/queries/reading/rows/message-rows.js';
import { TopicPolicies } from '../messages/queries/reading/topic-policies.js';
import { type Subscriptions, subscriptionsOf } from '../messages/register/received-messages.js';
import { readPersonal } from '../personal/queries/personal.queries.js';
import { starredMessages } from './register/starred-messages.js';
import { unreadMentions } from './register/unread-mentions.js';
import { type UnreadMessages, unreadMessages } from './register/unread-messages.js';

@ReadsState()
export class FlagStateReader implements StateReader {
  readonly sources = [messages, readState];

  constructor(
    private readonly facts: Facts,
    private readonly readStates: ReadStates,
    private readonly rows: MessageRows,
  ) {}

  parts(context: RegisterContext): StateParts {
    const { reader, isWanted } = context;
    const starred = async (): Promise<object> => {
      const own = new OwnFlags(reader, await this.readStates.of(reader._id), this.facts.directory);
      return { starred_messages: await starredMessages(this.rows, own) };
    };
    // Clients get unread messages if they want both messages and flags.
    if (!isWanted('message') || !isWanted('update_message_flags')) return { messages: { starred_messages: starred } };
    const subscriptions = subscriptionsOf(reader, this.facts.directory);
    const unread = async (through: Position): Promise<object> => ({
      unread_msgs: await this.unread(context, subscriptions, through),
    });
    return { messages: { starred_messages: starred, update_message_flags: unread } };
  }

  private async unread(
    { reader, request }: RegisterContext,
    subscriptions: Subscriptions,
    through: Position,
  ): Promise<UnreadMessages> {
    const emptyTopicName = request.clientCapabilities.empty_topic_name ? '' : EMPTY_TOPIC_DISPLAY_NAME;
    const state = await this.readStates.of(reader._id);
    const unread = await unreadMessages(this.rows, reader, state, subscriptions, through, emptyTopicName);
    const { streams, pms, huddles } = unread;
    const ids = new Set([...streams, ...pms, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids));
    const mutes = async (): Promise<(message: MessageDocument) => boolean> => {
      const { topics } = await readPersonal(this.facts.readModels, reader._id, this.facts.directory.position);
      const policies = new TopicPolicies(topics, reader, this.facts.directory);
      return (message) => policies.has('muted', message);
    };
    const found = this.facts.readModels.collection<MessageDocument>(messages, MESSAGES);
    return { ...unread, mentions: await unreadMentions(found, ids, reader, this.facts.directory, mutes) };
  }
}
