import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { scheduledMessages as list } from '../../../../projections/scheduled-messages/scheduled-messages.projection.js';
import { personalStream } from '../../../events/personal/personal.events.js';
import type { ReminderSet } from '../../../events/reminders/reminders.events.js';
import type { ScheduledMessageEvent } from '../../../events/scheduled-messages/scheduled-messages.events.js';
import { decidesOn, firstOf } from '../../../platform/commands/decides-on.js';
import { type CommandStream, Decisions } from '../../../platform/commands/decisions.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import type { Position } from '../../../platform/kernel/position.js';
import { READ_MODELS, type ReadModels, reach } from '../../../platform/read-models/read-models.js';
import { itemsById } from '../../../platform/read-models/read-user-list.js';
import { MessageWriting } from '../../messages/services/message-writing.js';
import {
  BeginScheduledSend,
  changedMessage,
  DeleteScheduledMessage,
  decideBeginScheduledSend,
  decideDeleteScheduledMessage,
  decideEditScheduledMessage,
  decideEndScheduledSend,
  decideFailScheduledSend,
  decideScheduleMessage,
  EditScheduledMessage,
  type EditScheduledMessageFacts,
  EndScheduledSend,
  FailScheduledSend,
  requireFuture,
  type ScheduledMessagesState,
  ScheduleMessage,
  scheduledMessages,
} from '../domain/scheduled-messages.js';

const schedulesOf = ({
  userId,
}: {
  readonly userId: number;
}): CommandStream<ScheduledMessagesState, ScheduledMessageEvent | ReminderSet> => ({
  stream: personalStream(userId),
  decider: scheduledMessages,
  expects: 'any',
});

export const scheduledMessageHandlers = [
  decidesOn(ScheduleMessage, {
    stream: schedulesOf,
    decide: decideScheduleMessage,
    uses: MessageWriting,
    facts: async ({ userId, message, sendAt }, writing) => {
      const now = Date.now();
      // Before the message is rendered.
      requireFuture(sendAt, now);
      const { written } = await writing.write({ message, senderId: userId });
      return { keyId: newEventId(), now, written };
    },
    answer: (events) => firstOf(events).data.scheduleId,
  }),
  decidesOn(DeleteScheduledMessage, { stream: schedulesOf, decide: decideDeleteScheduledMessage }),
  decidesOn(BeginScheduledSend, {
    stream: schedulesOf,
    decide: decideBeginScheduledSend,
    facts: () => ({ now: Date.now() }),
  }),
  decidesOn(EndScheduledSend, { stream: schedulesOf, decide: decideEndScheduledSend }),
  decidesOn(FailScheduledSend, { stream: schedulesOf, decide: decideFailScheduledSend }),
];

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
    await reach(position, list, this.readModels, 'the words of the scheduled message cannot be read yet');
    const [found] = await itemsById(list, userId, [scheduleId], this.readModels);
    if (!found) return { keyId: newEventId(), now, written: null };
    const message = changedMessage(found, changes);
    const { written } = await this.writing.write({ message, senderId: userId });
    return { keyId: newEventId(), now, written };
  }
}
