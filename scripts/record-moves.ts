// Records moves of messages, as a part of a history.

import type { Ask, Parameters } from './api-client.js';

/** @param ask as the owner */
export async function recordMoves(ask: Ask) {
  const send = async (topic: string) =>
    (await ask('POST', '/messages', { type: 'channel', to: 'general', topic, content: `In ${topic}` })).id;
  await ask('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'elsewhere' }] });
  const { stream_id } = await ask('GET', '/get_stream_id?stream=elsewhere');
  const first = await send('plans');
  const second = await send('plans');
  await send('plans');
  const move = (id: unknown, to: Parameters) => ask('PATCH', `/messages/${id}`, to);
  await move(first, { topic: 'old plans', send_notification_to_old_thread: true });
  await move(second, { topic: 'Plans', propagate_mode: 'change_later', send_notification_to_new_thread: false });
  await move(second, { stream_id, propagate_mode: 'change_all' });
  await move(second, { topic: '✔ Plans', propagate_mode: 'change_all' });
  await move(second, { topic: 'Plans', propagate_mode: 'change_all' });
  await move(first, { topic: 'both', content: 'Words and place' });
}
