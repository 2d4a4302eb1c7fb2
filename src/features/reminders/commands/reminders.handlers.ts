import { Facts } from '../../../directory/facts.js';
import { personalStream } from '../../../events/personal/personal.events.js';
import type { ReminderEvent } from '../../../events/reminders/reminders.events.js';
import type { MessageScheduled } from '../../../events/scheduled-messages/scheduled-messages.events.js';
import { decidesOn, firstOf } from '../../../platform/commands/decides-on.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { readableMessage } from '../../messages/queries/message-to-change.js';
import type { DueItems } from '../../scheduled-messages/domain/due-items.js';
import {
  BeginReminder,
  DeleteReminder,
  DropReminder,
  decideBeginReminder,
  decideDeleteReminder,
  decideDropReminder,
  decideEndReminder,
  decideSetReminder,
  EndReminder,
  reminders,
  SetReminder,
} from '../domain/reminders.js';

const remindersOf = ({
  userId,
}: {
  readonly userId: number;
}): CommandStream<DueItems, ReminderEvent | MessageScheduled> => ({
  stream: personalStream(userId),
  decider: reminders,
  expects: 'any',
});

export const reminderHandlers = [
  decidesOn(SetReminder, {
    stream: remindersOf,
    decide: decideSetReminder,
    uses: Facts,
    facts: async ({ userId, messageId }, facts) => {
      const reader = facts.directory.existingUser(userId);
      await readableMessage(messageId, reader, facts);
      return { keyId: newEventId(), now: Date.now() };
    },
    answer: (events) => firstOf(events).data.reminderId,
  }),
  decidesOn(DeleteReminder, { stream: remindersOf, decide: decideDeleteReminder }),
  decidesOn(BeginReminder, { stream: remindersOf, decide: decideBeginReminder, facts: () => ({ now: Date.now() }) }),
  decidesOn(EndReminder, { stream: remindersOf, decide: decideEndReminder }),
  decidesOn(DropReminder, { stream: remindersOf, decide: decideDropReminder }),
];
