// Records users, groups, channels and the organization, as a part of a history: every kind of change at least once.

import type { Ask, Parameters } from './api-client.js';

/** @param ask as the owner */
export async function recordPeople(ask: Ask) {
  // Accounts
  const password = 'correct horse battery';
  const { user_id: tess } = await ask('POST', '/users', { email: 'tess@example.com', password, full_name: 'Tess' });
  const { user_id: gone } = await ask('POST', '/users', { email: 'gone@example.com', password, full_name: 'Gone' });
  await ask('POST', '/fetch_api_key', { username: 'tess@example.com', password });
  const { id: fieldId } = await ask('POST', '/realm/profile_fields', { name: 'Pronouns', field_type: 8 });
  await ask('PATCH', `/users/${tess}`, {
    full_name: 'Tess Tulip',
    role: 300,
    new_email: 'tulip@example.com',
    profile_data: [{ id: fieldId, value: 'she/her' }],
  });
  const { user_id: bot } = await ask('POST', '/bots', { full_name: 'Herald', short_name: 'herald' });
  await ask('PATCH', `/bots/${bot}`, { bot_owner_id: tess });
  await ask('POST', `/bots/${bot}/api_key/regenerate`);
  const hook = { full_name: 'Oracle', short_name: 'oracle', bot_type: 3, payload_url: '"https://example.com/hook"' };
  const { user_id: oracle } = await ask('POST', '/bots', hook);
  await ask('PATCH', `/bots/${oracle}`, { service_payload_url: '"https://example.com/other"', service_interface: 2 });
  await ask('DELETE', `/users/${gone}`, { deactivation_notification_comment: 'See you' });
  await ask('POST', `/users/${gone}/reactivate`);

  // Invitations
  await ask('POST', '/invites', { invitee_emails: 'ann@example.com,bob@example.com', stream_ids: [] });
  const { invites } = await ask('GET', '/invites');
  const [ann, bob] = invites as { id: number }[];
  await ask('POST', `/invites/${ann?.id}/resend`);
  await ask('DELETE', `/invites/${bob?.id}`);
  await ask('POST', '/invites/multiuse', { invite_expires_in_minutes: null });

  // Groups
  const group = (name: string, more: Parameters = {}) =>
    ask('POST', '/user_groups/create', { name, description: '', members: [1], ...more });
  const { group_id: inner } = await group('inner');
  const { group_id: outer } = await group('outer', { subgroups: [inner] });
  await ask('POST', `/user_groups/${outer}/members`, { add: [tess] });
  await ask('POST', `/user_groups/${outer}/members`, { delete: [1] });
  await ask('POST', `/user_groups/${outer}/subgroups`, { delete: [inner] });
  await ask('POST', `/user_groups/${outer}/subgroups`, { add: [inner] });
  await ask('PATCH', `/user_groups/${outer}`, {
    name: 'everything',
    description: 'Holds the other',
    can_mention_group: { new: { direct_members: [tess], direct_subgroups: [inner] } },
  });
  const { group_id: spare } = await group('spare');
  await ask('POST', `/user_groups/${spare}/deactivate`);
  await ask('PATCH', `/user_groups/${spare}`, { deactivated: false });

  // Channels and subscriptions
  const { id: plaza } = await ask('POST', '/channels/create', {
    name: 'plaza',
    subscribers: [1, tess],
    can_send_message_group: outer,
  });
  await ask('PATCH', `/streams/${plaza}`, {
    new_name: 'agora',
    description: 'The *market*',
    topics_policy: 'disable_empty_topic',
    message_retention_days: 'unlimited',
    can_administer_channel_group: { new: outer },
  });
  const { channel_folder_id: folder } = await ask('POST', '/channel_folders/create', { name: 'Town' });
  await ask('POST', '/channel_folders/create', { name: 'Country' });
  await ask('PATCH', `/channel_folders/${folder}`, { name: 'City', description: 'All of *it*', is_archived: true });
  await ask('PATCH', `/channel_folders/${folder}`, { is_archived: false });
  await ask('PATCH', '/channel_folders', { order: [folder + 1, folder] });
  await ask('PATCH', `/streams/${plaza}`, { folder_id: folder });
  await ask('POST', '/default_streams', { stream_id: plaza });
  await ask('DELETE', '/default_streams', { stream_id: plaza });
  await ask('PATCH', `/streams/${plaza}`, { is_private: true });
  await ask('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: plaza, property: 'pin_to_top', value: true }],
  });
  const { id: attic } = await ask('POST', '/channels/create', { name: 'attic', subscribers: [1] });
  await ask('DELETE', `/streams/${attic}`);
  await ask('PATCH', `/streams/${attic}`, { is_archived: false });

  // The organization
  await ask('PATCH', '/realm', { description: 'Recorded', can_create_groups: { new: outer } });
  const { id: second } = await ask('POST', '/realm/profile_fields', { name: 'Town', field_type: 1 });
  await ask('PATCH', `/realm/profile_fields/${second}`, { hint: 'Where you are' });
  await ask('PATCH', '/realm/profile_fields', { order: [second, fieldId] });
  const { id: spareField } = await ask('POST', '/realm/profile_fields', { name: 'Spare', field_type: 1 });
  await ask('DELETE', `/realm/profile_fields/${spareField}`);
  const linkifier = (pattern: string) =>
    ask('POST', '/realm/filters', { pattern, url_template: 'https://example.com/{id}' }).then(({ id }) => id);
  const ticket = await linkifier('#(?P<id>[0-9]+)');
  const page = await linkifier('page-(?P<id>[0-9]+)');
  await ask('PATCH', `/realm/filters/${ticket}`, {
    pattern: 'T(?P<id>[0-9]+)',
    url_template: 'https://example.com/t/{id}',
  });
  await ask('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [page, ticket] });
  await ask('DELETE', `/realm/filters/${page}`);
  const playground = { pygments_language: 'Python', url_template: 'https://example.com/{code}' };
  const { id: first } = await ask('POST', '/realm/playgrounds', { name: 'One', ...playground });
  await ask('POST', '/realm/playgrounds', { name: 'Two', ...playground });
  await ask('DELETE', `/realm/playgrounds/${first}`);
}
