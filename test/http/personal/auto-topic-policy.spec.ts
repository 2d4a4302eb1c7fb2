import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AutoTopicPolicy } from '../../../src/events/personal/auto-topic-policy.settings.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('a message that sets a policy of a user for its topic', () => {
  let annals: Annals;
  let anna: Member;
  let bert: Member;
  let channel = 0;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    [anna, bert] = await Promise.all([annals.user('anna'), annals.user('bert')]);
  });
  afterAll(() => annals.stop());

  beforeEach(async () => {
    const name = `channel ${++made}`;
    const principals = [anna.id, bert.id];
    await anna.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
    channel = (await anna.api.get('/get_stream_id', { stream: name })).body.stream_id;
  });

  const everybody = async (policy: Partial<AutoTopicPolicy>) => {
    const { follow = 3, unmute = 2, followWhereMentioned = true } = policy;
    for (const { api } of [anna, bert]) {
      const { body } = await api.patch('/settings', {
        automatically_follow_topics_policy: follow,
        automatically_unmute_topics_in_muted_streams_policy: unmute,
        automatically_follow_topics_where_mentioned: followWhereMentioned,
      });
      expect(body).toEqual({ result: 'success', msg: '' });
    }
  };
  const post = async (who: Member, topic: string, headers = {}, content = 'hello') => {
    const { status, body } = await who.api.post(
      '/messages',
      { type: 'channel', to: channel, topic, content },
      { headers },
    );
    expect({ status, msg: body.msg }).toEqual({ status: 200, msg: '' });
    return body;
  };
  const appended = async (work: () => Promise<unknown>) => {
    const before = await annals.head();
    await work();
    return (await annals.events(undefined, before)).map(({ stream, type }) => `${type} ${stream}`);
  };
  const set = (who: Member, topic: string, policy: number) =>
    who.api.post('/user_topics', { stream_id: channel, topic, visibility_policy: policy });
  const shown = async (who: Member) => {
    const { state } = await EventQueue.register(who.api, { event_types: ['user_topic'] });
    return (state.user_topics as { stream_id: number }[]).filter(({ stream_id }) => stream_id === channel);
  };
  const policies = (events: readonly ClientEvent[]) =>
    events.flatMap(({ type, topic_name, visibility_policy }) =>
      type === 'user_topic' ? [[topic_name, visibility_policy]] : [],
    );
  const mute = (who: Member) => {
    const change = { stream_id: channel, property: 'is_muted', value: true };
    return who.api.post('/users/me/subscriptions/properties', { subscription_data: [change] });
  };

  it('follows by default topics that the user starts or is mentioned in', async () => {
    const { state } = await EventQueue.register(anna.api);
    expect(state.user_settings).toMatchObject({
      automatically_follow_topics_policy: 3,
      automatically_unmute_topics_in_muted_streams_policy: 2,
      automatically_follow_topics_where_mentioned: true,
    });
    const events = await appended(async () => {
      expect(await post(anna, 'new')).toMatchObject({ automatic_new_visibility_policy: 3 });
      expect(await post(bert, 'new')).not.toHaveProperty('automatic_new_visibility_policy');
      expect(await post(anna, 'new', {}, '@**bert**')).not.toHaveProperty('automatic_new_visibility_policy');
    });
    const sent = Array(3).fill('MessageSent messages');
    expect(events.sort()).toEqual([...sent, `TopicPolicySet user-${anna.id}`, `TopicPolicySet user-${bert.id}`]);
    await mute(bert);
    expect(await post(bert, 'other')).toMatchObject({ automatic_new_visibility_policy: 3 });
    await post(anna, 'third');
    expect(await post(bert, 'third')).toMatchObject({ automatic_new_visibility_policy: 2 });
  });

  it('answers the policy, tells the sender, and answers the same to a repeat', async () => {
    await everybody({ follow: 3, unmute: 4 });
    const [toAnna, toBert] = [await EventQueue.register(anna.api), await EventQueue.register(bert.api)];
    const events = await appended(async () => {
      const headers = { 'Idempotency-Key': `key ${made}` };
      const { id, automatic_new_visibility_policy: policy } = await post(anna, 'Lunch', headers);
      expect(policy).toBe(3);
      expect(await post(anna, 'Lunch', headers)).toMatchObject({ id, automatic_new_visibility_policy: 3 });
      expect(await post(bert, 'lunch')).not.toHaveProperty('automatic_new_visibility_policy');
      expect(await post(anna, 'lunch')).not.toHaveProperty('automatic_new_visibility_policy');
    });
    expect(events.sort()).toEqual([...Array(3).fill('MessageSent messages'), `TopicPolicySet user-${anna.id}`]);
    const [told] = (await toAnna.drain()).filter(({ type }) => type === 'user_topic');
    expect(told).toMatchObject({ stream_id: channel, topic_name: 'Lunch', visibility_policy: 3 });
    expect((await toBert.drain()).filter(({ type }) => type === 'user_topic')).toEqual([]);
    const known = [expect.objectContaining({ topic_name: 'Lunch', visibility_policy: 3 })];
    expect(await shown(anna)).toEqual(known);
    await annals.restart();
    expect(await shown(anna)).toEqual(known);
  });

  it('unmutes the topic in a channel that the sender has muted, and never lowers a policy', async () => {
    await everybody({ follow: 4, unmute: 2 });
    await mute(bert);
    expect(await post(bert, 'a')).toMatchObject({ automatic_new_visibility_policy: 2 });
    expect(await post(bert, 'a')).not.toHaveProperty('automatic_new_visibility_policy');
    await set(bert, 'b', 3);
    expect(await post(bert, 'b')).not.toHaveProperty('automatic_new_visibility_policy');
    expect(await post(anna, 'c')).not.toHaveProperty('automatic_new_visibility_policy');
  });

  it('may be a reaction, if the user follows topics by participation', async () => {
    await everybody({ follow: 1, unmute: 4 });
    const { id } = await post(anna, 'd');
    const events = await appended(() => bert.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    expect(events).toEqual([`ReactionAdded message-${id}`, `TopicPolicySet user-${bert.id}`]);
    await everybody({ follow: 2, unmute: 4 });
    const { id: other } = await post(anna, 'e');
    expect(await appended(() => bert.api.post(`/messages/${other}/reactions`, { emoji_name: 'tada' }))).toEqual([
      `ReactionAdded message-${other}`,
    ]);
  });

  it('sets no policy for a conversation', async () => {
    await everybody({ follow: 1, unmute: 1 });
    const message = { type: 'direct', to: [bert.id], content: 'hello @**bert**' };
    const events = await appended(async () => {
      const { body } = await anna.api.post('/messages', message);
      expect(body).not.toHaveProperty('automatic_new_visibility_policy');
    });
    expect(events).toEqual(['MessageSent messages']);
  });

  describe('for mentioned users', () => {
    const mention = (content: string, topic = 'lunch') => appended(() => post(anna, topic, {}, content));

    beforeEach(async () => {
      await everybody({});
      await post(anna, 'lunch');
    });

    it('sets the policy once, and tells the mentioned user alone', async () => {
      const [toAnna, toBert] = [await EventQueue.register(anna.api), await EventQueue.register(bert.api)];
      expect(await mention('@**bert**, and again @**bert**')).toEqual([
        'MessageSent messages',
        `TopicPolicySet user-${bert.id}`,
      ]);
      expect(await mention('@**bert**')).toEqual(['MessageSent messages']);
      expect(policies(await toBert.drain())).toEqual([['lunch', 3]]);
      expect(policies(await toAnna.drain())).toEqual([]);
      const event = (await annals.events(`user-${bert.id}`)).at(-1);
      expect(event).toMatchObject({ data: { from: 0, to: 3 }, metadata: { actorId: anna.id } });
      expect(await shown(bert)).toMatchObject([{ topic_name: 'lunch', visibility_policy: 3 }]);
    });

    it('keeps a muted topic, but follows an unmuted topic and a topic of a muted channel', async () => {
      await set(bert, 'lunch', 1);
      expect(await mention('@**bert**')).toEqual(['MessageSent messages']);
      await set(bert, 'lunch', 2);
      expect(await mention('@**bert**')).toContain(`TopicPolicySet user-${bert.id}`);
      await post(anna, 'dinner');
      await mute(bert);
      expect(await mention('@**bert**', 'dinner')).toContain(`TopicPolicySet user-${bert.id}`);
    });

    it('sets no policy for silent, group or wildcard mentions, or for users who do not get the message', async () => {
      const name = `cooks ${made}`;
      await anna.api.post('/user_groups/create', { name, description: '', members: [bert.id] });
      const carl = await annals.user(`carl${made}`);
      for (const content of ['@_**bert**', `@*${name}*`, '@**all**', '@**topic**', `@**carl${made}**`, '`@**bert**`'])
        expect(await mention(content)).toEqual(['MessageSent messages']);
      await carl.api.post('/users/me/subscriptions', { subscriptions: [{ name: `channel ${made}` }] });
      expect(await mention(`@**carl${made}**`)).toContain(`TopicPolicySet user-${carl.id}`);
    });

    it('sets no policy for mentions in an edit, or if the user disables the setting', async () => {
      const { id } = await post(anna, 'lunch');
      expect(await appended(() => anna.api.patch(`/messages/${id}`, { content: '@**bert**' }))).toEqual([
        `MessageEdited message-${id}`,
      ]);
      await everybody({ followWhereMentioned: false });
      expect(await mention('@**bert**')).toEqual(['MessageSent messages']);
    });
  });
});
