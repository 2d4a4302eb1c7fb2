import { Inject, Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  type ScheduledMessageDocument,
  scheduledMessages,
} from '../../../../projections/scheduled-messages/scheduled-messages.projection.js';
import { Directory } from '../../../directory/directory.js';
import { Sweeper } from '../../../platform/commands/sweeper.js';
import { DomainError, refuse } from '../../../platform/kernel/deciding.js';
import { newEventId } from '../../../platform/kernel/new-event-id.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { SendMessage } from '../../messages/domain/send-message.js';
import { BeginScheduledSend, EndScheduledSend, FailScheduledSend } from '../domain/send-scheduled-message.js';
import { addresseeOf } from '../domain/written-schedule.js';

const EVERY_MS = 1000;
/** What other processes have scheduled is found after so long at the latest. */
const LOOK_EVERY_MS = 10_000;
const MOST_AT_ONCE = 100;
/** A message that could not be sent for so long is not sent any more. */
const LATEST_AFTER_MS = 10 * 60_000;

/**
 * Sends the messages whose time has come, by the rules of that time. Every process that answers clients looks for them.
 * The first one to record that it begins sends the message; another one takes over if that process ends. The id of the
 * message follows from the id of the scheduled version, so it is sent once even if both go on.
 */
@Injectable()
export class ScheduledMessageSender extends Sweeper {
  private readonly log = new Logger('ScheduledMessages');
  /** No message is due before, as far as this process knows. */
  private nextDue = 0;

  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {
    super({ name: 'ScheduledMessages', failure: 'scheduled messages could not be looked for', every: EVERY_MS });
  }

  async sweep(): Promise<void> {
    const documents = this.readModels.collection<ScheduledMessageDocument>(scheduledMessages, scheduledMessages.items);
    const now = Date.now();
    this.nextDue = now + LOOK_EVERY_MS;
    const next = await documents
      .find({ isFailed: false }, { sort: { sendAt: 1 }, limit: MOST_AT_ONCE })
      .catch((error: unknown) => {
        this.nextDue = now;
        throw error;
      });
    // What is due stays due until it is sent: the next run looks again.
    this.expect(next[0]?.sendAt ?? Number.POSITIVE_INFINITY);
    const due = next.filter(({ sendAt }) => sendAt <= now);
    for (const message of due) {
      if (this.isOver) return;
      await this.deliver(message).catch((error: unknown) => {
        this.log.warn(`a scheduled message could not be sent yet: ${String(error)}`);
      });
    }
  }

  /** Has messages looked for at that time: one has been scheduled, or its time has been changed. */
  expect(sendAt: number): void {
    this.nextDue = Math.min(this.nextDue, sendAt);
  }

  protected override isIdle(): boolean {
    return Date.now() < this.nextDue;
  }

  private async deliver(message: ScheduledMessageDocument): Promise<void> {
    const { userId, scheduleId, keyId } = message;
    const version = { userId, scheduleId, keyId, by: this.context() };
    if (!(await this.isBegun(new BeginScheduledSend(version)))) return;
    try {
      const messageId = await this.send(message);
      await this.commands.execute(new EndScheduledSend({ ...version, messageId }));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      await this.commands.execute(new FailScheduledSend({ ...version, reason: error.code }));
    }
  }

  /** False if the message has been changed, or another process sends it. */
  private async isBegun(begin: BeginScheduledSend): Promise<boolean> {
    try {
      await this.commands.execute(begin);
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  private async send({ userId, keyId, recipient, topic, text, ...rest }: ScheduledMessageDocument): Promise<number> {
    if (!this.directory.user(userId)?.isActive) refuse('USER_NOT_FOUND');
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
