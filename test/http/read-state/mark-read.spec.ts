import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const NEWEST = 10_000_000_000_000_000;

describe('marking many messages as read at once', () => {
  let annals: Annals;
  let anna: Member;
  let bert: Member;
  let channel = 0;
  let name = '';
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    anna = await annals.user('anna');
    bert = await annals.user('bert');
  });
  afterAll(() => annals.stop());

  beforeEach(async () => {
    await bert.api.post('/mark_all_as_read');
    name = `channel ${++made}`;
    await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [anna.id, bert.id] });
    channel = (await anna.api.get('/get_stream_id', { stream: name })).body.stream_id;
  });

  const send = async (topic = 'lunch'): Promise<number> =>
    (await anna.api.post('/messages', { type: 'channel', to: channel, topic, content: `message ${++made}` })).body.id;
  const whisper = async (): Promise<number> =>
    (await anna.api.post('/messages', { type: 'direct', to: [bert.id], content: `message ${++made}` })).body.id;
  const many = async (count: number, topic?: string): Promise<number[]> => {
    const ids: number[] = [];
    while (ids.length < count) ids.push(await send(topic));
    return ids;
  };
  const narrowed = (who: Member, params: object) =>
    who.api.post('/messages/flags/narrow', { op: 'add', flag: 'read', narrow: [], ...params });
  const here = () => ({ operator: 'channel', operand: channel });
  const appended = async (work: () => Promise<unknown>) => {
    const before = await annals.head();
    await work();
    return (await annals.events(undefined, before)).map(({ stream, type, data }) => ({ stream, type, data }));
  };
  const unreadOf = async (who: Member): Promise<number[]> => {
    const { state } = await EventQueue.register(who.api, { event_types: ['message', 'update_message_flags'] });
    const { count, streams, pms, huddles } = state.unread_msgs;
    const ids: number[] = [...streams, ...pms, ...huddles].flatMap(({ unread_message_ids }) => unread_message_ids);
    expect(count).toBe(ids.length);
    return ids.sort((a, b) => a - b);
  };

  describe('POST /messages/flags/narrow', () => {
    it.each<[string, (ids: number[]) => object, number[], object]>([
      ['newest', () => ({ anchor: 'newest', num_before: 2, num_after: 0 }), [3, 4], { found_newest: true }],
      ['oldest', () => ({ anchor: 'oldest', num_before: 0, num_after: 2 }), [0, 1], { found_oldest: true }],
      ['an id', (ids) => ({ anchor: ids[2], num_before: 1, num_after: 1 }), [1, 2, 3], { found_oldest: false }],
      [
        'an excluded id',
        (ids) => ({ anchor: ids[2], include_anchor: false, num_before: 0, num_after: 10 }),
        [3, 4],
        { found_newest: true },
      ],
      ['an id beyond all ids', () => ({ anchor: NEWEST, num_before: 1, num_after: 0 }), [4], { found_newest: true }],
      ['all', () => ({ anchor: 'oldest', num_before: 6000, num_after: 6000 }), [0, 1, 2, 3, 4], { found_newest: true }],
    ])('marks the range around %s', async (_, range, marked, found) => {
      const ids = await many(5);
      const { status, body } = await narrowed(bert, { narrow: [here()], ...range(ids) });
      const expected = marked.map((index) => ids[index]);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          processed_count: expected.length,
          updated_count: expected.length,
          first_processed_id: expected[0],
          last_processed_id: expected.at(-1),
          ...found,
        },
      });
      expect(body.ignored_because_not_subscribed_channels).toBeUndefined();
      expect(await unreadOf(bert)).toEqual(ids.filter((id) => !expected.includes(id)));
    });

    it('starts at the first unread message, or at the newest if all are read', async () => {
      const ids = await many(4);
      await bert.api.post('/messages/flags', { messages: ids.slice(0, 2), op: 'add', flag: 'read' });
      const range = { anchor: 'first_unread', num_before: 0, num_after: 1, narrow: [here()] };
      expect((await narrowed(bert, range)).body).toMatchObject({
        processed_count: 2,
        updated_count: 2,
        first_processed_id: ids[2],
        last_processed_id: ids[3],
      });
      expect((await narrowed(bert, range)).body).toMatchObject({ processed_count: 0, first_processed_id: null });
      const before = { ...range, num_before: 1, num_after: 0 };
      expect((await narrowed(bert, before)).body).toMatchObject({ processed_count: 1, last_processed_id: ids[3] });
    });

    it('counts processed and changed messages, and appends only changes', async () => {
      const [first, second, third] = (await many(3)) as [number, number, number];
      await bert.api.post('/messages/flags', { messages: [second], op: 'add', flag: 'starred' });
      const events = await appended(async () => {
        const range = { anchor: 'oldest', num_before: 0, num_after: 10, narrow: [here()], flag: 'starred' };
        expect((await narrowed(bert, range)).body).toMatchObject({ processed_count: 3, updated_count: 2 });
        expect((await narrowed(bert, range)).body).toMatchObject({ processed_count: 3, updated_count: 0 });
      });
      const ranges = [
        [first, first],
        [third, third],
      ];
      expect(events).toEqual([
        { stream: `readState-${bert.id}`, type: 'FlagsAdded', data: { userId: bert.id, flag: 'starred', ranges } },
      ]);
    });

    it('answers an empty range', async () => {
      const { body } = await narrowed(bert, { anchor: 'newest', num_before: 5, num_after: 5, narrow: [here()] });
      expect(body).toEqual({
        result: 'success',
        msg: '',
        processed_count: 0,
        updated_count: 0,
        first_processed_id: null,
        last_processed_id: null,
        found_oldest: true,
        found_newest: true,
      });
    });

    it('marks nothing as unread in channels without a subscription, and names them', async () => {
      const ids = await many(2);
      await bert.api.delete('/users/me/subscriptions', { subscriptions: [name] });
      const range = { anchor: 'oldest', num_before: 0, num_after: 10, narrow: [here()], op: 'remove' };
      const { body } = await narrowed(bert, range);
      expect(body).toMatchObject({
        processed_count: 2,
        updated_count: 0,
        first_processed_id: ids[0],
        ignored_because_not_subscribed_channels: [channel],
      });
      expect(await unreadOf(bert)).toEqual([]);
    });

    it.each([
      [
        { include_anchor: false, num_before: 1, num_after: 1 },
        'The anchor can only be excluded at an end of the range',
      ],
      [{ anchor: 'middle' }, 'Invalid anchor'],
      [{ narrow: [['is', 'strange']] }, /Invalid narrow operator/],
    ])('refuses %j', async (params, msg) => {
      const { status, body } = await narrowed(bert, { anchor: 'newest', num_before: 1, num_after: 0, ...params });
      expect(status).toBe(400);
      expect(body.msg).toMatch(msg);
    });

    it.each(['anchor', 'num_before', 'num_after', 'op', 'flag'])('requires %s', async (missing) => {
      const { status, body } = await narrowed(bert, {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        [missing]: undefined,
      });
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'REQUEST_VARIABLE_MISSING' });
    });
  });

  describe('POST /mark_all_as_read', () => {
    it('marks everything with one event, and tells the clients of the user', async () => {
      const ids = [...(await many(3)), await whisper()];
      expect(await unreadOf(bert)).toEqual(ids);
      const queue = await EventQueue.register(bert.api, { event_types: ['update_message_flags'] });
      const others = await EventQueue.register(anna.api, { event_types: ['update_message_flags'] });
      const events = await appended(async () => {
        const { status, body } = await bert.api.post('/mark_all_as_read');
        expect({ status, body }).toEqual({ status: 200, body: { result: 'success', msg: '', complete: true } });
      });
      expect(events).toEqual([{ stream: `readState-${bert.id}`, type: 'AllMessagesRead', data: { userId: bert.id } }]);
      expect(await told(queue)).toEqual([
        { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages: [], all: true },
      ]);
      expect(await others.drain()).toEqual([]);
      expect(await unreadOf(bert)).toEqual([]);
      const later = await send();
      expect(await unreadOf(bert)).toEqual([later]);
    });

    it('keeps stars, removes unread marks, and allows new ones', async () => {
      const [first, second] = (await many(2)) as [number, number];
      const change = (op: string, flag: string, id: number) =>
        bert.api.post('/messages/flags', { messages: [id], op, flag });
      await change('add', 'starred', first);
      await change('add', 'read', second);
      await change('remove', 'read', second);
      await bert.api.post('/mark_all_as_read');
      expect(await unreadOf(bert)).toEqual([]);
      await change('remove', 'read', first);
      expect(await unreadOf(bert)).toEqual([first]);
      const { body } = await bert.api.get(`/messages/${first}`);
      expect(body.message.flags).toEqual(['starred']);
      const anchored = { anchor: 'first_unread', num_before: 0, num_after: 5 };
      expect((await bert.api.get('/messages', anchored)).body.anchor).toBe(first);
      expect((await bert.api.get('/messages', { ...anchored, narrow: [['is', 'unread']] })).body.messages).toHaveLength(
        1,
      );
    });

    it('appends nothing if nothing is unread', async () => {
      expect(await appended(() => bert.api.post('/mark_all_as_read'))).toEqual([]);
    });
  });

  describe('POST /mark_stream_as_read and /mark_topic_as_read', () => {
    it('mark a topic, then the rest of the channel, and nothing else', async () => {
      const direct = await whisper();
      const [lunch, tea, empty] = [await send('Lunch'), await send('tea'), await send('')] as const;
      const topic = await bert.api.post('/mark_topic_as_read', { stream_id: channel, topic_name: 'lunch' });
      expect({ status: topic.status, body: topic.body }).toEqual({ status: 200, body: { result: 'success', msg: '' } });
      expect(await unreadOf(bert)).toEqual([direct, tea, empty]);
      await bert.api.post('/mark_topic_as_read', { stream_id: channel, topic_name: 'general chat' });
      expect(await unreadOf(bert)).toEqual([direct, tea]);
      const events = await appended(async () => {
        const { status } = await bert.api.post('/mark_stream_as_read', { stream_id: channel });
        expect(status).toBe(200);
      });
      expect(events.map(({ data }) => data)).toEqual([{ userId: bert.id, flag: 'read', ranges: [[tea, tea]] }]);
      expect(await unreadOf(bert)).toEqual([direct]);
      expect(await unreadOf(anna)).toContain(lunch);
      expect(await appended(() => bert.api.post('/mark_stream_as_read', { stream_id: channel }))).toEqual([]);
    });

    it('refuse channels that the caller does not see, and topics that do not exist', async () => {
      const hidden = `hidden ${++made}`;
      await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name: hidden }], invite_only: true });
      const { stream_id } = (await anna.api.get('/get_stream_id', { stream: hidden })).body;
      for (const id of [stream_id, 1_000_000]) {
        const { status, body } = await bert.api.post('/mark_stream_as_read', { stream_id: id });
        expect({ status, body }).toMatchObject({
          status: 400,
          body: { code: 'BAD_REQUEST', msg: 'Invalid channel ID' },
        });
      }
      const { status, body } = await bert.api.post('/mark_topic_as_read', { stream_id: channel, topic_name: 'none' });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { code: 'BAD_REQUEST', msg: "No such topic 'none'" },
      });
    });
  });

  describe('leaving a channel', () => {
    it('marks its messages as read, tells the clients of the user, and coming back does not change them', async () => {
      const [first, second, third] = (await many(3)) as [number, number, number];
      await bert.api.post('/messages/flags', { messages: [second], op: 'add', flag: 'read' });
      const direct = await whisper();
      const queue = await EventQueue.register(bert.api, { event_types: ['update_message_flags', 'subscription'] });
      const events = await appended(() => bert.api.delete('/users/me/subscriptions', { subscriptions: [name] }));
      const ranges = [
        [first, first],
        [third, third],
      ];
      const { stream, type, data } = events.at(-1) as { stream: string; type: string; data: object };
      expect({ stream, type, data }).toEqual({
        stream: `readState-${bert.id}`,
        type: 'FlagsAdded',
        data: { userId: bert.id, flag: 'read', ranges },
      });
      const told = (await queue.drain()).filter((event) => event.type === 'update_message_flags');
      expect(told).toMatchObject([{ op: 'add', flag: 'read', messages: [first, third], all: false }]);
      expect(await unreadOf(bert)).toEqual([direct]);
      await bert.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
      expect(await unreadOf(bert)).toEqual([direct]);
      const { body } = await bert.api.get(`/messages/${first}`);
      expect(body.message.flags).toEqual(['read']);
      const later = await send();
      expect(await unreadOf(bert)).toEqual([direct, later]);
    });

    it('removes unread marks, also of messages from before the subscription', async () => {
      await bert.api.delete('/users/me/subscriptions', { subscriptions: [name] });
      const older = await send();
      await bert.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
      await bert.api.post('/messages/flags', { messages: [older], op: 'remove', flag: 'read' });
      expect(await unreadOf(bert)).toEqual([older]);
      await anna.api.delete('/users/me/subscriptions', { subscriptions: [name], principals: [bert.id] });
      await bert.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
      expect(await unreadOf(bert)).toEqual([]);
    });
  });

  describe('muting a user', () => {
    it('marks their messages as read, and tells the clients of the user', async () => {
      const cara = await annals.user('cara');
      await cara.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
      const [mine, theirs] = [await send(), [] as number[]];
      const say = async (to: object) =>
        theirs.push((await cara.api.post('/messages', { content: 'x', ...to })).body.id);
      await say({ type: 'channel', to: channel, topic: 'lunch' });
      await say({ type: 'direct', to: [bert.id] });
      await say({ type: 'direct', to: [bert.id, anna.id] });
      const queue = await EventQueue.register(bert.api, { event_types: ['update_message_flags', 'muted_users'] });

      const events = await appended(() => bert.api.post(`/users/me/muted_users/${cara.id}`));
      expect(events.map(({ type, data }) => [type, data])).toEqual([
        ['UserMuted', { userId: bert.id, mutedUserId: cara.id }],
        ['FlagsAdded', { userId: bert.id, flag: 'read', ranges: [[theirs[0], theirs[2]]] }],
      ]);
      expect(await unreadOf(bert)).toEqual([mine]);
      expect(await queue.drain()).toMatchObject([
        { type: 'muted_users' },
        { type: 'update_message_flags', op: 'add', flag: 'read', messages: theirs, all: false },
      ]);
      expect(await unreadOf(anna)).toContain(theirs[2]);
    });
  });
});
