import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Directory } from '../../../src/directory/directory.js';
import type { MessageSent } from '../../../src/events/messages/messages.events.js';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { addresseeOf } from '../../../src/features/messages/http/messages.controller.js';
import { CreateBot } from '../../../src/features/users/domain/bots.js';
import type { Client, Params } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const { 'role:nobody': NOBODY, 'role:everyone': EVERYONE, 'role:moderators': MODERATORS } = SYSTEM_GROUP_IDS;

/** The settings of the organization and of a channel that restrict messages. */
describe('POST /messages by the rules of organization and channel', () => {
  let annals: Annals;
  let owner: Member;
  let moderator: Member;
  let iris: Member;
  let otto: Member;
  let botId: number;
  let bot: Client;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    moderator = await annals.user('moderator', 300);
    iris = await annals.user('iris');
    otto = await annals.user('otto', 600);
    const by = { actorId: owner.id, client: 'test', correlationId: 'test' };
    const made = new CreateBot({ bot: { fullName: 'Bot', shortName: 'robot', type: 1 }, by });
    const { userId, apiKey } = await annals.execute(made);
    botId = userId;
    bot = annals.api.as({ email: annals.app.get(Directory).user(userId)?.email ?? '', apiKey });
  });
  afterAll(() => annals.stop());

  it('matches topics without regard to case, and keeps the case of their first message', async () => {
    await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
    const send = (topic: string, to: string | number = 'general') =>
      iris.api.post('/messages', { type: 'channel', to, topic, content: 'x' });
    for (const topic of ['Ätherwellen', 'ÄTHERWELLEN', ' ätherwellen', 'Other'])
      expect((await send(topic)).status).toBe(200);
    const narrow = [{ operator: 'topic', operand: 'ätherWELLEN' }];
    const page = { anchor: 'newest', num_before: 10, num_after: 0, narrow };
    const { messages } = (await iris.api.get('/messages', page)).body;
    expect(messages.map(({ subject }: { subject: string }) => subject)).toEqual(Array(3).fill('Ätherwellen'));
    const topics = (await annals.events('messages')).map(({ data }) => (data as MessageSent['data']).recipient);
    expect(topics.slice(-4)).toMatchObject([...Array(3).fill({ topic: 'Ätherwellen' }), { topic: 'Other' }]);
    // In another channel the topic has a spelling of its own.
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'elsewhere' }], principals: [iris.id] });
    await send('ätherwellen', 'elsewhere');
    const [newest] = (await iris.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).body.messages;
    expect(newest).toMatchObject({ subject: 'ätherwellen', display_recipient: 'elsewhere' });
  });

  const settings = async (params: Params) => expect((await owner.api.patch('/realm', params)).status).toBe(200);
  const outcome = async (api: Client, params: Params) => {
    const head = await annals.head();
    const { status, body } = await api.post('/messages', { content: 'x', ...params });
    // The first message of a topic also sets a policy of its sender; a refusal appends nothing.
    const followed = body.automatic_new_visibility_policy === undefined ? [] : ['TopicPolicySet'];
    const appended = (await annals.events(undefined, head)).map(({ type }) => type);
    expect(appended).toEqual(status === 200 ? ['MessageSent', ...followed] : []);
    return status === 200 ? 'sent' : `${body.code}: ${body.msg}`;
  };

  describe('the topics policy', () => {
    const send = (to: string, topic: string, api = iris.api) => outcome(api, { type: 'channel', to, topic });
    const REQUIRED = "BAD_REQUEST: Topic can't be empty";
    const NONE = 'BAD_REQUEST: Only the general chat topic is allowed in this channel.';

    beforeAll(async () => {
      for (const topics_policy of ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']) {
        const subscriptions = [{ name: topics_policy }];
        const { body } = await owner.api.post('/users/me/subscriptions', {
          subscriptions,
          topics_policy: JSON.stringify(topics_policy),
          principals: [iris.id],
        });
        expect(body.result).toBe('success');
      }
    });

    it.each(['', '(no topic)', 'general chat'])('allows the topic %j by organization or channel', async (topic) => {
      for (const topics_policy of ['allow_empty_topic', 'disable_empty_topic']) {
        await settings({ topics_policy });
        expect({
          inherit: await send('inherit', topic),
          allow: await send('allow_empty_topic', topic),
          disable: await send('disable_empty_topic', topic),
          only: await send('empty_topic_only', topic),
        }).toEqual({
          inherit: topics_policy === 'allow_empty_topic' ? 'sent' : REQUIRED,
          allow: 'sent',
          disable: REQUIRED,
          only: 'sent',
        });
      }
    });

    it('allows named topics by channel, also for owners', async () => {
      expect(await send('empty_topic_only', 'lunch', owner.api)).toBe(NONE);
      expect(await send('disable_empty_topic', 'lunch', owner.api)).toBe('sent');
    });
  });

  describe('the permissions for direct messages', () => {
    const direct = (from: Client, ...to: number[]) => outcome(from, { type: 'direct', to });
    const DISABLED = 'BAD_REQUEST: Direct messages are disabled in this organization.';
    const UNAUTHORIZED = 'BAD_REQUEST: This conversation does not include any users who can authorize it.';
    const NOT_FIRST = 'BAD_REQUEST: You do not have permission to initiate direct message conversations.';
    const permission = (group: number) => settings({ direct_message_permission_group: { new: group } });
    const initiators = (group: number) => settings({ direct_message_initiator_group: { new: group } });

    it('let everybody send direct messages by default, including guests', async () => {
      expect(await direct(otto.api, iris.id)).toBe('sent');
      expect(await direct(iris.api, otto.id, owner.id)).toBe('sent');
    });

    it('allow only messages to and from bots and to oneself if nobody has the permission', async () => {
      await permission(NOBODY);
      expect(await direct(iris.api, otto.id)).toBe(DISABLED);
      expect(await direct(owner.api, iris.id)).toBe(DISABLED);
      expect(await direct(iris.api, botId, otto.id)).toBe(DISABLED);
      expect(await direct(iris.api, botId)).toBe('sent');
      expect(await direct(iris.api, iris.id)).toBe('sent');
      expect(await direct(bot, iris.id)).toBe('sent');
    });

    it('require a user with the permission in the conversation', async () => {
      await permission(MODERATORS);
      expect(await direct(iris.api, otto.id)).toBe(UNAUTHORIZED);
      expect(await direct(iris.api, otto.id, moderator.id)).toBe('sent');
      expect(await direct(moderator.api, otto.id)).toBe('sent');
      await permission(EVERYONE);
    });

    it('let users without the permission to initiate only answer', async () => {
      await initiators(MODERATORS);
      expect(await direct(iris.api, owner.id)).toBe(NOT_FIRST);
      expect(await direct(owner.api, iris.id)).toBe('sent');
      expect(await direct(iris.api, owner.id)).toBe('sent');
      // One more user makes another conversation.
      expect(await direct(iris.api, owner.id, moderator.id)).toBe(NOT_FIRST);
      expect(await direct(iris.api, otto.id)).toBe('sent');
      expect(await direct(otto.api, botId)).toBe('sent');
      await initiators(EVERYONE);
    });

    it('do not apply to the repeat of a message that was accepted', async () => {
      const once = { type: 'direct', to: [iris.id], content: 'once' };
      const headers = { 'Idempotency-Key': 'k' };
      const first = await otto.api.post('/messages', once, { headers });
      await permission(NOBODY);
      const again = await otto.api.post('/messages', once, { headers });
      expect([again.status, again.body.id]).toEqual([200, first.body.id]);
      await permission(EVERYONE);
    });
  });
});

it('a recipient is looked up once, however often a list names them', () => {
  const to = Array.from({ length: 100_000 }, () => 7);
  expect(addresseeOf({ type: 'direct', to, content: 'x' })).toEqual({ type: 'direct', users: [7] });
  expect(addresseeOf({ type: 'direct', to: 'a@x.org, b@x.org,a@x.org,', content: 'x' })).toEqual({
    type: 'direct',
    users: ['a@x.org', 'b@x.org'],
  });
});
