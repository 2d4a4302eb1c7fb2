import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { scheduledMessages } from '../../../../projections/scheduled-messages/scheduled-messages.projection.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { newEventId } from '../../../platform/kernel/new-event-id.js';
import { UnavailableError } from '../../../platform/kernel/outcome-errors.js';
import type { Position } from '../../../platform/kernel/position.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { itemsById } from '../../../platform/read-models/read-user-list.js';
import { MessageWriting } from '../../messages/commands/message-writing.js';
import {
  changedMessage,
  decideEditScheduledMessage,
  EditScheduledMessage,
  type EditScheduledMessageFacts,
  requireFuture,
} from '../domain/scheduled-messages.js';
import { schedulesOf } from './scheduled-messages.handlers.js';

@CommandHandler(EditScheduledMessage)
export class EditScheduledMessageHandler implements ICommandHandler<EditScheduledMessage> {
  constructor(
    private readonly decisions: Decisions,
    private readonly writing: MessageWriting,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute(command: EditScheduledMessage): Promise<void> {
    await this.decisions.decideAsOf(schedulesOf(command), decideEditScheduledMessage, command, (position) =>
      this.factsAsOf(position, command),
    );
  }

  /** Only the documents have the words that the edit leaves as they are. If they are too new, the append conflicts. */
  private async factsAsOf(
    position: Position,
    { userId, scheduleId, changes }: EditScheduledMessage,
  ): Promise<EditScheduledMessageFacts> {
    const now = Date.now();
    if (changes.sendAt !== undefined) requireFuture(changes.sendAt, now);
    await this.readModels.waitFor([scheduledMessages], position);
    if (this.readModels.position(scheduledMessages) < position)
      throw new UnavailableError('the words of the scheduled message cannot be read yet');
    const [found] = await itemsById(scheduledMessages, userId, [scheduleId], this.readModels);
    if (!found) return { keyId: newEventId(), now, written: null };
    const message = changedMessage(found, changes);
    const colours = await this.writing.coloursOf(message.content);
    const { written } = await this.writing.write({ message, senderId: userId }, colours);
    return { keyId: newEventId(), now, written };
  }
}
