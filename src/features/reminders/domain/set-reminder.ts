import { MAX_NOTE_LENGTH, type ReminderSet } from '../../../events/reminders/reminders.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { longerThan } from '../../../platform/kernel/longer-than.js';
import { requireFuture } from '../../scheduled-messages/domain/scheduled-messages.state.js';
import type { RemindersState } from './reminders.state.js';

/** Greatest number of reminders of a user: the state of a registration has all of them. */
export const MOST_REMINDERS = 250;

/** Sets a reminder of a message that the user may read. The result is its id. */
export class SetReminder extends Command<
  {
    userId: number;
    messageId: number;
    /** Milliseconds since 1970. */
    sendAt: number;
    /** Empty: none. */
    note: string;
  },
  number
> {}

export const decideSetReminder: Decide<
  SetReminder,
  RemindersState,
  ReminderSet,
  { readonly keyId: string; readonly now: number }
> = ({ userId, messageId, sendAt, note }, { byId, lastId }, { keyId, now }) => {
  requireFuture(sendAt, now);
  if (longerThan(note, MAX_NOTE_LENGTH)) refuse('REMINDER_NOTE_TOO_LONG', { limit: MAX_NOTE_LENGTH });
  if (byId.size >= MOST_REMINDERS) refuse('TOO_MANY_REMINDERS', { limit: MOST_REMINDERS });
  return [{ type: 'ReminderSet', data: { userId, reminderId: lastId + 1, messageId, sendAt, keyId, words: { note } } }];
};
