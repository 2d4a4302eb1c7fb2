import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import type { MessageDeleted } from '../../../src/events/messages/message.events.js';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const EVERYONE = SYSTEM_GROUP_IDS['role:everyone'];
const BULK = { client_capabilities: { bulk_message_deletion: true, notification_settings_null: false } };

describe('DELETE /messages/{message_id}', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let other: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    iris = await annals.user('iris');
    other = await annals.user('other');
    for (const { api } of [iris, other])
      await api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
    await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'secret' }],
      invite_only: true,
      principals: [owner.id, iris.id],
    });
  });
  afterAll(() => annals.stop());

  const GENERAL = { type: 'channel', to: 'general', topic: 't' };
  const send = async (from: Member, to: object = GENERAL, content = 'words') =>
    (await from.api.post('/messages', { ...to, content })).body.id as number;
  const remove = async (by: Member, id: number) => {
    const { status, body } = await by.api.delete(`/messages/${id}`);
    return status === 200 ? body.result : body.msg;
  };
  const messageOf = async (by: Member, id: number) => (await by.api.get(`/messages/${id}`)).body.msg as string;
  const deletions = async (queue: EventQueue): Promise<ClientEvent[]> =>
    (await queue.drain()).filter(({ type }) => type === 'delete_message');
  const realm = (settings: object) => owner.api.patch('/realm', { ...settings });

  it('deletes the message and its content for everybody, in one event with its actor', async () => {
    const id = await send(iris);
    expect((await iris.api.delete(`/messages/${id}`)).body).toEqual({ result: 'success', msg: '' });
    const [event, ...more] = (await annals.events(`message-${id}`)) as Recorded<MessageDeleted>[];
    const [sent] = (await annals.events('messages')).filter(({ revision }) => revision === id - 1);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'MessageDeleted',
      metadata: { actorId: iris.id },
      data: { messageId: id, senderId: iris.id, place: { type: 'channel', channelId: 1, topic: 't' }, keyId: sent?.id },
    });
    expect(sent?.data).toMatchObject({ content: null });
    for (const { api } of [iris, owner]) {
      expect((await api.get(`/messages/${id}`)).body.msg).toBe('Invalid message(s)');
      expect((await api.get(`/messages/${id}/history`)).body.msg).toBe('Invalid message(s)');
      const { body } = await api.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0 });
      expect(body.messages.map((message: { id: number }) => message.id)).not.toContain(id);
    }
  });

  it('accepts one of several concurrent deletions, and no later edit', async () => {
    const id = await send(iris);
    const answers = await Promise.all([remove(iris, id), remove(iris, id), remove(owner, id)]);
    expect(answers.sort()).toEqual(['Invalid message(s)', 'Invalid message(s)', 'success']);
    const { body } = await iris.api.patch(`/messages/${id}`, { content: 'back again' });
    expect(body.msg).toBe('Invalid message(s)');
    expect(await annals.events(`message-${id}`)).toHaveLength(1);
  });

  describe('client events', () => {
    it('are one for each message, or in bulk form for clients that know it', async () => {
      const id = await send(iris);
      const direct = await send(iris, { type: 'direct', to: [owner.id] });
      const [many, one] = [await EventQueue.register(owner.api, BULK), await EventQueue.register(owner.api)];
      for (const each of [id, direct]) await remove(iris, each);
      const inChannel = { type: 'delete_message', message_type: 'stream', stream_id: 1, topic: 't' };
      const inConversation = { type: 'delete_message', message_type: 'private' };
      const any = expect.any(Number);
      expect(await deletions(many)).toEqual([
        { ...inChannel, id: any, message_ids: [id] },
        { ...inConversation, id: any, message_ids: [direct] },
      ]);
      expect(await deletions(one)).toEqual([
        { ...inChannel, id: any, message_id: id },
        { ...inConversation, id: any, message_id: direct },
      ]);
    });

    it('tell a client that read no event of the message only the deletion', async () => {
      const queue = await EventQueue.register(owner.api);
      const id = await send(iris);
      await iris.api.patch(`/messages/${id}`, { content: 'others' });
      await remove(iris, id);
      const told = (await queue.drain()).filter((event) => event.message_id === id || event.message?.id === id);
      expect(told.map(({ type }) => type)).toEqual(['delete_message']);
    });

    it('tell the deletion alone even if another queue of the user got the message before', async () => {
      const first = await EventQueue.register(owner.api);
      const second = await EventQueue.register(owner.api);
      const id = await send(iris);
      await first.drain();
      await remove(iris, id);
      const told = await second.drain();
      expect(told.map(({ type }) => type)).toEqual(['delete_message']);
      expect((await first.drain()).map(({ type }) => type)).toEqual(['delete_message']);
    });

    it('go to no user without access to the message', async () => {
      const id = await send(iris, { type: 'channel', to: 'secret', topic: 't' });
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [other.id] });
      const queues = await Promise.all([owner, other].map(({ api }) => EventQueue.register(api)));
      await remove(iris, id);
      expect(await Promise.all(queues.map(async (queue) => (await deletions(queue)).length))).toEqual([1, 0]);
    });
  });

  describe('the permission to delete', () => {
    const MAY_NOT = "You don't have permission to delete this message";

    it('covers any message for administrators, and own messages for others', async () => {
      const [mine, hers] = [await send(other), await send(iris)];
      expect(await remove(other, hers)).toBe(MAY_NOT);
      expect(await messageOf(iris, hers)).toBe('');
      expect(await remove(other, mine)).toBe('success');
      expect(await remove(owner, hers)).toBe('success');
    });

    it('is given to the owner of the bot that sent it', async () => {
      const { body } = await iris.api.post('/bots', { full_name: 'Teller', short_name: 'teller' });
      const bots = await owner.api.get('/users');
      const { email } = bots.body.members.find((user: { user_id: number }) => user.user_id === body.user_id);
      const api = annals.api.as({ email, apiKey: body.api_key });
      await api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
      const id = (await api.post('/messages', { ...GENERAL, content: 'beep' })).body.id;
      expect(await remove(other, id)).toBe(MAY_NOT);
      expect(await remove(iris, id)).toBe('success');
    });

    it('covers own messages only as organization and channel allow', async () => {
      await realm({ can_delete_own_message_group: { new: SYSTEM_GROUP_IDS['role:administrators'] } });
      expect(await remove(iris, await send(iris))).toBe(MAY_NOT);
      const channel = await owner.api.post('/channels/create', {
        name: 'own words',
        subscribers: [owner.id, iris.id],
        can_delete_own_message_group: EVERYONE,
      });
      expect(channel.body.result).toBe('success');
      expect(await remove(iris, await send(iris, { ...GENERAL, to: 'own words' }))).toBe('success');
      await realm({ can_delete_own_message_group: { new: EVERYONE } });
    });

    it('is given to users whom the channel lets delete any message', async () => {
      await owner.api.post('/channels/create', {
        name: 'minutes',
        subscribers: [owner.id, iris.id, other.id],
        can_delete_any_message_group: { direct_members: [iris.id], direct_subgroups: [] },
      });
      const id = await send(other, { ...GENERAL, to: 'minutes' });
      expect(await remove(iris, id)).toBe('success');
      expect(await remove(iris, await send(other))).toBe(MAY_NOT);
    });

    it('covers own messages until the time limit of the organization, which does not apply to administrators', async () => {
      const id = await send(iris);
      const [sent] = (await annals.events('messages')).filter(({ revision }) => revision === id - 1);
      await realm({ message_content_delete_limit_seconds: 1 });
      while (Date.now() <= (sent?.metadata.at ?? 0) + 1000) await messageOf(iris, id);
      expect(await remove(iris, id)).toBe('The time limit for deleting this message has passed');
      expect(await remove(owner, id)).toBe('success');
      await realm({ message_content_delete_limit_seconds: 'unlimited' });
      expect(await remove(iris, await send(iris))).toBe('success');
    });

    it('never covers messages that the caller cannot read', async () => {
      const secret = await send(iris, { type: 'channel', to: 'secret', topic: 't' });
      const direct = await send(iris, { type: 'direct', to: [other.id] });
      expect(await remove(await annals.user('stranger'), secret)).toBe('Invalid message(s)');
      expect(await remove(owner, direct)).toBe('Invalid message(s)');
      expect(await remove(owner, 999_999)).toBe('Invalid message(s)');
    });

    it('covers own messages of a conversation, and for administrators in it any message', async () => {
      const direct = await send(iris, { type: 'direct', to: [owner.id] });
      const theirs = await send(owner, { type: 'direct', to: [iris.id] });
      expect(await remove(iris, theirs)).toBe(MAY_NOT);
      expect(await remove(owner, direct)).toBe('success');
    });
  });

  it('is permanent over a restart and a rebuild', async () => {
    const id = await send(iris);
    await remove(iris, id);
    await annals.restart();
    expect(await messageOf(owner, id)).toBe('Invalid message(s)');
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['messages', 'client-events'], () => {});
    expect(await messageOf(owner, id)).toBe('Invalid message(s)');
  });
});
