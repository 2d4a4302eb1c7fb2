import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { channelFor, may } from '../../../directory/permissions.js';
import { mayRead } from '../../../directory/readable-messages.js';
import { topicsPolicyOf } from '../../../directory/topics-policy.js';
import { EMPTY_TOPIC_DISPLAY_NAME, requireTopicAllowed } from '../../../events/messages/topic-name.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { JsonObject } from '../../../platform/kernel/json.js';
import { EphemeralBus } from '../../event-queues/services/ephemeral-bus.js';
import type { EphemeralEvent, EphemeralForm } from '../../event-queues/services/ephemeral-tail.js';
import { requireOpenConversation } from '../../messages/domain/direct-message-rules.js';
import { directMessageFacts, inConversation } from '../../messages/queries/direct-message-facts.js';
import { UserSettings } from '../../personal/services/user-settings.js';
import { requireEditable, SetEditTyping, SetTyping, type TypingOperation } from '../domain/typing.js';

/** Refuses users who have turned typing notifications off, with TYPING_KEPT_FROM_CHANNELS, TYPING_KEPT_FROM_CONVERSATIONS. */
function requireShared(userId: number, place: 'channel' | 'direct', settings: UserSettings): void {
  if (place === 'channel' && !settings.value(userId, 'send_stream_typing_notifications'))
    refuse('TYPING_KEPT_FROM_CHANNELS');
  if (place === 'direct' && !settings.value(userId, 'send_private_typing_notifications'))
    refuse('TYPING_KEPT_FROM_CONVERSATIONS');
}

/** Users with typing notifications on. The typing user is notified, too, for their other clients. */
const wanting = (userIds: readonly number[], settings: UserSettings): readonly number[] =>
  userIds.filter((userId) => settings.value(userId, 'receives_typing_notifications'));

/** In larger channels somebody always types: the notifications would cost more than the messages. */
const MOST_SUBSCRIBERS = 100;

/** The subscribers of a channel; empty if the channel is too large for typing notifications. */
function subscribersIn(channelId: number, directory: Directory): readonly number[] {
  const subscribers = directory.subscriberIds(channelId);
  return subscribers.length > MOST_SUBSCRIBERS ? [] : subscribers;
}

/** One form, or two for the empty topic: clients without `empty_topic_name` get a name for it. */
function formsInTopic(
  topic: string,
  needs: readonly string[],
  body: (topic: string) => JsonObject,
): readonly EphemeralForm[] {
  if (topic !== '') return [{ needs, body: body(topic) }];
  return [
    { needs: [...needs, 'empty_topic_name'], body: body('') },
    { needs, body: body(EMPTY_TOPIC_DISPLAY_NAME) },
  ];
}

/** Notifies the users whom the message would reach, by the rules of sending it; appends nothing (D13). */
@CommandHandler(SetTyping)
export class SetTypingHandler implements ICommandHandler<SetTyping> {
  constructor(
    private readonly facts: Facts,
    private readonly ephemeral: EphemeralBus,
    private readonly settings: UserSettings,
  ) {}

  async execute({ senderId, op, to }: SetTyping): Promise<void> {
    const sender = this.facts.directory.existingUser(senderId);
    requireShared(senderId, to.type, this.settings);
    const event =
      to.type === 'channel'
        ? this.inChannel(sender, op, to.channelId, to.topic)
        : await this.direct(sender, op, to.userIds);
    await this.ephemeral.publish(event);
  }

  private inChannel(sender: UserRecord, op: TypingOperation, channelId: number, topic: string): EphemeralEvent {
    const { directory } = this.facts;
    const channel = channelFor(sender, channelId, 'see', directory);
    if (channel.isArchived) refuse('CHANNEL_ARCHIVED');
    if (!may(sender, { channel, to: 'post' }, directory)) refuse('NOT_AUTHORIZED');
    requireTopicAllowed(topic, topicsPolicyOf(channel, directory));
    const fields = { type: 'typing', op, message_type: 'stream', sender: named(sender), stream_id: channelId };
    return {
      type: 'typing',
      audience: { userIds: wanting(subscribersIn(channelId, directory), this.settings) },
      forms: formsInTopic(topic, ['stream_typing_notifications'], (name) => ({ ...fields, topic: name })),
    };
  }

