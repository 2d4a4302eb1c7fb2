import { expect } from '@jest/globals';
import type { ClientEvent } from '../requests/event-queue.js';

interface Flagged {
  readonly id: number;
  readonly flags: readonly string[];
}

const CALLS: readonly string[] = ['mentioned', 'has_alert_word'];

const callsIn = (flags: readonly string[]): string[] => flags.filter((flag) => CALLS.includes(flag));

/** Checks that mentions and alert words of unedited messages are flagged as their events were, even if the words changed. */
export function expectSameCalls(events: readonly ClientEvent[], read: readonly Flagged[]): void {
  const edited = new Set(events.flatMap(({ type, message_id }) => (type === 'update_message' ? [message_id] : [])));
  const now = new Map(read.map(({ id, flags }) => [id, callsIn(flags)]));
  const told = events.filter(({ type, message }) => type === 'message' && now.has(message.id));
  for (const { message, flags } of told)
    if (!edited.has(message.id)) expect([message.id, callsIn(flags)]).toEqual([message.id, now.get(message.id)]);
}
