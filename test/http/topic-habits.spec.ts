import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TopicHabits } from '../../src/personal/domain/topic-habits.settings.js';
import { Habits } from '../../src/personal/queries/habits.js';
import { Annals, type Member } from '../support/annals.js';
import { EventQueue } from '../support/event-queue.js';

describe('A send that sets its sender a policy for the topic', () => {
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

  const everybody = (habits: TopicHabits): void => void Object.assign(annals.app.get(Habits).everybodys, habits);
  const post = async (who: Member, topic: string, headers = {}) => {
    const { status, body } = await who.api.post(
      '/messages',
      { type: 'channel', to: channel, topic, content: 'hello' },
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

  it('changes nothing by the settings that everybody has', async () => {
    const { state } = await EventQueue.register(anna.api);
    expect(state.user_settings).toMatchObject({
      automatically_follow_topics_policy: 4,
      automatically_unmute_topics_in_muted_streams_policy: 4,
      automatically_follow_topics_where_mentioned: false,
    });
    const events = await appended(async () => {
      expect(await post(anna, 'new')).not.toHaveProperty('automatic_new_visibility_policy');
    });
    expect(events).toEqual(['MessageSent messages']);
  });

  it('says so, tells the sender, and says the same to a repeat', async () => {
    everybody({ follow: 3, unmute: 4 });
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
    const { state } = await EventQueue.register(anna.api);
    expect(state.user_topics).toEqual([
      expect.objectContaining({ stream_id: channel, topic_name: 'Lunch', visibility_policy: 3 }),
    ]);
    await annals.restart();
    expect((await EventQueue.register(anna.api)).state.user_topics).toHaveLength(1);
  });

  it('unmutes in a channel that the sender has muted, and never takes a policy away', async () => {
    everybody({ follow: 4, unmute: 2 });
    const change = { stream_id: channel, property: 'is_muted', value: true };
    await bert.api.post('/users/me/subscriptions/properties', { subscription_data: [change] });
    expect(await post(bert, 'a')).toMatchObject({ automatic_new_visibility_policy: 2 });
    expect(await post(bert, 'a')).not.toHaveProperty('automatic_new_visibility_policy');
    await bert.api.post('/user_topics', { stream_id: channel, topic: 'b', visibility_policy: 3 });
    expect(await post(bert, 'b')).not.toHaveProperty('automatic_new_visibility_policy');
    expect(await post(anna, 'c')).not.toHaveProperty('automatic_new_visibility_policy');
  });

  it('may be a reaction, for who takes part', async () => {
    everybody({ follow: 1, unmute: 4 });
    const { id } = await post(anna, 'd');
    const events = await appended(() => bert.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    expect(events).toEqual([`ReactionAdded message-${id}`, `TopicPolicySet user-${bert.id}`]);
    everybody({ follow: 2, unmute: 4 });
    const { id: other } = await post(anna, 'e');
    expect(await appended(() => bert.api.post(`/messages/${other}/reactions`, { emoji_name: 'tada' }))).toEqual([
      `ReactionAdded message-${other}`,
    ]);
  });

  it('leaves conversations as they are', async () => {
    everybody({ follow: 1, unmute: 1 });
    const { body } = await anna.api.post('/messages', { type: 'direct', to: [bert.id], content: 'hello' });
    expect(body).not.toHaveProperty('automatic_new_visibility_policy');
  });
});
