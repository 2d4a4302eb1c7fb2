import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NOTIFICATION_BOT } from '../../../src/events/shared/system-bots.js';
import { move, moved } from '../../support/events/moves.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('notices of moves', () => {
  let annals: Annals;
  let owner: Member;
  let reader: Member;
  let channel: number;
  let other: number;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    reader = await annals.user('reader');
    [channel, other] = [await newChannel('from here'), await newChannel('to there')];
  });
  afterAll(() => annals.stop());

  async function newChannel(name: string): Promise<number> {
    const principals = [owner.id, reader.id];
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
    return (await owner.api.get('/get_stream_id', { stream: name })).body.stream_id;
  }

  async function sent(topic: string, to = channel): Promise<number> {
    const { body } = await reader.api.post('/messages', { type: 'channel', to, topic, content: `words ${++made}` });
    return body.id;
  }

  const noticesIn = async (topic: string, channelId = channel) => {
    const narrow = [
      ['channel', channelId],
      ['topic', topic],
      ['sender', NOTIFICATION_BOT.id],
    ].map(([operator, operand]) => ({ operator, operand }));
    const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false };
    return (await owner.api.get('/messages', page)).body.messages;
  };

  it('are messages of the notification bot, read for the mover and unread for others', async () => {
    const anchorId = await sent('tea');
    const queue = await EventQueue.register(reader.api, { event_types: ['message', 'update_message_flags'] });
    const mine = await EventQueue.register(owner.api, { event_types: ['message', 'update_message_flags'] });
    const place = { channelId: channel, topic: 'tea' };
    await moved(annals, owner.id, move(place, { channelId: other, topic: 'coffee' }, { anchorId }));

    const [old] = await noticesIn('tea');
    const [arrived] = await noticesIn('coffee', other);
    expect(old).toMatchObject({
      sender_id: NOTIFICATION_BOT.id,
      sender_email: NOTIFICATION_BOT.email,
      sender_full_name: 'Notification Bot',
      client: 'Internal',
      content: `@_**${'Owner'}|${owner.id}** moved this topic to #**to there>coffee**.`,
      flags: expect.arrayContaining(['read']),
    });
    expect(arrived.content).toBe(`@_**Owner|${owner.id}** moved this topic here from #**from here>tea**.`);

    const told = (await queue.drain()).filter(({ type }) => type === 'message');
    expect(told.map(({ message, flags }) => [message.id, flags])).toEqual([
      [old.id, []],
      [arrived.id, []],
    ]);
    const read = (await mine.drain()).filter(({ type }) => type === 'update_message_flags');
    expect(read.map(({ op, flag, messages }) => [op, flag, messages])).toEqual([
      ['add', 'read', [old.id]],
      ['add', 'read', [arrived.id]],
    ]);
    const { state } = await EventQueue.register(reader.api, { fetch_event_types: ['message', 'update_message_flags'] });
    expect(JSON.stringify(state.unread_msgs.streams)).toContain(`${old.id}`);
  });

  it('and client events do not name a private channel to users who do not see it', async () => {
    const name = 'known to few';
    const subscriptions = [{ name }];
    await owner.api.post('/users/me/subscriptions', { subscriptions, principals: [owner.id], invite_only: true });
    const hidden = (await owner.api.get('/get_stream_id', { stream: name })).body.stream_id;
    const params = { type: 'channel', to: hidden, topic: 'plans', content: 'ours' };
    const { id } = (await owner.api.post('/messages', params)).body;
    const [theirs, mine] = [await EventQueue.register(reader.api), await EventQueue.register(owner.api)];
    await owner.api.patch(`/messages/${id}`, { stream_id: other, propagate_mode: 'change_all' });

    const [notice] = await noticesIn('plans', other);
    expect(notice.content).toBe(`@_**Owner|${owner.id}** moved this topic here from a private channel.`);
    const told = await theirs.drain();
    expect(told.find(({ type }) => type === 'update_message')).toMatchObject({ stream_id: hidden, stream_name: '' });
    expect(JSON.stringify([told, await reader.api.get(`/messages/${id}`)])).not.toContain(name);
    expect((await mine.drain()).find(({ type }) => type === 'update_message')).toMatchObject({ stream_name: name });
  });

  it('are appended once, even if the consequences run again without documents', async () => {
    const anchorId = await sent('once');
    const place = { channelId: channel, topic: 'once' };
    const at = await moved(annals, owner.id, move(place, { ...place, topic: 'twice' }, { anchorId }));
    const since = async () => (await annals.events()).filter(({ position }) => position > at);
    const before = await since();
    const notices = ['MessageSent', 'FlagsAdded', 'MessageSent', 'FlagsAdded'];
    // The user who started the topic follows it, and the policy moves with the topic.
    expect(before.map(({ type }) => type)).toEqual([...notices, 'TopicPolicySet', 'TopicPolicySet']);
    expect(before.map(({ metadata }) => metadata.actorId)).toEqual([null, null, null, null, owner.id, owner.id]);
    await annals.restart(() => annals.removeDocuments());
    expect(await since()).toEqual(before);
  });

  it('tell in the topic that it is resolved', async () => {
    const anchorId = await sent('riddle');
    const [open, resolved] = ['riddle', '✔ riddle'].map((topic) => ({ channelId: channel, topic })) as [never, never];
    await moved(annals, owner.id, move(open, resolved, { anchorId }));
    expect((await noticesIn('✔ riddle')).map(({ content }: { content: string }) => content)).toEqual([
      `@_**Owner|${owner.id}** marked this topic as resolved.`,
    ]);
    expect(await noticesIn('riddle')).toEqual([]);
  });

  it('come from an account that can be looked up but is not in the list of users', async () => {
    const { id, email } = NOTIFICATION_BOT;
    const bot = { user_id: id, email, is_bot: true, bot_owner_id: null, is_active: true };
    expect((await reader.api.get(`/users/${id}`)).body.user).toMatchObject(bot);
    expect((await reader.api.get(`/users/${email}`)).body.user).toMatchObject(bot);
    expect(JSON.stringify((await reader.api.get('/users')).body.members)).not.toContain(email);
    const { state } = await EventQueue.register(reader.api, { fetch_event_types: ['realm_user'] });
    expect(state.cross_realm_bots).toContainEqual(expect.objectContaining({ ...bot, is_system_bot: true }));
    expect(JSON.stringify(state.realm_users)).not.toContain(email);
  });

  it('come from an account that nobody can create, log in as, or change', async () => {
    const { id, email } = NOTIFICATION_BOT;
    const taken = await owner.api.post('/users', {
      email: email.toUpperCase(),
      full_name: 'x',
      password: 'secret words',
    });
    expect(taken.status).toBe(400);
    expect((await annals.api.post('/fetch_api_key', { username: email, password: 'x' })).status).toBe(401);
    for (const { status } of [
      await owner.api.patch(`/users/${id}`, { full_name: 'x' }),
      await owner.api.delete(`/users/${id}`),
      await owner.api.post('/messages', { type: 'direct', to: [id], content: 'x' }),
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'from here' }], principals: [id] }),
    ])
      expect(status).toBe(400);
  });
});
