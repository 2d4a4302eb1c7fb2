import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WaitingPolls } from '../../../src/features/event-queues/services/waiting-polls.js';
import { eventually } from '../../support/eventually.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import type { Answer, Params } from '../../support/requests/http.js';
import { appendsNothing, expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const NOTHING_MORE = { result: 'success', msg: '' };
const TYPES = { event_types: ['message', 'typing', 'typing_edit_message'] };
const CAPABLE = { ...TYPES, client_capabilities: { stream_typing_notifications: true } };

describe('typing over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let noor: Member;
  let guest: Member;
  let opticsId: number;
  let secretId: number;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_HEARTBEAT_SECONDS: '5' });
    owner = await annals.owner();
    iris = await annals.user('iris');
    noor = await annals.user('noor');
    guest = await annals.user('guest', 600);
    const optics = { name: 'optics', subscribers: [owner.id, iris.id, noor.id] };
    opticsId = (await owner.api.post('/channels/create', optics)).body.id;
    const secret = { name: 'secret', subscribers: [owner.id, noor.id], invite_only: true };
    secretId = (await owner.api.post('/channels/create', { ...secret, history_public_to_subscribers: false })).body.id;
  });
  afterAll(() => annals.stop());

  async function expectDone(ask: () => Promise<Answer>): Promise<void> {
    expect((await appendsNothing(annals, ask)).body).toEqual(NOTHING_MORE);
  }
  const register = (member: Member, params: Params = CAPABLE) => EventQueue.register(member.api, params);
  const isPolling = (count: number) => eventually(() => expect(annals.app.get(WaitingPolls).size).toBe(count));
  const named = ({ id, email }: Member) => ({ user_id: id, email });
  const typing = (member: Member, params: Params) => member.api.post('/typing', params);

  it('is refused to users who disable sending it, and not told to users who disable receiving it', async () => {
    const { body } = await owner.api.post('/messages', { type: 'channel', to: opticsId, topic: 't', content: 'x' });
    const { body: said } = await owner.api.post('/messages', { type: 'direct', to: [iris.id], content: 'x' });
    const kinds = [
      ['send_stream_typing_notifications', 'channel', { type: 'stream', stream_id: opticsId, topic: 't' }, body.id],
      ['send_private_typing_notifications', 'direct', { to: [iris.id] }, said.id],
    ] as const;
    const [hers, his] = [await register(iris), await register(noor)];
    for (const [setting, name, where, messageId] of kinds) {
      const asks = [
        () => typing(owner, { op: 'start', ...where }),
        () => owner.api.post(`/messages/${messageId}/typing`, { op: 'start' }),
      ];
      await owner.api.patch('/settings', { [setting]: false });
      for (const ask of asks)
        await expectRefusal(annals, ask, `User has disabled typing notifications for ${name} messages`);
      await owner.api.patch('/settings', { [setting]: true });
      await iris.api.patch('/settings', { receives_typing_notifications: false });
      for (const ask of asks) await expectDone(ask);
      const isTyping = ({ type }: { type: string }) => type.startsWith('typing');
      expect((await told(hers)).filter(isTyping)).toEqual([]);
      expect((await told(his)).filter(isTyping)).toHaveLength(name === 'channel' ? 2 : 0);
      await iris.api.patch('/settings', { receives_typing_notifications: true });
      for (const ask of asks) await expectDone(ask);
      expect((await told(hers)).filter(isTyping)).toHaveLength(2);
      await told(his);
    }
  });

  describe('POST /typing', () => {
    it('tells the recipients of a direct message and other clients of the sender, and appends nothing', async () => {
      const [hers, his, others] = [await register(noor, TYPES), await register(iris), await register(guest)];
      await expectDone(() => typing(iris, { op: 'start', to: [noor.id] }));
      await expectDone(() => typing(iris, { op: 'stop', type: 'direct', to: [noor.id, iris.id, noor.id] }));
      const event = {
        type: 'typing',
        message_type: 'direct',
        sender: named(iris),
        recipients: [named(iris), named(noor)],
      };
      const both = [
        { ...event, op: 'start' },
        { ...event, op: 'stop' },
      ];
      expect(await told(hers)).toEqual(both);
      expect(await told(hers)).toEqual([]);
      expect(await told(his)).toEqual(both);
      expect(await told(others)).toEqual([]);
    });

    it('tells subscribers whose clients know typing in channels', async () => {
      const empty = { empty_topic_name: true, stream_typing_notifications: true };
      const modern = await register(noor, { ...TYPES, client_capabilities: empty });
      const plain = await register(noor);
      const old = await register(noor, TYPES);
      const uninterested = await register(noor, { ...CAPABLE, event_types: ['message'] });
      const [own, outside] = [await register(iris), await register(guest)];
      await expectDone(() => typing(iris, { type: 'stream', op: 'start', stream_id: opticsId, topic: ' Lenses ' }));
      await expectDone(() => typing(iris, { type: 'channel', op: 'stop', stream_id: opticsId, topic: '' }));
      const event = { type: 'typing', message_type: 'stream', sender: named(iris), stream_id: opticsId };
      const lenses = { ...event, op: 'start', topic: 'Lenses' };
      expect(await told(modern)).toEqual([lenses, { ...event, op: 'stop', topic: '' }]);
      for (const queue of [plain, own])
        expect(await told(queue)).toEqual([lenses, { ...event, op: 'stop', topic: 'general chat' }]);
      for (const queue of [old, uninterested, outside]) expect(await told(queue)).toEqual([]);
    });

    it('has ids between those of stored events, of which none is skipped', async () => {
      const queue = await register(noor);
      const before = queue.lastEventId;
      const polled = queue.poll();
      await isPolling(1);
      await typing(iris, { op: 'start', to: [noor.id] });
      expect(await polled).toMatchObject([{ type: 'typing', op: 'start' }]);
      expect(queue.lastEventId).toBeGreaterThan(before);
      const next = queue.poll();
      await isPolling(1);
      await iris.api.post('/messages', { type: 'direct', to: [noor.id], content: 'hi' });
      expect(await next).toMatchObject([{ type: 'message' }]);
      for (const op of ['start', 'stop']) await typing(iris, { op, to: [noor.id] });
      expect(await told(queue)).toMatchObject([{ op: 'start' }, { op: 'stop' }]);
      await typing(iris, { op: 'start', to: [noor.id] });
      expect(await told(queue)).toMatchObject([{ op: 'start' }]);
      await iris.api.post('/messages', { type: 'direct', to: [noor.id], content: 'there' });
      expect(await told(queue)).toMatchObject([{ type: 'message' }]);
    });

    it('comes between the stored events of an answer as it happened, and they may be read again', async () => {
      const queue = await register(noor);
      const before = queue.lastEventId;
      const send = (content: string) => iris.api.post('/messages', { type: 'direct', to: [noor.id], content });
      await send('one');
      for (const op of ['start', 'stop']) await typing(iris, { op, to: [noor.id] });
      await send('two');
      await typing(iris, { op: 'start', to: [noor.id] });
      const events = await queue.poll();
      expect(events.map(({ type }) => type)).toEqual(['message', 'typing', 'typing', 'message', 'typing']);
      expect(events.map(({ id }) => id)).toEqual([...new Set(events.map(({ id }) => id))].sort((a, b) => a - b));
      queue.lastEventId = events[2]?.id ?? 0;
      expect(await told(queue)).toMatchObject([{ message: { content: 'two' } }]);
      queue.lastEventId = before;
      expect(await told(queue)).toMatchObject([{ message: { content: 'one' } }, { message: { content: 'two' } }]);
    });

    it('repeats its id only after hundreds without any stored event', async () => {
      const queue = await register(noor);
      const ids: number[] = [];
      for (let n = 0; n < 520; n++) {
        await typing(iris, { op: n % 2 ? 'stop' : 'start', to: [noor.id] });
        const { body } = await noor.api.get('/events', {
          queue_id: queue.id,
          last_event_id: ids.at(-1) ?? queue.lastEventId,
          dont_block: true,
        });
        ids.push(body.events[0].id);
      }
      expect(new Set(ids).size).toBeGreaterThanOrEqual(512);
      expect(ids.at(-1)).toBe(ids.at(-2));
      queue.lastEventId = ids.at(-1) ?? 0;
      await iris.api.post('/messages', { type: 'direct', to: [noor.id], content: 'still heard' });
      expect(await told(queue)).toMatchObject([{ type: 'message' }]);
    });

    it('is not told in channels with more than 100 subscribers', async () => {
      const members = await Promise.all(Array.from({ length: 99 }, (_, index) => annals.user(`crowd${index}`)));
      const ids = [owner.id, ...members.map(({ id }) => id)];
      const { body } = await owner.api.post('/channels/create', { name: 'crowd', subscribers: ids });
      const queue = await register(owner);
      const type = () => typing(members[0] as Member, { type: 'channel', op: 'start', stream_id: body.id, topic: 't' });
      await expectDone(type);
      expect(await told(queue)).toHaveLength(1);
      await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'crowd' }] });
      await expectDone(type);
      expect(await told(queue)).toEqual([]);
    });

    it('refuses incomplete requests and invalid recipients', async () => {
      const inChannel = (params: Params) => typing(noor, { type: 'stream', op: 'start', ...params });
      await expectRefusal(annals, () => inChannel({ topic: 'x' }), 'Missing channel ID');
      await expectRefusal(annals, () => inChannel({ stream_id: opticsId }), 'Missing topic');
      await expectRefusal(annals, () => inChannel({ stream_id: 999, topic: 'x' }), 'Invalid channel ID');
      await expectRefusal(
        annals,
        () => typing(iris, { type: 'stream', op: 'start', stream_id: secretId, topic: 'x' }),
        'Invalid channel ID',
      );
      await expectRefusal(annals, () => typing(noor, { op: 'start', to: [] }), "Empty 'to' list");
      await expectRefusal(annals, () => typing(noor, { op: 'start', to: [999] }), 'Invalid user ID 999');
      await expectRefusal(
        annals,
        () => typing(noor, { op: 'start', to: ['a@example.com'] }),
        'to[0] is not an integer',
      );
      await expectRefusal(annals, () => typing(noor, { op: 'pause', to: [iris.id] }), 'op must be one of start, stop');
      await expectRefusal(
        annals,
        () => typing(noor, { op: 'start', type: 'private', to: [iris.id] }),
        'type must be one of direct, stream, channel',
      );
      for (const [params, var_name] of [
        [{ op: 'start' }, 'to'],
        [{ to: [iris.id] }, 'op'],
      ] as const) {
        const { body } = await typing(noor, params);
        expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name });
      }
    });

    it('refuses whenever the message would be refused', async () => {
      const news = { name: 'news', subscribers: [owner.id, noor.id], can_send_message_group: 6 };
      const { body } = await owner.api.post('/channels/create', { ...news, topics_policy: 'empty_topic_only' });
      const inNews = (member: Member, topic: string) =>
        typing(member, { type: 'channel', op: 'start', stream_id: body.id, topic });
      await expectRefusal(annals, () => inNews(noor, ''), 'Insufficient permission');
      await expectRefusal(annals, () => inNews(owner, 'x'), 'Only the general chat topic is allowed in this channel.');
      await expectDone(() => inNews(owner, ''));
      await owner.api.delete(`/streams/${body.id}`);
      await expectRefusal(annals, () => inNews(owner, ''), 'Channel is archived');
      await owner.api.patch('/realm', { direct_message_permission_group: { new: 8 } });
      await expectRefusal(
        annals,
        () => typing(noor, { op: 'start', to: [iris.id] }),
        'Direct messages are disabled in this organization.',
      );
      await owner.api.patch('/realm', { direct_message_permission_group: { new: 2 } });
    });
  });

  describe('POST /messages/{id}/typing', () => {
    const send = async (member: Member, params: Params) =>
      (await member.api.post('/messages', { content: 'words', ...params })).body.id as number;
    const editing = (member: Member, id: number, op = 'start') => member.api.post(`/messages/${id}/typing`, { op });

    it('tells the recipients of an edited direct message', async () => {
      const id = await send(iris, { type: 'direct', to: [noor.id] });
      const [hers, his, others] = [await register(noor, TYPES), await register(iris), await register(guest)];
      await expectDone(() => editing(iris, id));
      await expectDone(() => editing(iris, id, 'stop'));
      const event = {
        type: 'typing_edit_message',
        sender_id: iris.id,
        message_id: id,
        recipient: { type: 'direct', user_ids: [iris.id, noor.id] },
      };
      const both = [
        { ...event, op: 'start' },
        { ...event, op: 'stop' },
      ];
      for (const queue of [hers, his]) expect(await told(queue)).toEqual(both);
      expect(await told(others)).toEqual([]);
    });

    it('tells subscribers who have the message', async () => {
      const id = await send(noor, { type: 'channel', to: secretId, topic: '' });
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [guest.id] });
      const empty = { empty_topic_name: true };
      const modern = await register(owner, { ...TYPES, client_capabilities: empty });
      const plain = await register(owner, TYPES);
      const [later, outside, own] = [await register(guest), await register(iris), await register(noor, TYPES)];
      await expectDone(() => editing(noor, id));
      const event = (topic: string) => ({
        type: 'typing_edit_message',
        op: 'start',
        sender_id: noor.id,
        message_id: id,
        recipient: { type: 'channel', channel_id: secretId, topic },
      });
      expect(await told(modern)).toEqual([event('')]);
      for (const queue of [plain, own]) expect(await told(queue)).toEqual([event('general chat')]);
      for (const queue of [later, outside]) expect(await told(queue)).toEqual([]);
      await expectRefusal(annals, () => editing(iris, id), 'Invalid message(s)');
      await expectRefusal(annals, () => editing(guest, id), 'Invalid message(s)');
      await expectRefusal(annals, () => editing(owner, id), "You don't have permission to edit this message");
    });

    it('refuses whenever the edit would be refused', async () => {
      const id = await send(iris, { type: 'channel', to: opticsId, topic: 't' });
      await expectRefusal(annals, () => editing(iris, 999_999), 'Invalid message(s)');
      await expectRefusal(annals, () => editing(iris, id, 'pause'), 'op must be one of start, stop');
      const { body } = await iris.api.post(`/messages/${id}/typing`);
      expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'op' });
      await owner.api.patch('/realm', { allow_message_editing: false });
      await expectRefusal(annals, () => editing(iris, id), 'Your organization has turned off message editing');
      await owner.api.patch('/realm', { allow_message_editing: true });
      await expectDone(() => editing(iris, id));
    });
  });

  it('is lost by a restart, while stored events are kept', async () => {
    const queue = await register(noor);
    await typing(iris, { op: 'start', to: [noor.id] });
    await iris.api.post('/messages', { type: 'direct', to: [noor.id], content: 'kept' });
    await annals.restart();
    queue.api = noor.api;
    expect(await told(queue)).toMatchObject([{ type: 'message', message: { content: 'kept' } }]);
    await typing(iris, { op: 'start', to: [noor.id] });
    expect(await told(queue)).toMatchObject([{ type: 'typing', op: 'start' }]);
  });
});
