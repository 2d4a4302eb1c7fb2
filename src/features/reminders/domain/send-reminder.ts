import type { ReminderDeleted, ReminderSendBegun, ReminderSent } from '../../../events/reminders/reminders.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { isTakenOver } from '../../scheduled-messages/domain/send-scheduled-message.js';
import type { RemindersState } from './reminders.state.js';

interface OfReminder {
  userId: number;
  reminderId: number;
}

/** Refuses with REMINDER_NOT_FOUND if this process is not to send the reminder now. */
export class BeginReminder extends Command<OfReminder> {}

export const decideBeginReminder: Decide<BeginReminder, RemindersState, ReminderSendBegun, { readonly now: number }> = (
  { userId, reminderId },
  { byId },
  { now },
) => {
  const reminder = byId.get(reminderId) ?? refuse('REMINDER_NOT_FOUND');
  if (reminder.status === 'sending' && !isTakenOver(reminder, now)) refuse('REMINDER_NOT_FOUND');
  return [{ type: 'ReminderSendBegun', data: { userId, reminderId, begunAt: now } }];
};

/** Records that the reminder is sent. */
export class EndReminder extends Command<OfReminder & { messageId: number }> {}

export const decideEndReminder: Decide<EndReminder, RemindersState, ReminderSent> = (
  { userId, reminderId, messageId },
  { byId },
) => {
  const reminder = byId.get(reminderId);
  return reminder ? [{ type: 'ReminderSent', data: { userId, reminderId, keyId: reminder.keyId, messageId } }] : [];
};

/** Removes a reminder whose user is deactivated at its time. */
export class DropReminder extends Command<OfReminder> {}

export const decideDropReminder: Decide<DropReminder, RemindersState, ReminderDeleted> = (
  { userId, reminderId },
  { byId },
) => {
  const reminder = byId.get(reminderId);
  return reminder ? [{ type: 'ReminderDeleted', data: { userId, reminderId, keyId: reminder.keyId } }] : [];
};
