import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { may } from '../../../directory/permissions.js';
import { topicsPolicyOf } from '../../../directory/topics-policy.js';
import { requireTopicAllowed } from '../../../events/messages/topic-name.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { EphemeralBus } from '../../event-queues/commands/ephemeral-bus.js';
import type { EphemeralEvent } from '../../event-queues/queries/ephemeral-event.js';
import { requireOpenConversation } from '../../messages/domain/direct-message-rules.js';
import { directMessageFacts, inConversation } from '../../messages/queries/direct-message-facts.js';
import { UserSettings } from '../../personal/queries/user-settings.js';
import { SetTyping, type TypingOperation } from '../domain/set-typing.js';
import { formsInTopic, requireShared, subscribersIn, wanting } from './typing-forms.js';

/** Notifies the users whom the message would reach, by the rules of sending it; appends nothing (D13). */
@CommandHandler(SetTyping)
export class SetTypingHandler implements ICommandHandler<SetTyping> {
  constructor(
    private readonly facts: Facts,
    private readonly ephemeral: EphemeralBus,
    private readonly settings: UserSettings,
  ) {}

  async execute({ senderId, op, to }: SetTyping): Promise<void> {
    const sender = this.facts.directory.user(senderId) ?? refuse('USER_NOT_FOUND');
    requireShared(senderId, to.type, this.settings);
    const event =
      to.type === 'channel'
        ? this.inChannel(sender, op, to.channelId, to.topic)
        : await this.direct(sender, op, to.userIds);
    await this.ephemeral.publish(event);
  }

  private inChannel(sender: UserRecord, op: TypingOperation, channelId: number, topic: string): EphemeralEvent {
    const { directory } = this.facts;
    const channel = directory.channel(channelId);
    if (!channel || !may(sender, { channel, to: 'see' }, directory)) return refuse('INVALID_CHANNEL_ID');
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
