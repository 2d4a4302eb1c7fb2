import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

/** Of 10,001 characters, and as it is stored. */
const LONG = '🌒'.repeat(10_001);
const CUT = `${'🌒'.repeat(9_980)}\n[message truncated]`;
const FOLLOWED = 3;
const LATER = 4_000_000_000;

describe('what is too long is shortened', () => {
  let annals: Annals;
  let noor: Member;
  /** Sends nothing: nothing but the requests sets policies. */
  let iris: Member;
  let channelId: number;

  beforeAll(async () => {
    annals = await Annals.start();
    noor = await annals.user('noor');
    iris = await annals.user('iris');
    const principals = [noor.id, iris.id];
    await noor.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'tides' }], principals });
    channelId = (await noor.api.get('/get_stream_id', { stream: 'tides' })).body.stream_id;
  });
  afterAll(() => annals.stop());

  const message = (topic: string, content = 'x') => ({ type: 'channel', to: channelId, topic, content });
  const sent = async (topic: string, content?: string): Promise<number> => {
    const { status, body } = await noor.api.post('/messages', message(topic, content));
    expect(status).toBe(200);
    return body.id;
  };
  const read = async (id: number) => (await noor.api.get(`/messages/${id}`, { apply_markdown: false })).body.message;
  const named = (letter: string, length: number) => letter.repeat(length);
  const cut = (letter: string) => `${letter.repeat(57)}...`;

  it('when it is sent', async () => {
    const id = await sent(named('a', 61), LONG);
    expect(await read(id)).toMatchObject({ subject: cut('a'), content: CUT });
    const direct = await noor.api.post('/messages', { type: 'direct', to: [noor.id], content: LONG });
    expect(await read(direct.body.id)).toMatchObject({ content: CUT });
  });

  it('and not what has the greatest length', async () => {
    const content = '🌒'.repeat(10_000);
    const id = await sent(named('🌒', 60), `${content}  \n`);
    expect(await read(id)).toMatchObject({ subject: named('🌒', 60), content });
  });

  it('when it is edited or moved', async () => {
    const id = await sent('short');
    const { body } = await noor.api.patch(`/messages/${id}`, { topic: named('b', 100), content: LONG });
    expect(body.result).toBe('success');
    expect(await read(id)).toMatchObject({ subject: cut('b'), content: CUT });
  });

  it('when it is scheduled, and then edited', async () => {
    const time = { scheduled_delivery_timestamp: LATER };
    const scheduled = await noor.api.post('/scheduled_messages', { ...message(named('c', 61), LONG), ...time });
    const id = scheduled.body.scheduled_message_id;
    const listed = async () => (await noor.api.get('/scheduled_messages')).body.scheduled_messages;
    expect(await listed()).toMatchObject([{ topic: cut('c'), content: CUT }]);
    await noor.api.patch(`/scheduled_messages/${id}`, { topic: named('d', 61), content: `${LONG} too` });
    expect(await listed()).toMatchObject([{ topic: cut('d'), content: CUT }]);
    await noor.api.delete(`/scheduled_messages/${id}`);
  });

  it('when it is rendered', async () => {
    const { rendered } = (await noor.api.post('/messages/render', { content: LONG })).body;
    expect(rendered).toMatch(/🌒<br>\n\[message truncated\]<\/p>$/);
  });

  it('when it is read, or marked as read', async () => {
    const id = await sent(named('h', 70));
    const narrow = [
      ['channel', 'tides'],
      ['topic', named('h', 80)],
    ];
    const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow };
    expect((await iris.api.get('/messages', page)).body.messages).toMatchObject([{ id, flags: [] }]);
    await iris.api.post('/mark_topic_as_read', { stream_id: channelId, topic_name: named('h', 90) });
    expect((await iris.api.get('/messages', page)).body.messages).toMatchObject([{ id, flags: ['read'] }]);
  });

  it('with the colours of code that is cut', async () => {
    const id = await sent('code', `${'moon '.repeat(1_980)}\n\n\`\`\`python\n${'x = 1\n'.repeat(40)}\`\`\``);
    const { body } = await noor.api.get(`/messages/${id}`);
    expect(body.message.content).toContain('data-code-language="Python"');
    expect(body.message.content).toContain('<span class="n">x</span>');
  });

  it('when a topic gets a policy', async () => {
    const policy = { stream_id: channelId, topic: named('e', 61), visibility_policy: FOLLOWED };
    expect((await iris.api.post('/user_topics', policy)).status).toBe(200);
    const { state } = await EventQueue.register(iris.api, { fetch_event_types: ['user_topic'] });
    expect(state.user_topics).toMatchObject([{ topic_name: cut('e') }]);
    await iris.api.post('/user_topics', { ...policy, visibility_policy: 0 });
  });

  it.each([59, 60])('when a topic of %i characters is resolved: it is still that topic', async (length) => {
    const topic = named(length === 59 ? 'f' : 'g', length);
    const id = await sent(topic);
    await iris.api.post('/user_topics', { stream_id: channelId, topic, visibility_policy: FOLLOWED });
    const policies = async () =>
      (await EventQueue.register(iris.api, { fetch_event_types: ['user_topic'] })).state.user_topics;
    const moveTo = async (to: string) => {
      const all = { propagate_mode: 'change_all', send_notification_to_old_thread: true };
      expect((await noor.api.patch(`/messages/${id}`, { topic: to, ...all })).body.result).toBe('success');
    };
    const texts = async (of: string) => {
      const narrow = [
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: of },
      ];
      const page = { anchor: 'newest', num_before: 9, num_after: 0, narrow, apply_markdown: false };
      return (await noor.api.get('/messages', page)).body.messages.map(({ content }: { content: string }) => content);
    };

    await moveTo(`✔ ${topic}`);
    const resolved = `✔ ${topic.slice(0, 55)}...`;
    expect(await texts(resolved)).toEqual(['x', expect.stringContaining('resolved')]);
    expect(await texts(topic)).toEqual([]);
    expect(await policies()).toMatchObject([{ topic_name: resolved, visibility_policy: FOLLOWED }]);

    await sent(resolved, 'later');
    const unresolved = resolved.slice(2);
    await moveTo(unresolved);
    expect(await texts(unresolved)).toEqual([
      'x',
      expect.stringContaining('resolved'),
      'later',
      expect.stringContaining('unresolved'),
    ]);
    expect(await policies()).toMatchObject([{ topic_name: unresolved, visibility_policy: FOLLOWED }]);
    await iris.api.post('/user_topics', { stream_id: channelId, topic: unresolved, visibility_policy: 0 });
  });
});
