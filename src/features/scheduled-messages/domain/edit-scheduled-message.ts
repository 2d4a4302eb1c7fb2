import type {
  ScheduledHead,
  ScheduledMessageEdited,
  ScheduledWords,
} from '../../../events/scheduled-messages/scheduled-messages.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { Addressee, WrittenMessage } from '../../messages/domain/send-message.js';
import { assertRoom, requireFuture, type ScheduledMessagesState, sizeOf } from './scheduled-messages.state.js';
import { addresseeOf, addresseeWith, scheduledRecipient, wordsOf } from './written-schedule.js';

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
