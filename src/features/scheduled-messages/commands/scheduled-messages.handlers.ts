import { personalStream } from '../../../events/personal/personal.events.js';
import type { ReminderSet } from '../../../events/reminders/reminders.events.js';
import type { ScheduledMessageEvent } from '../../../events/scheduled-messages/scheduled-messages.events.js';
import { decidesOn, fromFirst } from '../../../platform/commands/decides-on.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { newEventId } from '../../../platform/kernel/new-event-id.js';
import { MessageWriting } from '../../messages/commands/message-writing.js';
import {
  DeleteScheduledMessage,
  decideDeleteScheduledMessage,
  decideScheduleMessage,
  requireFuture,
  type ScheduledMessagesState,
  ScheduleMessage,
  scheduledMessages,
} from '../domain/scheduled-messages.js';
import {
  BeginScheduledSend,
  decideBeginScheduledSend,
  decideEndScheduledSend,
  decideFailScheduledSend,
  EndScheduledSend,
  FailScheduledSend,
} from '../domain/send-scheduled-message.js';

export const schedulesOf = ({
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
      const { written } = await writing.write({ message, senderId: userId }, await writing.coloursOf(message.content));
      return { keyId: newEventId(), now, written };
    },
    answer: fromFirst(({ data }) => data.scheduleId),
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