  private async direct(sender: UserRecord, op: TypingOperation, userIds: readonly number[]): Promise<EphemeralEvent> {
    if (userIds.length === 0) refuse('TYPING_TO_NOBODY');
    const { directory } = this.facts;
    const users = userIds.map((userId) => directory.user(userId) ?? refuse('INVALID_USER_ID', { userId }));
    const facts = await directMessageFacts(sender, userIds, this.facts);
    requireOpenConversation(
      sender._id,
      users.map((user) => inConversation(user, directory)),
      facts,
    );
    const recipients = [...new Map([sender, ...users].map((user) => [user._id, named(user)])).values()];
    recipients.sort((a, b) => a.user_id - b.user_id);
    const recipientIds = recipients.map(({ user_id }) => user_id);
    const body = { type: 'typing', op, message_type: 'direct', sender: named(sender), recipients };
    return {
      type: 'typing',
      audience: { userIds: wanting(recipientIds, this.settings) },
      forms: [{ needs: [], body }],
    };
  }
}

const named = ({ _id: user_id, email }: UserRecord) => ({ user_id, email });

/** Notifies the users whom a saved edit would reach; appends nothing (D13). */
@CommandHandler(SetEditTyping)
export class SetEditTypingHandler implements ICommandHandler<SetEditTyping> {
  constructor(
    private readonly facts: Facts,
    private readonly ephemeral: EphemeralBus,
    private readonly settings: UserSettings,
  ) {}

  async execute(command: SetEditTyping): Promise<void> {
    const { directory } = this.facts;
    const { editorId, messageId } = command;
    const editor = directory.existingUser(editorId);
    const message = await this.facts.readModels
      .collection<MessageDocument>(messages, MESSAGES)
      .findOne({ _id: messageId });
    if (!message || !mayRead(editor, message, directory)) return refuse('INVALID_MESSAGE');
    if (message.type === 'channel' && directory.channel(message.channelId)?.isArchived) refuse('INVALID_MESSAGE');
    requireShared(editorId, message.type, this.settings);
    requireEditable(command, {
      now: Date.now(),
      senderId: message.senderId,
      sentAt: message.sentAt,
      isEditingAllowed: directory.setting('allow_message_editing'),
      limitSeconds: directory.setting('message_content_edit_limit_seconds'),
    });
    await this.ephemeral.publish(this.eventOf(command, message));
  }

  private eventOf({ op, editorId, messageId }: SetEditTyping, message: MessageDocument): EphemeralEvent {
    const type = 'typing_edit_message';
    const fields = { type, op, sender_id: editorId, message_id: messageId };
    if (message.type === 'direct') {
      const recipient = { type: 'direct', user_ids: [...message.participants] };
      return {
        type,
        audience: { userIds: wanting(message.participants, this.settings) },
        forms: [{ needs: [], body: { ...fields, recipient } }],
      };
    }
    const { channelId } = message;
    return {
      type,
      audience: { userIds: wanting(this.readersIn(channelId, message), this.settings) },
      forms: formsInTopic(message.topic, [], (topic) => ({
        ...fields,
        recipient: { type: 'channel', channel_id: channelId, topic },
      })),
    };
  }

  /** Leaves out subscribers who may not read the message: it may be older than their subscription. */
  private readersIn(channelId: number, message: MessageDocument): readonly number[] {
    return subscribersIn(channelId, this.facts.directory).filter((userId) => {
      const reader = this.facts.directory.user(userId);
      return reader !== undefined && mayRead(reader, message, this.facts.directory);
    });
  }
}
