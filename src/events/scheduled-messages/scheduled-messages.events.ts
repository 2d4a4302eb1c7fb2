import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernedAddressees, concernedTogether, concernsUser } from '../shared/concerned.js';

/** The addressees. The writer is in every conversation, and is named only in one with themselves. */
export type ScheduledRecipient =
  | { readonly type: 'channel'; readonly channelId: number }
  /** Ascending. */
  | { readonly type: 'direct'; readonly userIds: readonly number[] };

/** The sealed content. The topic is sealed too: one that nobody has written in yet is content as well. */
export interface ScheduledWords {
  /** Empty in a direct message. */
  readonly topic: string;
  readonly text: string;
  /** The text in HTML, as it was rendered when it was written. It is rendered anew when it is sent. */
  readonly rendered: string;
}

/** The fields that are not sealed. */
export interface ScheduledHead {
  readonly recipient: ScheduledRecipient;
  /** Milliseconds since 1970. */
  readonly sendAt: number;
  readonly readBySender: boolean;
}

interface OfSchedule {
  readonly userId: number;
  readonly scheduleId: number;
}

/** In the user's stream, `user-<id>`. Ids count from 1 for each user, with those of reminders, and are never reused. */
export type MessageScheduled = DomainEvent<
  'MessageScheduled',
  OfSchedule &
    ScheduledHead & {
      /** The content key of `words`: the event's id. */
      readonly keyId: string;
      /** null once the content key is destroyed. */
      readonly words: ScheduledWords | null;
    }
>;

/** Replaces the message, and makes it wait again if it had failed. The key of the previous content is destroyed. */
export type ScheduledMessageEdited = DomainEvent<
  'ScheduledMessageEdited',
  OfSchedule & {
    readonly keyId: string;
    readonly previousKeyId: string;
    readonly from: ScheduledHead;
    readonly to: ScheduledHead;
    readonly words: ScheduledWords | null;
  }
>;

/** The content key is destroyed too. */
export type ScheduledMessageDeleted = DomainEvent<'ScheduledMessageDeleted', OfSchedule & { readonly keyId: string }>;

/** A process of the server sends the message from now on: nobody edits or deletes it any more. */
export type ScheduledMessageSendBegun = DomainEvent<
  'ScheduledMessageSendBegun',
  OfSchedule & {
    /** Milliseconds since 1970. Another process takes over if the end is not recorded for a while after this time. */
    readonly begunAt: number;
  }
>;

/** The message is sent at its time. The content key is destroyed too: the message has its own. */
export type ScheduledMessageSent = DomainEvent<
  'ScheduledMessageSent',
  OfSchedule & { readonly keyId: string; readonly messageId: number }
>;

/** The message is not sent, and is kept for its writer. */
export type ScheduledMessageFailed = DomainEvent<
  'ScheduledMessageFailed',
  OfSchedule & {
    readonly sendAt: number;
    /** The code of the refusal. */
    readonly reason: string;
  }
>;

export type ScheduledMessageEvent =
  | MessageScheduled
  | ScheduledMessageEdited
  | ScheduledMessageDeleted
  | ScheduledMessageSendBegun
  | ScheduledMessageSent
  | ScheduledMessageFailed;

export const scheduledMessageEvents = [
  defineEvent<MessageScheduled>({
    type: 'MessageScheduled',
    concerns: ({ data: { userId, recipient } }) =>
      concernedTogether({ userIds: [userId] }, concernedAddressees(recipient)),
    sealed: { field: 'words', under: 'own key', shownTo: { only: 'userId' } },
    keys: { keyId: 'seals' },
  }),
  defineEvent<ScheduledMessageEdited>({
    type: 'ScheduledMessageEdited',
    concerns: ({ data: { userId, from, to } }) =>
      concernedTogether({ userIds: [userId] }, concernedAddressees(from.recipient), concernedAddressees(to.recipient)),
    sealed: { field: 'words', under: 'own key', shownTo: { only: 'userId' } },
    keys: { keyId: 'seals', previousKeyId: 'ends' },
  }),
  defineEvent<ScheduledMessageDeleted>({
    type: 'ScheduledMessageDeleted',
    concerns: concernsUser,
    keys: { keyId: 'ends' },
  }),
  defineEvent<ScheduledMessageSendBegun>({ type: 'ScheduledMessageSendBegun', concerns: concernsUser }),
  defineEvent<ScheduledMessageSent>({
    type: 'ScheduledMessageSent',
    concerns: ({ data: { userId, messageId } }) => ({ userIds: [userId], messageIds: [messageId] }),
    keys: { keyId: 'ends' },
  }),
  defineEvent<ScheduledMessageFailed>({ type: 'ScheduledMessageFailed', concerns: concernsUser }),
];
