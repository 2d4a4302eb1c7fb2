import type { ClientEvent, Registered, Reminder, Scheduled } from '../../platform/client-events.js';

/** One's own messages that are not sent yet, by id. */
export type ScheduledById = ReadonlyMap<number, Scheduled>;
export type RemindersById = ReadonlyMap<number, Reminder>;

const scheduledById = (all: readonly Scheduled[]): ScheduledById =>
  new Map(all.map((one) => [one.scheduled_message_id, one]));

const remindersById = (all: readonly Reminder[]): RemindersById => new Map(all.map((one) => [one.reminder_id, one]));

export const initialScheduled = ({ scheduled_messages }: Registered): ScheduledById =>
  scheduledById(scheduled_messages);

export const initialReminders = ({ reminders }: Registered): RemindersById => remindersById(reminders);

export function evolveScheduled(all: ScheduledById, event: ClientEvent): ScheduledById {
  if (event.type !== 'scheduled_messages') return all;
  switch (event.op) {
    case 'add':
      return new Map([...all, ...scheduledById(event.scheduled_messages)]);
    case 'update':
      return new Map([...all, ...scheduledById([event.scheduled_message])]);
    case 'remove':
      return without(all, event.scheduled_message_id);
  }
}

export function evolveReminders(all: RemindersById, event: ClientEvent): RemindersById {
  if (event.type !== 'reminders') return all;
  if (event.op === 'add') return new Map([...all, ...remindersById(event.reminders)]);
  return without(all, event.reminder_id);
}

/** The next first. */
export const inTurn = <One extends Scheduled | Reminder>(all: ReadonlyMap<number, One>): readonly One[] =>
  [...all.values()].sort((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp);

const without = <One>(all: ReadonlyMap<number, One>, id: number): ReadonlyMap<number, One> =>
  new Map([...all].filter(([other]) => other !== id));
