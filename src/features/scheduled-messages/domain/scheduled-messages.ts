import type { Recipient } from '../../../events/messages/messages.events.js';
import type { ReminderSet } from '../../../events/reminders/reminders.events.js';
import type {
  MessageScheduled,
  ScheduledHead,
  ScheduledMessageDeleted,
  ScheduledMessageEdited,
  ScheduledMessageEvent,
  ScheduledMessageFailed,
  ScheduledMessageSendBegun,
  ScheduledMessageSent,
  ScheduledRecipient,
  ScheduledWords,
} from '../../../events/scheduled-messages/scheduled-messages.events.js';
import { bytesInJson } from '../../../platform/kernel/byte-budget.js';
import { Command, type Decide, type Decider, refuse } from '../../../platform/kernel/deciding.js';
import type { Addressee, WrittenMessage } from '../../messages/domain/send-message.js';
import { atStage, type DueItem, type DueItems, mayBegin, noItems, withItem, withoutItem } from './due-items.js';

interface ScheduleFields {
  readonly head: ScheduledHead;
  /** In bytes as JSON. */
  readonly size: number;
}

/** The id of its content key names this version of the message. */
type Schedule = DueItem<ScheduleFields>;

export type ScheduledMessagesState = DueItems<ScheduleFields>;

/** Greatest size of a user's scheduled messages together, in bytes as JSON: the state of a registration has all of them. */
const MOST_SCHEDULED_BYTES = 4 * 1024 ** 2;

/** @throws DomainError SCHEDULE_TIME_PAST */
export function requireFuture(sendAt: number, now: number): void {
  if (sendAt <= now) refuse('SCHEDULE_TIME_PAST');
}

const sizeOf = ({ recipient }: ScheduledHead, words: ScheduledWords | null): number => bytesInJson([recipient, words]);

/** @param growth bytes that the messages would take more @throws DomainError SCHEDULES_TOO_LARGE */
function assertRoom({ byId }: ScheduledMessagesState, growth: number): void {
  if (growth > 0 && byId.reduce((sum, { size }) => sum + size, growth) > MOST_SCHEDULED_BYTES)
    refuse('SCHEDULES_TOO_LARGE', { limit: MOST_SCHEDULED_BYTES / 1024 ** 2 });
}

const headOf = ({ recipient, sendAt, readBySender }: ScheduledHead): ScheduledHead => ({
  recipient,
  sendAt,
  readBySender,
});

const scheduleOf = (head: ScheduledHead, keyId: string, words: ScheduledWords | null): Schedule => ({
  head,
  keyId,
  size: sizeOf(head, words),
  status: 'waiting',
});

/** One user's scheduled messages. Other events of the user's stream do not change them. */
export const scheduledMessages: Decider<ScheduledMessagesState, ScheduledMessageEvent | ReminderSet> = {
  initialState: noItems(),
  evolve: (state, event) => {
    if (event.type === 'ReminderSet') return { ...state, lastId: event.data.reminderId };
    const { scheduleId } = event.data;
    switch (event.type) {
      case 'MessageScheduled':
        return withItem(state, scheduleId, scheduleOf(headOf(event.data), event.data.keyId, event.data.words));
      case 'ScheduledMessageEdited':
        return withItem(state, scheduleId, scheduleOf(event.data.to, event.data.keyId, event.data.words));
      case 'ScheduledMessageSendBegun':
        return atStage(state, scheduleId, { status: 'sending', begunAt: event.data.begunAt });
      case 'ScheduledMessageFailed':
        return atStage(state, scheduleId, { status: 'failed' });
      case 'ScheduledMessageDeleted':
      case 'ScheduledMessageSent':
        return withoutItem(state, scheduleId);
      default:
        event satisfies never;
        return state;
    }
  },
};

