import type { ReminderDeleted } from '../../../events/reminders/reminders.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { RemindersState } from './reminders.state.js';

export class DeleteReminder extends Command<{ userId: number; reminderId: number }> {}

export const decideDeleteReminder: Decide<DeleteReminder, RemindersState, ReminderDeleted> = (
  { userId, reminderId },
  { byId },
) => {
  const reminder = byId.get(reminderId);
  // One that is being sent reaches the user anyway.
  if (reminder?.status !== 'waiting') return refuse('REMINDER_NOT_FOUND');
  return [{ type: 'ReminderDeleted', data: { userId, reminderId, keyId: reminder.keyId } }];
};
