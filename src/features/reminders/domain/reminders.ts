import { Map as PersistentMap } from 'immutable';
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
import { longerThan } from '../../../platform/kernel/longer-than.js';
import { requireFuture } from '../../scheduled-messages/domain/scheduled-messages.js';
import { isTakenOver } from '../../scheduled-messages/domain/send-scheduled-message.js';

/** A reminder without its note: a remembered state keeps no secret of a deleted reminder. */
export type Reminder = {
  /** Id of the content key. */
  readonly keyId: string;
} & (
  | { readonly status: 'waiting' }
  /** `begunAt`: milliseconds since 1970. */
  | { readonly status: 'sending'; readonly begunAt: number }
);

export interface RemindersState {
  readonly byId: PersistentMap<number, Reminder>;
  /** Of reminders and scheduled messages, which have their ids in common. 0: there has been none. */
  readonly lastId: number;
}

/** One user's reminders. Other events of the user's stream do not change them. */
export const reminders: Decider<RemindersState, ReminderEvent | MessageScheduled> = {
  initialState: { byId: PersistentMap(), lastId: 0 },
  evolve: (state, event) => {
    const { byId } = state;
    switch (event.type) {
      case 'ReminderSet': {
        const { reminderId, keyId } = event.data;
        return { byId: byId.set(reminderId, { keyId, status: 'waiting' }), lastId: reminderId };
      }
      case 'MessageScheduled':
        return { ...state, lastId: event.data.scheduleId };
      case 'ReminderSendBegun': {
        const { reminderId, begunAt } = event.data;
        const reminder = byId.get(reminderId);
        return reminder ? { ...state, byId: byId.set(reminderId, { ...reminder, status: 'sending', begunAt }) } : state;
      }
      case 'ReminderDeleted':
      case 'ReminderSent':
        return { ...state, byId: byId.delete(event.data.reminderId) };
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
  RemindersState,
  ReminderSet,
  { readonly keyId: string; readonly now: number }
> = ({ userId, messageId, sendAt, note }, { byId, lastId }, { keyId, now }) => {
  requireFuture(sendAt, now);
  if (longerThan(note, MAX_NOTE_LENGTH)) refuse('REMINDER_NOTE_TOO_LONG', { limit: MAX_NOTE_LENGTH });
  if (byId.size >= MOST_REMINDERS) refuse('TOO_MANY_REMINDERS', { limit: MOST_REMINDERS });
  return [{ type: 'ReminderSet', data: { userId, reminderId: lastId + 1, messageId, sendAt, keyId, words: { note } } }];
};

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