function scheduledRecipient(recipient: Recipient, writerId: number): ScheduledRecipient {
  if (recipient.type === 'channel') return { type: 'channel', channelId: recipient.channelId };
  const others = recipient.userIds.filter((id) => id !== writerId);
  return { type: 'direct', userIds: others.length === 0 ? [writerId] : others };
}

const wordsOf = ({ recipient, content: { text, rendered } }: WrittenMessage): ScheduledWords => ({
  topic: recipient.type === 'channel' ? recipient.topic : '',
  text,
  rendered,
});

/** @param ids the channel's, or those of users @throws DomainError ONE_CHANNEL_EXPECTED */
export function addresseeWith(type: Addressee['type'], ids: readonly number[], topic: string | null): Addressee {
  if (type === 'direct') return { type, users: [...new Set(ids)] };
  const [channel] = ids;
  if (channel === undefined || ids.length > 1) return refuse('ONE_CHANNEL_EXPECTED');
  return { type, channel, topic };
}

/** The addressees as a send names them. */
export const addresseeOf = (recipient: ScheduledRecipient, topic: string): Addressee =>
  recipient.type === 'channel'
    ? { type: 'channel', channel: recipient.channelId, topic }
    : { type: 'direct', users: recipient.userIds };

/** Greatest number of scheduled messages of a user: the state of a registration has all of them. */
export const MOST_SCHEDULES = 1000;

/** Schedules a message. The result is its id among those of the user. */
export class ScheduleMessage extends Command<
  {
    userId: number;
    message: { readonly to: Addressee; readonly content: string };
    /** Milliseconds since 1970. */
    sendAt: number;
    readBySender: boolean;
  },
  number
> {}

interface ScheduleMessageFacts {
  readonly keyId: string;
  readonly now: number;
  /** The message as it could be sent now. */
  readonly written: WrittenMessage;
}

export const decideScheduleMessage: Decide<
  ScheduleMessage,
  ScheduledMessagesState,
  MessageScheduled,
  ScheduleMessageFacts
> = ({ userId, sendAt, readBySender }, state, { keyId, now, written }) => {
  requireFuture(sendAt, now);
  if (state.byId.size >= MOST_SCHEDULES) refuse('TOO_MANY_SCHEDULES', { limit: MOST_SCHEDULES });
  const head = { recipient: scheduledRecipient(written.recipient, userId), sendAt, readBySender };
  const words: ScheduledWords = wordsOf(written);
  assertRoom(state, sizeOf(head, words));
  return [{ type: 'MessageScheduled', data: { userId, scheduleId: state.lastId + 1, ...head, keyId, words } }];
};

/** New values. Absent ones stay as they are. */
export interface ScheduleChanges {
  readonly type?: Addressee['type'];
  /** A channel's id, or ids of users. */
  readonly to?: readonly number[];
  readonly topic?: string;
  readonly content?: string;
  /** Milliseconds since 1970. */
  readonly sendAt?: number;
}

export class EditScheduledMessage extends Command<{ userId: number; scheduleId: number; changes: ScheduleChanges }> {}

export interface EditScheduledMessageFacts {
  readonly keyId: string;
  readonly now: number;
  /** The changed message as it could be sent now; null if there is no such scheduled message. */
  readonly written: WrittenMessage | null;
}

export const decideEditScheduledMessage: Decide<
  EditScheduledMessage,
  ScheduledMessagesState,
  ScheduledMessageEdited,
  EditScheduledMessageFacts
> = ({ userId, scheduleId, changes }, state, { keyId, now, written }) => {
  const schedule = state.byId.get(scheduleId) ?? refuse('SCHEDULE_NOT_FOUND');
  if (schedule.status === 'sending') refuse('SCHEDULE_SENT');
  const { head: from, keyId: previousKeyId, size, status } = schedule;
  // A message that could not be sent needs a new time.
  if (status === 'failed' || changes.sendAt !== undefined) requireFuture(changes.sendAt ?? 0, now);
  const { recipient, content } = written ?? refuse('SCHEDULE_NOT_FOUND');
  const words = wordsOf({ recipient, content });
  const to = { ...from, recipient: scheduledRecipient(recipient, userId), sendAt: changes.sendAt ?? from.sendAt };
  assertRoom(state, sizeOf(to, words) - size);
  return [{ type: 'ScheduledMessageEdited', data: { userId, scheduleId, keyId, previousKeyId, from, to, words } }];
};

