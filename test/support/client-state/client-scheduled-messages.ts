import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** A client's own scheduled messages: registered with, and kept up to date by events. */
export class ClientScheduledMessages {
  private readonly messages = new Map<number, Fields>();

  constructor({ scheduled_messages = [] }: Fields) {
    this.put(scheduled_messages);
  }

  apply({ op, scheduled_messages, scheduled_message, scheduled_message_id }: ClientEvent): void {
    if (op === 'remove') this.messages.delete(scheduled_message_id);
    else this.put(scheduled_messages ?? [scheduled_message]);
  }

  get comparable(): Fields[] {
    return [...this.messages.values()].sort((a, b) => a.scheduled_message_id - b.scheduled_message_id);
  }

  private put(messages: readonly Fields[]): void {
    for (const message of messages) this.messages.set(message.scheduled_message_id, message);
  }
}
