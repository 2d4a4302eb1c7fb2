import type { MessageScheduled, ScheduledWords } from '../../../events/scheduled-messages/scheduled-messages.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type Addressee, type WrittenMessage } from '../../messages/domain/send-message.js';
import { assertRoom, requireFuture, type ScheduledMessagesState, sizeOf } from './scheduled-messages.state.js';
import { scheduledRecipient, wordsOf } from './written-schedule.js';

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

export interface ScheduleMessageFacts {
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
