import { Map as PersistentMap } from 'immutable';
import type { ReminderSet } from '../../../events/reminders/reminders.events.js';
import type {
  ScheduledHead,
  ScheduledMessageEvent,
  ScheduledWords,
} from '../../../events/scheduled-messages/scheduled-messages.events.js';
import { bytesInJson } from '../../../platform/kernel/byte-budget.js';
import { type Decider, refuse } from '../../../platform/kernel/deciding.js';

/** A scheduled message without its content: a remembered state keeps no secret of a deleted message. */
export type Schedule = {
  readonly head: ScheduledHead;
  /** Id of the content key, which names this version of the message. */
  readonly keyId: string;
  /** In bytes as JSON. */
  readonly size: number;
} & (
  | { readonly status: 'waiting' }
  /** `begunAt`: milliseconds since 1970. */
  | { readonly status: 'sending'; readonly begunAt: number }
  | { readonly status: 'failed' }
);

/** Greatest size of a user's scheduled messages together, in bytes as JSON: the state of a registration has all of them. */
const MOST_SCHEDULED_BYTES = 4 * 1024 ** 2;

export interface ScheduledMessagesState {
  readonly byId: PersistentMap<number, Schedule>;
  /** Of scheduled messages and reminders, which have their ids in common. 0: there has been none. */
  readonly lastId: number;
}

/** @throws DomainError SCHEDULE_TIME_PAST */
export function requireFuture(sendAt: number, now: number): void {
  if (sendAt <= now) refuse('SCHEDULE_TIME_PAST');
}

export const sizeOf = ({ recipient }: ScheduledHead, words: ScheduledWords | null): number =>
  bytesInJson([recipient, words]);

/** @param growth bytes that the messages would take more @throws DomainError SCHEDULES_TOO_LARGE */
export function assertRoom({ byId }: ScheduledMessagesState, growth: number): void {
  if (growth > 0 && byId.reduce((sum, { size }) => sum + size, growth) > MOST_SCHEDULED_BYTES)
    refuse('SCHEDULES_TOO_LARGE', { limit: MOST_SCHEDULED_BYTES / 1024 ** 2 });
}

const headOf = ({ recipient, sendAt, readBySender }: ScheduledHead): ScheduledHead => ({
  recipient,
  sendAt,
  readBySender,
});

/** One user's scheduled messages. Other events of the user's stream do not change them. */
export const scheduledMessages: Decider<ScheduledMessagesState, ScheduledMessageEvent | ReminderSet> = {
  initialState: { byId: PersistentMap(), lastId: 0 },
  evolve: (state, event) => {
    if (event.type === 'ReminderSet') return { ...state, lastId: event.data.reminderId };
    const { byId } = state;
    const { scheduleId } = event.data;
    switch (event.type) {
      case 'MessageScheduled': {
        const { keyId, words } = event.data;
        const head = headOf(event.data);
        return {
          byId: byId.set(scheduleId, { head, keyId, size: sizeOf(head, words), status: 'waiting' }),
          lastId: scheduleId,
        };
      }
      case 'ScheduledMessageEdited': {
        const { keyId, to: head, words } = event.data;
        return { ...state, byId: byId.set(scheduleId, { head, keyId, size: sizeOf(head, words), status: 'waiting' }) };
      }
      case 'ScheduledMessageSendBegun': {
        const schedule = byId.get(scheduleId);
        if (!schedule) return state;
        const { begunAt } = event.data;
        return { ...state, byId: byId.set(scheduleId, { ...schedule, status: 'sending', begunAt }) };
      }
      case 'ScheduledMessageFailed': {
        const schedule = byId.get(scheduleId);
        return schedule ? { ...state, byId: byId.set(scheduleId, { ...schedule, status: 'failed' }) } : state;
      }
      case 'ScheduledMessageDeleted':
      case 'ScheduledMessageSent':
        return { ...state, byId: byId.delete(scheduleId) };
      default:
        event satisfies never;
        return state;
    }
  },
};
