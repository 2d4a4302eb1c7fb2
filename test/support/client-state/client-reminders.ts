import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** A client's own reminders: registered with, and kept up to date by events. */
export class ClientReminders {
  private readonly reminders = new Map<number, Fields>();

  constructor({ reminders = [] }: Fields) {
    this.put(reminders);
  }

  apply({ op, reminders, reminder_id }: ClientEvent): void {
    if (op === 'remove') this.reminders.delete(reminder_id);
    else this.put(reminders);
  }

  /** Without the contents: these quote messages as they were when a client was told. */
  get comparable(): Fields[] {
    return [...this.reminders.values()]
      .sort((a, b) => a.reminder_id - b.reminder_id)
      .map(({ reminder_id, to, scheduled_delivery_timestamp, reminder_target_message_id }) => ({
        reminder_id,
        to,
        scheduled_delivery_timestamp,
        reminder_target_message_id,
      }));
  }

  private put(reminders: readonly Fields[]): void {
    for (const reminder of reminders) this.reminders.set(reminder.reminder_id, reminder);
  }
}