/** The message with the changes. @throws DomainError if the changes do not say enough */
export function changedMessage(
  { recipient, topic, text }: Pick<ScheduledHead, 'recipient'> & Pick<ScheduledWords, 'topic' | 'text'>,
  changes: ScheduleChanges,
): { readonly to: Addressee; readonly content: string } {
  const content = changes.content ?? text;
  const type = changes.type ?? recipient.type;
  if (changes.type !== undefined && changes.to === undefined) refuse('SCHEDULE_RECIPIENT_MISSING');
  if (changes.type === 'channel' && changes.topic === undefined) refuse('SCHEDULE_TOPIC_MISSING');
  const newTopic = changes.topic ?? topic;
  if (changes.to === undefined) return { to: addresseeOf(recipient, newTopic), content };
  return { to: addresseeWith(type, changes.to, newTopic), content };
}

export class DeleteScheduledMessage extends Command<{ userId: number; scheduleId: number }> {}

export const decideDeleteScheduledMessage: Decide<
  DeleteScheduledMessage,
  ScheduledMessagesState,
  ScheduledMessageDeleted
> = ({ userId, scheduleId }, { byId }) => {
  const { keyId, status } = byId.get(scheduleId) ?? refuse('SCHEDULE_NOT_FOUND');
  if (status === 'sending') refuse('SCHEDULE_SENT');
  return [{ type: 'ScheduledMessageDeleted', data: { userId, scheduleId, keyId } }];
};

/** One version of a scheduled message. */
interface OfVersion {
  userId: number;
  scheduleId: number;
  /** Names the version. */
  keyId: string;
}

/** Refuses with SCHEDULE_NOT_FOUND if this process is not to send this version of the message now. */
export class BeginScheduledSend extends Command<OfVersion> {}

export const decideBeginScheduledSend: Decide<
  BeginScheduledSend,
  ScheduledMessagesState,
  ScheduledMessageSendBegun,
  { readonly now: number }
> = ({ userId, scheduleId, keyId }, { byId }, { now }) => {
  const schedule = byId.get(scheduleId);
  if (schedule?.keyId !== keyId || !mayBegin(schedule, now)) refuse('SCHEDULE_NOT_FOUND');
  return [{ type: 'ScheduledMessageSendBegun', data: { userId, scheduleId, begunAt: now } }];
};

/** Records that the message is sent. */
export class EndScheduledSend extends Command<OfVersion & { messageId: number }> {}

export const decideEndScheduledSend: Decide<EndScheduledSend, ScheduledMessagesState, ScheduledMessageSent> = (
  { userId, scheduleId, keyId, messageId },
  { byId },
) =>
  // Even if another process has recorded a failure: the message is in the log.
  byId.get(scheduleId)?.keyId === keyId
    ? [{ type: 'ScheduledMessageSent', data: { userId, scheduleId, keyId, messageId } }]
    : [];

/** Records that the message is refused. */
export class FailScheduledSend extends Command<OfVersion & { reason: string }> {}

export const decideFailScheduledSend: Decide<FailScheduledSend, ScheduledMessagesState, ScheduledMessageFailed> = (
  { userId, scheduleId, keyId, reason },
  { byId },
) => {
  const schedule = byId.get(scheduleId);
  if (schedule?.keyId !== keyId || schedule.status !== 'sending') return [];
  const { sendAt } = schedule.head;
  return [{ type: 'ScheduledMessageFailed', data: { userId, scheduleId, sendAt, reason } }];
};
