import { EventQueue } from '../support/requests/event-queue.js';
import type { Answer } from '../support/requests/http.js';
import type { Operation } from '../support/requests/operations.js';
import type { Annals, Member } from '../support/servers/annals.js';

/** A valid value of a parameter; a new one where two things cannot have the same. */
export type Valid = (name: string, operation: Operation) => unknown;

/** Makes one of each thing, and gives valid values by the names of parameters. */
export async function furnished(annals: Annals, asking: Member): Promise<Valid> {
  const values = await oneOfEach(annals, asking);
  let made = 0;
  return (name, { method, path }) => {
    made += 1;
    if (name === 'op' && path.includes('typing')) return 'start';
    if (name === 'subscriptions' && method === 'DELETE') return ['some'];
    if (['name', 'short_name', 'full_name'].includes(name)) return `some ${made}`.replace(' ', '-');
    if (name === 'email' || name === 'invitee_emails') return `some${made}@example.com`;
    return values[name] ?? 1;
  };
}

async function oneOfEach(annals: Annals, asking: Member): Promise<Readonly<Record<string, unknown>>> {
  const { api } = asking;
  const answers = async (answer: Promise<Answer>): Promise<Answer['body']> => {
    const { status, body } = await answer;
    if (status !== 200) throw new Error(`one of each thing was to be made: ${JSON.stringify(body)}`);
    return body;
  };
  const member = await annals.user('member');
  const { id: stream_id } = await answers(api.post('/channels/create', { name: 'some', subscribers: [asking.id] }));
  const message = { type: 'channel', to: stream_id, topic: 'some', content: 'some' };
  const { id: message_id } = await answers(api.post('/messages', message));
  const queue = await EventQueue.register(api);
  await answers(api.post('/messages', message));
  const group = { name: 'some', description: '', members: [member.id] };
  const { group_id } = await answers(api.post('/user_groups/create', group));
  const { user_id: bot_id } = await answers(api.post('/bots', { full_name: 'Bot', short_name: 'some' }));
  const draft = { type: 'stream', to: [stream_id], topic: 'some', content: 'some' };
  const { ids } = await answers(api.post('/drafts', { drafts: [draft] }));
  const { saved_snippet_id } = await answers(api.post('/saved_snippets', { title: 'some', content: 'some' }));
  const url_template = 'https://example.org/{id}';
  const { id: filter_id } = await answers(api.post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template }));
  const { id: field_id } = await answers(api.post('/realm/profile_fields', { field_type: 1, name: 'some' }));
  const { channel_folder_id } = await answers(api.post('/channel_folders/create', { name: 'some' }));
  return {
    ...{ report_type: 'spam', channel_folder_id, folder_id: channel_folder_id },
    ...{ stream_id, message_id, user: member.id, user_id: member.id, user_group_id: group_id, bot_id, group_id },
    ...{ muted_user_id: member.id, draft_id: ids[0], saved_snippet_id, filter_id, field_id, draft, drafts: [draft] },
    ...{ queue_id: queue.id, last_event_id: -1, dont_block: true, type: 'channel', to: stream_id, topic: 'some' },
    ...{ topic_name: 'some', content: 'some', op: 'add', flag: 'starred', messages: [message_id], anchor: 'newest' },
    ...{ num_before: 1, num_after: 1, msg_ids: [message_id], narrow: [], visibility_policy: 1, emoji_name: 'tada' },
    ...{ stream: 'some', subscriptions: [{ name: 'some' }], subscribers: [], members: [], stream_ids: [] },
    ...{ subscription_data: [{ stream_id, property: 'pin_to_top', value: true }], alert_words: ['some'] },
    ...{ ordered_linkifier_ids: [filter_id], order: [field_id], field_type: 1, pattern: 'a(?P<id>[0-9]+)' },
    ...{ url_template, pygments_language: 'rust', title: 'some', description: '', password: 'long enough 123' },
    ...{ username: asking.email, token_kind: 'fcm', push_account_id: '1', token: '0a', appid: 'org.example.app' },
    ...{ push_public_key: Buffer.alloc(32, 9).toString('base64'), bouncer_public_key: 'a' },
    ...{ encrypted_push_registration: 'a', projection: 'sends' },
  };
}
