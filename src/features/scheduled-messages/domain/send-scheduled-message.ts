import type {
  ScheduledMessageFailed,
  ScheduledMessageSendBegun,
  ScheduledMessageSent,
} from '../../../events/scheduled-messages/scheduled-messages.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { ScheduledMessagesState } from './scheduled-messages.js';

/** After this time a process that has begun to send counts as gone, and another one takes over. */
export const TAKEN_OVER_AFTER_MS = 10_000;

/** Whether the process that began a send counts as gone. */
export const isTakenOver = ({ begunAt }: { readonly begunAt: number }, now: number): boolean =>
  now >= begunAt + TAKEN_OVER_AFTER_MS;

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
  if (schedule?.keyId !== keyId || schedule.status === 'failed') return refuse('SCHEDULE_NOT_FOUND');
  if (schedule.status === 'sending' && !isTakenOver(schedule, now)) refuse('SCHEDULE_NOT_FOUND');
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
