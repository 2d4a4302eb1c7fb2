// Records messages and reminders whose time comes, as a part of a history.
import { eventually } from '../test/support/eventually.js';
import type { Ask } from './api-client.js';

/** @param ask as the owner */
export async function recordDue(ask: Ask): Promise<void> {
  const soon = () => ({ scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 3 });
  const later = { type: 'channel', topic: 'due', content: 'At its time' };
  const { id: closing } = await ask('POST', '/channels/create', { name: 'closing', subscribers: [1] });
  const { stream_id: general } = await ask('GET', '/get_stream_id?stream=general');
  await ask('POST', '/scheduled_messages', { ...later, to: general, ...soon() });
  await ask('POST', '/scheduled_messages', { ...later, to: closing, ...soon() });
  await ask('DELETE', `/streams/${closing}`);
  await ask('POST', '/reminders', { message_id: 1, note: 'Read it again', ...soon() });

  await eventually(async () => {
    const { scheduled_messages: messages } = await ask('GET', '/scheduled_messages');
    const { reminders } = await ask('GET', '/reminders');
    const waiting = [...messages.filter(({ failed }: { failed: boolean }) => !failed), ...reminders];
    if (waiting.length > 0) throw new Error(`${waiting.length} things wait for their time`);
  });
}
