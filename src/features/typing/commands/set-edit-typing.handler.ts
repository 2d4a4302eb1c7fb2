import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import { Facts } from '../../../directory/facts.js';
import { mayRead } from '../../../directory/readable-messages.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { EphemeralBus } from '../../event-queues/commands/ephemeral-bus.js';
import type { EphemeralEvent } from '../../event-queues/queries/ephemeral-event.js';
import { UserSettings } from '../../personal/queries/user-settings.js';
import { requireEditable, SetEditTyping } from '../domain/set-edit-typing.js';
import { formsInTopic, requireShared, subscribersIn, wanting } from './typing-forms.js';

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
    const editor = directory.user(editorId) ?? refuse('USER_NOT_FOUND');
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
