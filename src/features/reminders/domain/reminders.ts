import {
  MAX_NOTE_LENGTH,
  type ReminderDeleted,
  type ReminderEvent,
  type ReminderSendBegun,
  type ReminderSent,
  type ReminderSet,
} from '../../../events/reminders/reminders.events.js';
import type { MessageScheduled } from '../../../events/scheduled-messages/scheduled-messages.events.js';
import { Command, type Decide, type Decider, refuse } from '../../../platform/kernel/deciding.js';
import { longerThan } from '../../../platform/kernel/text.js';
import {
  atStage,
  type DueItems,
  mayBegin,
  noItems,
  withItem,
  withoutItem,
} from '../../scheduled-messages/domain/due-items.js';
import { requireFuture } from '../../scheduled-messages/domain/scheduled-messages.js';

/** One user's reminders. Other events of the user's stream do not change them. */
export const reminders: Decider<DueItems, ReminderEvent | MessageScheduled> = {
  initialState: noItems(),
  evolve: (state, event) => {
    switch (event.type) {
      case 'ReminderSet':
        return withItem(state, event.data.reminderId, { keyId: event.data.keyId, status: 'waiting' });
      case 'MessageScheduled':
        return { ...state, lastId: event.data.scheduleId };
      case 'ReminderSendBegun':
        return atStage(state, event.data.reminderId, { status: 'sending', begunAt: event.data.begunAt });
      case 'ReminderDeleted':
      case 'ReminderSent':
        return withoutItem(state, event.data.reminderId);
      default:
        event satisfies never;
        return state;
    }
  },
};

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
  DueItems,
  ReminderSet,
  { readonly keyId: string; readonly now: number }
> = ({ userId, messageId, sendAt, note }, { byId, lastId }, { keyId, now }) => {
  requireFuture(sendAt, now);
  if (longerThan(note, MAX_NOTE_LENGTH)) refuse('REMINDER_NOTE_TOO_LONG', { limit: MAX_NOTE_LENGTH });
  if (byId.size >= MOST_REMINDERS) refuse('TOO_MANY_REMINDERS', { limit: MOST_REMINDERS });
  return [{ type: 'ReminderSet', data: { userId, reminderId: lastId + 1, messageId, sendAt, keyId, words: { note } } }];
};

interface OfReminder {
  userId: number;
  reminderId: number;
}

export class DeleteReminder extends Command<OfReminder> {}

export const decideDeleteReminder: Decide<DeleteReminder, DueItems, ReminderDeleted> = (command, state) =>
  // One that is being sent reaches the user anyway.
  state.byId.get(command.reminderId)?.status === 'waiting'
    ? decideDropReminder(command, state, undefined)
    : refuse('REMINDER_NOT_FOUND');

/** Refuses with REMINDER_NOT_FOUND if this process is not to send the reminder now. */
export class BeginReminder extends Command<OfReminder> {}

export const decideBeginReminder: Decide<BeginReminder, DueItems, ReminderSendBegun, { readonly now: number }> = (
  { userId, reminderId },
  { byId },
  { now },
) => {
  if (!mayBegin(byId.get(reminderId), now)) refuse('REMINDER_NOT_FOUND');
  return [{ type: 'ReminderSendBegun', data: { userId, reminderId, begunAt: now } }];
};

/** Records that the reminder is sent. */
export class EndReminder extends Command<OfReminder & { messageId: number }> {}

export const decideEndReminder: Decide<EndReminder, DueItems, ReminderSent> = (
  { userId, reminderId, messageId },
  { byId },
) => {
  const reminder = byId.get(reminderId);
  return reminder ? [{ type: 'ReminderSent', data: { userId, reminderId, keyId: reminder.keyId, messageId } }] : [];
};

/** Removes a reminder whose user is deactivated at its time. */
export class DropReminder extends Command<OfReminder> {}

export const decideDropReminder: Decide<DropReminder, DueItems, ReminderDeleted> = (
  { userId, reminderId },
  { byId },
) => {
  const reminder = byId.get(reminderId);
  return reminder ? [{ type: 'ReminderDeleted', data: { userId, reminderId, keyId: reminder.keyId } }] : [];
};
