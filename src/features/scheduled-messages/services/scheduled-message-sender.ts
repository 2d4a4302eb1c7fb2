import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  type ScheduledMessageDocument,
  scheduledMessages,
} from '../../../../projections/scheduled-messages/scheduled-messages.projection.js';
import { Facts } from '../../../directory/facts.js';
import { DueSweeper } from '../../../platform/commands/due-sweeper.js';
import { DomainError, refuse } from '../../../platform/kernel/deciding.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { SendMessage } from '../../messages/domain/send-message.js';
import { addresseeOf, BeginScheduledSend, EndScheduledSend, FailScheduledSend } from '../domain/scheduled-messages.js';

/** A message that could not be sent for so long is not sent any more. */
const LATEST_AFTER_MS = 10 * 60_000;

/**
 * Sends the messages whose time has come, by the rules of that time. Every process that answers clients looks for them.
 * The first one to record that it begins sends the message; another one takes over if that process ends. The id of the
 * message follows from the id of the scheduled version, so it is sent once even if both go on.
 */
@Injectable()
export class ScheduledMessageSender extends DueSweeper<ScheduledMessageDocument> {
  constructor(
    private readonly commands: CommandBus,
    private readonly facts: Facts,
  ) {
    super({
      name: 'ScheduledMessages',
      item: 'scheduled message',
      list: scheduledMessages,
      waiting: { isFailed: false },
      readModels: facts.readModels,
    });
  }

  protected async deliver(message: ScheduledMessageDocument): Promise<void> {
    const { userId, scheduleId, keyId } = message;
    const version = { userId, scheduleId, keyId, by: this.context() };
    if (!(await this.isBegun(() => this.commands.execute(new BeginScheduledSend(version))))) return;
    try {
      const messageId = await this.send(message);
      await this.commands.execute(new EndScheduledSend({ ...version, messageId }));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.commands.execute(new FailScheduledSend({ ...version, reason: error.code }));
    }
  }

  private async send({ userId, keyId, recipient, topic, text, ...rest }: ScheduledMessageDocument): Promise<number> {
    if (!this.facts.directory.user(userId)?.isActive) refuse('USER_NOT_FOUND');
    const { sendAt, readBySender, client } = rest;
    const { messageId } = await this.commands.execute(
      new SendMessage({
        message: {
          to: addresseeOf(recipient, topic),
          content: text,
          readBySender,
          localEcho: null,
          idempotencyKey: `scheduled message ${keyId}`,
          notAfter: sendAt + LATEST_AFTER_MS,
        },
        senderId: userId,
        by: { actorId: userId, client, correlationId: newEventId() },
      }),
    );
    return messageId;
  }
}
