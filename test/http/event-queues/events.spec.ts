import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lastIdWithHead } from '../../../projections/client-events/client-events.documents.js';
import { Directory } from '../../../src/directory/directory.js';
import { UnsubscribeUsers } from '../../../src/features/channels/domain/subscribe-users.js';
import { WaitingPolls } from '../../../src/features/event-queues/services/waiting-polls.js';
import { DeactivateUser } from '../../../src/features/users/domain/activity.js';
import { eventually } from '../../support/eventually.js';
import { contents, EventQueue, kindOf } from '../../support/requests/event-queue.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

describe('GET /events', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let guest: Member;

  beforeAll(async () => {
    // Longer than a test may take, so that no poll ends by a heartbeat.
    annals = await Annals.start({ ANNALS_HEARTBEAT_SECONDS: '600' });
    await annals.noDefaultChannels();
    owner = await annals.owner();
    iris = await annals.user('iris');
    guest = await annals.user('guest', 600);
    await subscribe(iris, 'general');
  });
  afterAll(() => annals.stop());

  const subscribe = async (who: Member, name: string, params: object = {}) =>
    owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [who.id], ...params });
  const unsubscribe = (who: Member, name: string) => {
    const channelId = annals.app.get(Directory).channelByName(name)?._id ?? 0;
    return annals.execute(new UnsubscribeUsers({ channelId, userIds: [who.id], by }));
  };
  const send = async (content: string, params: object = {}, sender = owner) =>
    (await sender.api.post('/messages', { type: 'channel', to: 'general', topic: 't', content, ...params })).body
      .id as number;

  const somebodyWaits = () => eventually(() => expect(annals.app.get(WaitingPolls).size).toBe(1));

  describe('delivers', () => {
    it('a message to its recipients, once if they acknowledge it', async () => {
      const queue = await EventQueue.register(iris.api, { event_types: ['message'] });
      await send('one');
      await send('two', { type: 'direct', to: [iris.id] });
      await send('not for iris', { type: 'direct', to: [guest.id] });
      expect(contents(await queue.drain())).toEqual(['one', 'two']);
      expect(await queue.drain()).toEqual([]);
    });

    it('unacknowledged events again', async () => {
      const queue = await EventQueue.register(iris.api, { event_types: ['message'] });
      const { lastEventId } = queue;
      await send('again');
      const first = await queue.drain();
      queue.lastEventId = lastEventId;
      expect(await queue.drain()).toEqual(first);
      queue.lastEventId = -1;
      expect((await queue.api.get('/events', { queue_id: queue.id, dont_block: true })).body.events).toEqual(first);
    });

    it('events at once to a waiting poll', async () => {
      const queue = await EventQueue.register(iris.api, { event_types: ['message'] });
      const waiting = queue.poll();
      await somebodyWaits();
      await send('awaited');
      const events = await waiting;
      expect(contents(events)).toEqual(['awaited']);
    });

    it('content, topic and avatar in the form that the client asks for', async () => {
      const plain = await EventQueue.register(iris.api, { event_types: ['message'] });
      const html = await EventQueue.register(iris.api, {
        event_types: ['message'],
        apply_markdown: true,
        client_gravatar: false,
        client_capabilities: { empty_topic_name: true },
      });
      await send('**b**', { topic: '' });
      const [first] = await plain.drain();
      expect(first?.message).toMatchObject({
        content: '**b**',
        content_type: 'text/x-markdown',
        subject: 'general chat',
        avatar_url: null,
      });
      const [second] = await html.drain();
      expect(second?.message).toMatchObject({
        content: '<p><strong>b</strong></p>',
        content_type: 'text/html',
        subject: '',
        avatar_url: expect.stringContaining('https://'),
      });
    });

    it('the flags of the reader: a sender’s own message may start read', async () => {
      const queue = await EventQueue.register(owner.api, { event_types: ['message'] });
      await send('read', { read_by_sender: true });
      await send('unread', { read_by_sender: false });
      await send('from iris', { read_by_sender: true }, iris);
      expect((await queue.drain()).map(({ flags }) => flags)).toEqual([['read'], [], []]);
    });

    it('the local id only to the queue of the send', async () => {
      const [one, other] = await Promise.all([
        EventQueue.register(owner.api, { event_types: ['message'] }),
        EventQueue.register(owner.api, { event_types: ['message'] }),
      ]);
      await send('echo', { queue_id: one.id, local_id: '12.5"' });
      const [mine] = await one.drain();
      const [theirs] = await other.drain();
      expect(mine).toMatchObject({ local_id: '12.5"', local_message_id: '12.5"' });
      expect(theirs).not.toHaveProperty('local_id');
      expect(theirs).not.toHaveProperty('local_message_id');
    });

    it('only the types asked for, and ignores unknown types', async () => {
      const some = await EventQueue.register(owner.api, { event_types: ['realm_user', 'no_such_type'] });
      const none = await EventQueue.register(owner.api, { event_types: [] });
      const all = await EventQueue.register(owner.api);
      await annals.user('typed');
      await send('typed');
      expect((await some.drain()).map(kindOf)).toEqual(['realm_user/add']);
      expect(await none.drain()).toEqual([]);
      expect((await all.drain()).map(kindOf)).toEqual([
        'realm_user/add',
        'user_group/add_members',
        'user_group/add_members',
        'message',
      ]);
    });

    it('only messages of the narrow, and all events of other types', async () => {
      const queue = await EventQueue.register(owner.api, {
        event_types: ['message', 'realm_user'],
        narrow: [
          ['channel', 'general'],
          ['topic', 'Lunch'],
        ],
      });
      await send('no');
      await send('yes', { topic: 'lunch' });
      await send('not direct', { type: 'direct', to: [iris.id] });
      await annals.user('narrowed');
      const events = await queue.drain();
      expect(contents(events)).toEqual(['yes']);
      expect(events.map(kindOf)).toEqual(['message', 'realm_user/add']);
    });

    it('messages of public channels to a queue over all public channels, and none of private channels', async () => {
      await subscribe(owner, 'open');
      await subscribe(owner, 'closed', { invite_only: true });
      const queue = await EventQueue.register(iris.api, { event_types: ['message'], all_public_streams: true });
      const waiting = queue.poll();
      await somebodyWaits();
      await send('open', { to: 'open' });
      await send('closed', { to: 'closed' });
      await send('own');
      const events = [...(await waiting), ...(await queue.drain())];
      expect(contents(events)).toEqual(['open', 'own']);
      expect(events.map(({ flags }) => flags)).toEqual([['read', 'historical'], []]);
      const refused = await guest.api.post('/register', { all_public_streams: true });
      expect(refused.body).toMatchObject({ code: 'BAD_REQUEST', msg: 'User not authorized for this query' });
    });
  });

  describe('client events of channels and subscriptions', () => {
    it('go only to users who see the channel', async () => {
      await subscribe(owner, 'private', { invite_only: true });
      const mine = await EventQueue.register(owner.api, { event_types: ['subscription', 'stream'] });
      const theirs = await EventQueue.register(iris.api, {
        event_types: ['subscription', 'stream'],
        include_subscribers: true,
        client_capabilities: { notification_settings_null: true },
      });
      const outside = await EventQueue.register(guest.api, { event_types: ['subscription', 'stream'] });
      await subscribe(iris, 'private');
      await unsubscribe(iris, 'private');

      expect((await mine.drain()).map(kindOf)).toEqual(['subscription/peer_add', 'subscription/peer_remove']);
      const events = await theirs.drain();
      expect(events.map(kindOf)).toEqual(['stream/create', 'subscription/add', 'subscription/remove', 'stream/delete']);
      const [created, added, removed, deleted] = events;
      expect(created?.streams).toMatchObject([{ name: 'private', invite_only: true, subscriber_count: 2 }]);
      expect(added?.subscriptions).toMatchObject([
        { name: 'private', subscribers: [owner.id, iris.id], subscriber_count: 2, push_notifications: null },
      ]);
      expect(removed?.subscriptions).toEqual([{ stream_id: added?.subscriptions[0].stream_id, name: 'private' }]);
      expect(deleted?.stream_ids).toEqual([added?.subscriptions[0].stream_id]);
      expect(await outside.drain()).toEqual([]);
    });

    it('are as of the time of the event, however late they are read', async () => {
      await subscribe(owner, 'growing');
      const early = await EventQueue.register(iris.api, { event_types: ['subscription'], include_subscribers: true });
      const late = await EventQueue.register(iris.api, { event_types: ['subscription'], include_subscribers: true });
      await subscribe(iris, 'growing');
      const seenAtOnce = await early.drain();
      const leaver = await annals.user('leaver');
      await subscribe(leaver, 'growing');
      await owner.api.post('/messages', { type: 'channel', to: 'growing', topic: 't', content: 'first' });
      await unsubscribe(owner, 'growing');
      await annals.user('bystander');
      expect((await late.drain())[0]).toEqual(seenAtOnce[0]);
      expect(seenAtOnce[0]?.subscriptions).toMatchObject([
        { subscribers: [owner.id, iris.id], subscriber_count: 2, first_message_id: null },
      ]);
    });

    it('tell a guest a public channel only while the guest is subscribed', async () => {
      await subscribe(owner, 'for guests');
      const queue = await EventQueue.register(guest.api, { event_types: ['subscription', 'stream'] });
      await subscribe(iris, 'for guests');
      await subscribe(guest, 'for guests');
      await subscribe(await annals.user('newcomer'), 'for guests');
      expect((await queue.drain()).map(kindOf)).toEqual(['stream/create', 'subscription/add', 'subscription/peer_add']);
    });

    it('tell the deactivation of an account, and end its waiting poll', async () => {
      const leaving = await annals.user('leaving');
      const queue = await EventQueue.register(iris.api, { event_types: ['realm_user'] });
      const theirs = await EventQueue.register(leaving.api);
      const waiting = leaving.api.get('/events', { queue_id: theirs.id, last_event_id: theirs.lastEventId });
      await somebodyWaits();
      await annals.execute(new DeactivateUser({ userId: leaving.id, by, notice: null }));
      const { body } = await waiting;
      expect(body.code).toBe('USER_DEACTIVATED');
      expect(await queue.drain()).toMatchObject([
        { type: 'realm_user', op: 'update', person: { user_id: leaving.id, is_active: false } },
      ]);
    });
  });

  describe('access to messages is as of the event (protected history)', () => {
    it('a user who joins later does not get the message, a user who leaves later does', async () => {
      await subscribe(owner, 'protected', { invite_only: true });
      await subscribe(iris, 'protected');
      const later = await annals.user('later');
      const joiner = await EventQueue.register(later.api, { event_types: ['message'] });
      const leaver = await EventQueue.register(iris.api, { event_types: ['message'] });
      await send('between', { to: 'protected' });
      await subscribe(later, 'protected');
      await unsubscribe(iris, 'protected');
      await send('after', { to: 'protected' });
      expect(contents(await joiner.drain())).toEqual(['after']);
      expect(contents(await leaver.drain())).toEqual(['between']);
    });
  });

  describe('waits', () => {
    it('with one poll for each queue: a new poll ends the older one', async () => {
      const queue = await EventQueue.register(iris.api, { event_types: ['message'] });
      const params = { queue_id: queue.id, last_event_id: queue.lastEventId };
      const older = queue.api.get('/events', params);
      await somebodyWaits();
      const newer = queue.api.get('/events', params);
      expect((await older).body.events).toEqual([{ type: 'heartbeat', id: queue.lastEventId }]);
      await send('for the newer');
      expect(contents((await newer).body.events)).toEqual(['for the newer']);
    });

    it('no longer when the queue is deleted', async () => {
      const queue = await EventQueue.register(iris.api);
      const waiting = queue.poll();
      await somebodyWaits();
      await queue.api.delete('/events', { queue_id: queue.id });
      expect((await waiting).map(kindOf)).toEqual(['heartbeat']);
    });
  });

  describe('refuses', () => {
    const bad = (queueId: string) => ({
      status: 400,
      body: { result: 'error', msg: `Bad event queue ID: ${queueId}`, code: 'BAD_EVENT_QUEUE_ID', queue_id: queueId },
    });

    it('queues that are unknown, deleted or another’s, to read and to delete', async () => {
      const deleted = await EventQueue.register(iris.api);
      await iris.api.delete('/events', { queue_id: deleted.id }, { encoding: 'query' });
      const others = await EventQueue.register(owner.api);
      for (const queueId of ['no such queue', deleted.id, others.id]) {
        expect(await iris.api.get('/events', { queue_id: queueId })).toMatchObject(bad(queueId));
        expect(await iris.api.delete('/events', { queue_id: queueId })).toMatchObject(bad(queueId));
      }
      expect(await others.drain()).toEqual([]);
    });

    it('a last_event_id that nobody can have been given yet, whether or not the client waits', async () => {
      const queue = await EventQueue.register(iris.api, { event_types: ['message'] });
      await send('before');
      const newest = async (): Promise<number> => lastIdWithHead(await annals.head());
      for (const far of [null, '1e15', String(Number.MAX_SAFE_INTEGER)])
        for (const dont_block of [true, false]) {
          const { id } = await EventQueue.register(iris.api, { event_types: ['message'] });
          const poll = { queue_id: id, last_event_id: far ?? (await newest()) + 1, dont_block };
          expect(await iris.api.get('/events', poll)).toMatchObject(bad(id));
          // The queue has ended: once the log has grown, it could not tell what is missing.
          expect(await iris.api.get('/events', { ...poll, last_event_id: -1 })).toMatchObject(bad(id));
        }
      const poll = { queue_id: queue.id, last_event_id: await newest(), dont_block: true };
      expect(await iris.api.get('/events', poll)).toMatchObject({ status: 200, body: { events: [] } });
      expect(contents(await queue.drain())).toEqual(['before']);
    });

    it.each([
      [{}, 'REQUEST_VARIABLE_MISSING'],
      [{ queue_id: 'q', last_event_id: 'many' }, 'INVALID_JSON'],
      [{ queue_id: 'q', last_event_id: '1.5' }, 'BAD_REQUEST'],
      [{ queue_id: 'q', last_event_id: '1e308' }, 'BAD_REQUEST'],
      [{ queue_id: 'q', last_event_id: -2 }, 'BAD_REQUEST'],
      [{ queue_id: 'q', dont_block: '7' }, 'BAD_REQUEST'],
    ])('%j', async (params, code) => {
      expect((await iris.api.get('/events', params)).body.code).toBe(code);
    });
  });
});
