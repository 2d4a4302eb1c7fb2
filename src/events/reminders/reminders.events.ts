import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsUser } from '../shared/concerned.js';

/** Greatest length of a note, in Unicode code points; clients get it in the register response. */
export const MAX_NOTE_LENGTH = 500;

interface OfReminder {
  readonly userId: number;
  readonly reminderId: number;
}

/** The sealed content. The words of the message are not in it: they are looked up when the reminder is read or sent. */
interface ReminderWords {
  /** Empty: none. */
  readonly note: string;
}

/**
 * A user wants to be reminded of a message. In the user's stream, `user-<id>`. Ids count from 1 for each user, together
 * with those of scheduled messages.
 */
export type ReminderSet = DomainEvent<
  'ReminderSet',
  OfReminder & {
    readonly messageId: number;
    /** Milliseconds since 1970. */
    readonly sendAt: number;
    /** The content key of `words`: the event's id. */
    readonly keyId: string;
    /** null once the content key is destroyed. */
    readonly words: ReminderWords | null;
  }
>;

/** The user does not want it any more, or is deactivated at its time. The content key is destroyed too. */
export type ReminderDeleted = DomainEvent<'ReminderDeleted', OfReminder & { readonly keyId: string }>;

/** A process of the server sends the reminder from now on: nobody deletes it any more. */
export type ReminderSendBegun = DomainEvent<
  'ReminderSendBegun',
  OfReminder & {
    /** Milliseconds since 1970. Another process takes over if the end is not recorded for a while after this time. */
    readonly begunAt: number;
  }
>;

/** The reminder is sent. The content key is destroyed too: the message has its own. */
export type ReminderSent = DomainEvent<
  'ReminderSent',
  OfReminder & {
    readonly keyId: string;
    /** Id of the message from the Notification Bot. */
    readonly messageId: number;
  }
>;

export type ReminderEvent = ReminderSet | ReminderDeleted | ReminderSendBegun | ReminderSent;

export const reminderEvents = [
  defineEvent<ReminderSet>({
    type: 'ReminderSet',
    concerns: ({ data: { userId, messageId } }) => ({ userIds: [userId], messageIds: [messageId] }),
    sealed: { field: 'words', under: 'own key', shownTo: { only: 'userId' } },
    keys: { keyId: 'seals' },
  }),
  defineEvent<ReminderDeleted>({ type: 'ReminderDeleted', concerns: concernsUser, keys: { keyId: 'ends' } }),
  defineEvent<ReminderSendBegun>({ type: 'ReminderSendBegun', concerns: concernsUser }),
  defineEvent<ReminderSent>({
    type: 'ReminderSent',
    concerns: ({ data: { userId, messageId } }) => ({ userIds: [userId], messageIds: [messageId] }),
    keys: { keyId: 'ends' },
  }),
];
