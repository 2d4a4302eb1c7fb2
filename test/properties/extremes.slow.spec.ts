import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HealthReport } from '../../src/app/health/health.js';
import { CONSEQUENCES_DATABASE } from '../../src/platform/commands/consequences.js';
import { ERASURE_DATABASE } from '../../src/platform/consumers/erased-content.js';
import { passedOverIn } from '../../src/platform/consumers/passed-over.js';
import { REACTORS_DATABASE } from '../../src/platform/consumers/reactors.js';
import { DOCUMENT_STORE } from '../../src/platform/documents/document-store.js';
import { eventually } from '../support/eventually.js';
import { MailServer } from '../support/outside/mail-server.js';
import { EventQueue } from '../support/requests/event-queue.js';
import type { Answer } from '../support/requests/http.js';
import { type Operation, operationsOf } from '../support/requests/operations.js';
import { Annals, type Member } from '../support/servers/annals.js';
import { type Trial, trialsOf } from './extremes.js';

const AT_ONCE = 8;

/** Operations without which nothing can be asked afterwards, and those that answer no JSON of the API. */
const LEFT_OUT = [
  ...['DELETE /users/me', 'POST /users/me/api_key/regenerate', 'GET /openapi.json', 'GET /asyncapi.json'],
  ...['GET /realm/icon', 'GET /realm/logo'],
];

describe('extreme values', () => {
  let mails: MailServer;
  let annals: Annals;
  let owner: Member;
  let asking: Member;
  let operations: readonly Operation[];
  let values: Readonly<Record<string, unknown>>;
  let made = 0;

  beforeAll(async () => {
    mails = await MailServer.start();
    annals = await Annals.start({
      ANNALS_SMTP_URL: mails.url,
      ANNALS_INVITATION_PAUSE_SECONDS: '0',
      ANNALS_INVITATIONS_PER_ADMINISTRATOR: '10000',
    });
    owner = await annals.owner();
    asking = await annals.user('asking', 100);
    operations = (await operationsOf(annals.api)).filter(({ method, path }) => !LEFT_OUT.includes(`${method} ${path}`));
    values = await furnished();
  });
  afterAll(async () => {
    await annals.stop();
    await mails.stop();
  });

  /** Makes one of each thing, and answers valid values by the names of parameters. */
  async function furnished(): Promise<Readonly<Record<string, unknown>>> {
    const { api } = asking;
    const answers = async (answer: Promise<Answer>): Promise<Answer['body']> => {
      const { status, body } = await answer;
      expect({ status, msg: body.msg }).toEqual({ status: 200, msg: '' });
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
      encrypted_push_registration: 'a',
    };
  }

  /** A valid value; a new one where two things cannot have the same. */
  function valid(name: string, { method, path }: Operation): unknown {
    made += 1;
    if (name === 'op' && path.includes('typing')) return 'start';
    if (name === 'subscriptions' && method === 'DELETE') return ['some'];
    if (['name', 'short_name', 'full_name'].includes(name)) return `some ${made}`.replace(' ', '-');
    if (name === 'email' || name === 'invitee_emails') return `some${made}@example.com`;
    return values[name] ?? 1;
  }

  /** What is wrong with an answer; null: nothing. The client checks its shape and that an error has words. */
  async function mistakeOf({ title, send }: Trial): Promise<string | null> {
    try {
      const { status, body } = await send(asking.api);
      const isRefusedLogin = status === 401 && title.startsWith('POST /fetch_api_key');
      const isRight = status < 500 && (status !== 401 || isRefusedLogin) && typeof body.result === 'string';
      return isRight ? null : `${title}: ${status} ${JSON.stringify(body).slice(0, 200)}`;
    } catch (error) {
      return `${title}: ${error instanceof Error ? error.message.slice(0, 500) : error}`;
    }
  }

  it.each([0, 1, 2, 3])('are answered by every operation, part %d', async (part) => {
    const own = operations.filter((_, index) => index % 4 === part).flatMap((one) => trialsOf(one, valid));
    const mistakes: (string | null)[] = [];
    const next = own[Symbol.iterator]();
    const one = async (): Promise<void> => {
      for (const trial of next) mistakes.push(await mistakeOf(trial));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
    expect(mistakes.filter((mistake) => mistake !== null)).toEqual([]);
    expect(mistakes).toHaveLength(own.length);
  });

  it('hold no consumer up', async () => {
    const queue = await EventQueue.register(owner.api, { event_types: ['message', 'delete_message'] });
    const content = 'after all that';
    const { body: sent } = await owner.api.post('/messages', { type: 'direct', to: [owner.id], content });
    expect((await owner.api.get(`/messages/${sent.id}`, { apply_markdown: false })).body.message.content).toBe(content);
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['message']);
    await owner.api.post('/invites', { invitee_emails: 'after@example.com', stream_ids: [] });
    await mails.mailTo('after@example.com');
    expect((await owner.api.delete(`/messages/${sent.id}`)).status).toBe(200);
    expect((await queue.drain()).map(({ type }) => type)).toEqual(['delete_message']);
    // Health looks every few seconds, and may not have seen the last ones yet.
    const databases = [CONSEQUENCES_DATABASE, REACTORS_DATABASE, ERASURE_DATABASE, 'pusher'];
    expect(await passedOverIn(annals.app.get(DOCUMENT_STORE), databases, 20)).toEqual({ count: 0, newest: [] });
    await eventually(async () => {
      const { status, body } = await owner.api.get('/health');
      const { projections, passedOver } = body as HealthReport;
      expect({ status, passedOver }).toEqual({ status: 200, passedOver: { count: 0, newest: [] } });
      expect(projections.filter(({ state }) => state !== 'running')).toEqual([]);
    });
  });
});
