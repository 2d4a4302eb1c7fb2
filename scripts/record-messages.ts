// Records edits, deletions, reactions and flags of messages, as a part of a history.

import type { Ask } from './api-client.js';

/** @param ask as the owner */
export async function recordMessages(ask: Ask, other: number) {
  const send = (content: string) =>
    ask('POST', '/messages', { type: 'channel', to: 'general', topic: 'hello', content });
  await ask('PATCH', '/messages/1', { content: 'The *very* first message' });
  const reaction = { emoji_name: 'tada' };
  await ask('POST', '/messages/1/reactions', reaction);
  await ask('POST', '/messages/2/reactions', reaction);
  await ask('DELETE', '/messages/2/reactions', reaction);
  const { id } = await send('Soon gone');
  await ask('DELETE', `/messages/${id}`);

  await ask('POST', '/messages/flags', { messages: [1, 2], op: 'add', flag: 'starred' });
  await ask('POST', '/messages/flags', { messages: [2], op: 'remove', flag: 'starred' });
  await ask('POST', '/mark_all_as_read');

  const { stream_id } = await ask('GET', '/get_stream_id?stream=general');
  await ask('POST', '/user_topics', { stream_id, topic: 'hello', visibility_policy: 3 });
  await ask('POST', '/users/me/alert_words', { alert_words: ['coffee', 'tea'] });
  await ask('DELETE', '/users/me/alert_words', { alert_words: ['tea'] });
  await ask('POST', `/users/me/muted_users/${other}`);
  await ask('DELETE', `/users/me/muted_users/${other}`);

  const called = await send(`@**|${other}** and @**topic**: coffee?`);
  await ask('PATCH', `/messages/${called.id}`, { content: '@**all**: tea?' });
}
