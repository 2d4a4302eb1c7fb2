import type { ClientEvent } from '../requests/event-queue.js';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Fields = Record<string, any>;

/** A client's knowledge of everybody's statuses: registered with, and kept up to date by events. */
export class ClientStatuses {
  private readonly statuses: Map<string, Fields>;

  constructor({ user_status = {} }: Fields) {
    this.statuses = new Map(Object.entries<Fields>(user_status));
  }

  apply({ type: _type, id: _id, user_id, ...changes }: ClientEvent): void {
    this.statuses.set(String(user_id), { ...this.statuses.get(String(user_id)), ...changes });
  }

  /** Without fields that are not set. */
  get comparable(): Fields {
    const set = [...this.statuses].map(([userId, { reaction_type, ...fields }]) => {
      const own = Object.entries(fields).filter(([, value]) => value !== '' && value !== false);
      return [userId, { ...Object.fromEntries(own), ...(fields.emoji_name && { reaction_type }) }] as const;
    });
    return Object.fromEntries(set.filter(([, fields]) => Object.keys(fields).length > 0));
  }
}
