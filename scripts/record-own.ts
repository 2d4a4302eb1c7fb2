// Records personal data, as a part of a history: settings, drafts, saved snippets, scheduled messages, reminders, bot storage,
// statuses, followed topics.

import type { Ask } from './api-client.js';

/** @param ask as the owner */
export async function recordOwn(ask: Ask, as: (email: string, key: string) => Ask) {
  const password = 'correct horse battery';
  const { api_key } = await ask('POST', '/fetch_api_key', { username: 'tulip@example.com', password });
  const tulip = as('tulip@example.com', api_key);
  const { user_id: tulipId } = await tulip('GET', '/users/me');

  await tulip('PATCH', '/settings', { twenty_four_hour_time: true, color_scheme: 2, timezone: 'Europe/Lisbon' });
  await tulip('PATCH', '/settings', { color_scheme: 1 });
  // Another login, which the new password ends.
  await ask('POST', '/fetch_api_key', { username: 'tulip@example.com', password });
  await tulip('PATCH', '/settings', { old_password: password, new_password: `${password} staple` });
  await tulip('PATCH', '/settings', { email: 'rose@example.com' });

  const draft = (content: string) => ({ type: 'stream', to: [1], topic: 'plans', content, timestamp: 1_700_000_000 });
  const { ids } = await tulip('POST', '/drafts', { drafts: [draft('First thoughts'), draft('Never said')] });
  await tulip('PATCH', `/drafts/${ids[0]}`, { draft: draft('Second thoughts') });
  await tulip('DELETE', `/drafts/${ids[1]}`);
  await ask('POST', '/drafts', { drafts: [draft('Withdrawn')] });
  await ask('PATCH', '/settings', { enable_drafts_synchronization: false });

  const { saved_snippet_id } = await tulip('POST', '/saved_snippets', { title: 'Greeting', content: 'Welcome!' });
  await tulip('PATCH', `/saved_snippets/${saved_snippet_id}`, { content: 'Welcome **here**!' });
  await tulip('POST', '/users/me/apns_device_token', { token: 'c0ffee', appid: 'org.example.App' });
  await tulip('POST', '/users/me/android_gcm_reg_id', { token: 'given-back' });
  await tulip('DELETE', '/users/me/android_gcm_reg_id', { token: 'given-back' });
  const gone = await tulip('POST', '/saved_snippets', { title: 'Never used', content: 'Nothing' });
  await tulip('DELETE', `/saved_snippets/${gone.saved_snippet_id}`);

  const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400;
  const later = (content: string, days: number) => ({ content, scheduled_delivery_timestamp: inDays(days) });
  const toSelf = { type: 'direct', to: [tulipId] };
  const { scheduled_message_id } = await tulip('POST', '/scheduled_messages', { ...toSelf, ...later('Tomorrow', 1) });
  await tulip('PATCH', `/scheduled_messages/${scheduled_message_id}`, later('In a year', 365));
  const never = await tulip('POST', '/scheduled_messages', { ...toSelf, ...later('Never', 1) });
  await tulip('DELETE', `/scheduled_messages/${never.scheduled_message_id}`);

  const own = await tulip('POST', '/messages', { ...toSelf, content: 'Water the plants' });
  const reminder = { message_id: own.id, scheduled_delivery_timestamp: inDays(365) };
  await tulip('POST', '/reminders', { ...reminder, note: 'With the can' });
  const forgotten = await tulip('POST', '/reminders', reminder);
  await tulip('DELETE', `/reminders/${forgotten.reminder_id}`);

  await tulip('POST', '/navigation_views', { fragment: 'inbox', is_pinned: false });
  await tulip('POST', '/navigation_views', { fragment: 'narrow/is/alerted', is_pinned: true, name: 'Alerts' });
  await tulip('PATCH', '/navigation_views/narrow/is/alerted', { name: 'My words' });
  await tulip('DELETE', '/navigation_views/inbox');

  await tulip('PUT', '/bot_storage', { storage: { count: '1', seen: '[]' } });
  await tulip('PUT', '/bot_storage', { storage: { count: '2' } });
  await tulip('DELETE', '/bot_storage', { keys: ['seen'] });

  await tulip('POST', '/users/me/status', { status_text: 'At lunch', emoji_name: 'car' });
  await tulip('POST', '/users/me/status', { status_text: 'Back at two' });
  await tulip('POST', '/users/me/status', { status_text: '' });
  await tulip('POST', '/users/me/status', { status_text: 'On vacation', emoji_name: '' });

  await ask('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals: [tulipId] });
  const content = `Look, @**Tess Tulip|${tulipId}**`;
  await ask('POST', '/messages', { type: 'channel', to: 'general', topic: 'called', content });
}
