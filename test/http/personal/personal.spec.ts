import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import type { Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const NOTHING_MORE = { result: 'success', msg: '' };
const TYPES = ['user_topic', 'muted_topics', 'alert_words', 'muted_users'];

describe('the personal data of a user over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let noor: Member;
  let opticsId: number;
  let secretId: number;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    iris = await annals.user('iris');
    noor = await annals.user('noor');
    opticsId = (await owner.api.post('/channels/create', { name: 'optics', subscribers: [owner.id, iris.id] })).body.id;
    const secret = { name: 'secret', subscribers: [owner.id], invite_only: true };
    secretId = (await owner.api.post('/channels/create', secret)).body.id;
  });
  afterAll(() => annals.stop());

  /** Answers the events that the request appends. */
  async function appendedBy(ask: () => Promise<unknown>) {
    const head = await annals.head();
    await ask();
    return (await annals.events(undefined, head)).map(({ stream, type, data }) => ({ stream, type, data }));
  }

  const fresh = async (member: Member, params: Params = {}) => (await member.api.post('/register', params)).body;
  const seconds = () => expect.any(Number);

  describe('POST /user_topics', () => {
    const set = (member: Member, topic: string, visibility_policy: number, stream_id = opticsId) =>
      member.api.post('/user_topics', { stream_id, topic, visibility_policy });

    it('appends one event, and tells the queues of the user, each in the form that its client knows', async () => {
      const knows = { client_capabilities: { empty_topic_name: true } };
      const modern = await EventQueue.register(iris.api, { event_types: ['user_topic'], ...knows });
      const old = await EventQueue.register(iris.api, { event_types: ['muted_topics'] });
      const both = await EventQueue.register(iris.api, { event_types: ['muted_topics', 'user_topic'] });
      const everything = await EventQueue.register(iris.api);
      const others = await EventQueue.register(noor.api, { event_types: TYPES });
      expect(
        await appendedBy(async () => {
          expect((await set(iris, ' Lenses ', 1)).body).toEqual(NOTHING_MORE);
          expect((await set(iris, 'general chat', 3)).body).toEqual(NOTHING_MORE);
        }),
      ).toEqual(
        [
          { topic: 'Lenses', to: 1 },
          { topic: '', to: 3 },
        ].map((change) => ({
          stream: `user-${iris.id}`,
          type: 'TopicPolicySet',
          data: { userId: iris.id, channelId: opticsId, from: 0, ...change },
        })),
      );
      const topic = (topic_name: string, visibility_policy: number) => ({
        type: 'user_topic',
        stream_id: opticsId,
        topic_name,
        last_updated: seconds(),
        visibility_policy,
      });
      const muted = { type: 'muted_topics', muted_topics: [['optics', 'Lenses', seconds()]] };
      expect(await told(modern)).toEqual([topic('Lenses', 1), topic('', 3)]);
      expect(await told(both)).toEqual([topic('Lenses', 1), topic('general chat', 3)]);
      expect(await told(old)).toEqual([muted]);
      expect(await told(everything)).toEqual([muted, topic('Lenses', 1), topic('general chat', 3)]);
      expect(await told(others)).toEqual([]);
    });

    it('appends nothing without a change, whatever the case of the topic', async () => {
      await set(iris, 'Prisms', 2);
      for (const [topic, policy] of [
        ['Prisms', 2],
        ['pRISMS', 2],
        ['never named', 0],
      ] as const)
        expect(await appendedBy(() => set(iris, topic, policy))).toEqual([]);
      const [{ data } = { data: null }] = await appendedBy(() => set(iris, 'prisms', 1));
      expect(data).toMatchObject({ topic: 'Prisms', from: 2, to: 1 });
    });

    it('is in the state of the next registration', async () => {
      await set(noor, 'A', 1);
      await set(noor, 'a', 3);
      await set(noor, 'B', 1);
      await set(noor, '', 1);
      await set(noor, 'gone', 2);
      await set(noor, 'gone', 0);
      const topic = (topic_name: string, visibility_policy: number) => ({
        stream_id: opticsId,
        topic_name,
        last_updated: seconds(),
        visibility_policy,
      });
      const state = await fresh(noor);
      expect(state.user_topics).toEqual([topic('general chat', 1), topic('A', 3), topic('B', 1)]);
      expect(state.muted_topics).toEqual([
        ['optics', 'general chat', seconds()],
        ['optics', 'B', seconds()],
      ]);
      const modern = await fresh(noor, {
        fetch_event_types: ['user_topic', 'muted_topics'],
        client_capabilities: { empty_topic_name: true },
      });
      expect(modern).not.toHaveProperty('muted_topics');
      expect(modern.user_topics[0]).toEqual(topic('', 1));
      const neither = await fresh(noor, { fetch_event_types: ['message'] });
      expect(neither).not.toHaveProperty('user_topics');
    });

    it('hides the channel name from users who no longer see it, who may still remove the policy', async () => {
      const subscribed = { subscriptions: [{ name: 'secret' }], principals: [noor.id] };
      await owner.api.post('/users/me/subscriptions', subscribed);
      await set(noor, 'plot', 1, secretId);
      expect((await fresh(noor)).muted_topics).toContainEqual(['secret', 'plot', seconds()]);
      await owner.api.delete('/users/me/subscriptions', { subscriptions: ['secret'], principals: [noor.id] });
      expect((await fresh(noor)).muted_topics).not.toContainEqual(['secret', 'plot', seconds()]);
      await expectRefusal(annals, () => set(noor, 'plot', 2, secretId), 'Invalid channel ID');
      expect(await appendedBy(() => set(noor, 'plot', 0, secretId))).toHaveLength(1);
      await expectRefusal(annals, () => set(noor, 'plot', 0, secretId), 'Invalid channel ID');
    });

    it('refuses hidden or missing channels, invalid topics, and unknown policies', async () => {
      await expectRefusal(annals, () => set(noor, 'x', 1, secretId), 'Invalid channel ID');
      await expectRefusal(annals, () => set(noor, 'x', 1, 999), 'Invalid channel ID');
      await expectRefusal(annals, () => set(noor, 'a\u0007', 1), 'Topic has characters that are not allowed');
      expect((await set(noor, '🌒'.repeat(60), 1)).body).toEqual(NOTHING_MORE);
      for (const policy of [-1, 4])
        await expectRefusal(annals, () => set(noor, 'x', policy), 'visibility_policy must be one of 0, 1, 2, 3');
      await expectRefusal(
        annals,
        () => noor.api.post('/user_topics', { stream_id: opticsId, topic: 'x', visibility_policy: '"1"' }),
        'visibility_policy is not an integer',
      );
    });

    it.each(['stream_id', 'topic', 'visibility_policy'])('requires %s', async (name) => {
      const params = { stream_id: opticsId, topic: 'x', visibility_policy: 1, [name]: undefined };
      const { body } = await iris.api.post('/user_topics', params);
      expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: name });
    });
  });

  describe('PATCH /users/me/subscriptions/muted_topics', () => {
    const mute = (params: Params) => iris.api.patch('/users/me/subscriptions/muted_topics', params);

    it('mutes and unmutes, by id and by name', async () => {
      const data = { userId: iris.id, channelId: opticsId, topic: 'mirrors' };
      const change = (from: number, to: number) => [
        { stream: `user-${iris.id}`, type: 'TopicPolicySet', data: { ...data, from, to } },
      ];
      const add = { topic: 'mirrors', op: 'add' };
      const remove = { topic: 'Mirrors', op: 'remove' };
      expect(await appendedBy(() => mute({ stream_id: opticsId, ...add }))).toEqual(change(0, 1));
      expect(await appendedBy(() => mute({ stream: 'Optics', ...add }))).toEqual([]);
      expect(await appendedBy(() => mute({ stream: 'optics', ...remove }))).toEqual(change(1, 0));
      expect(await appendedBy(() => mute({ stream_id: opticsId, ...remove }))).toEqual([]);
    });

    it('refuses hidden channels, and requests with none or two channels', async () => {
      const rest = { topic: 'x', op: 'add' };
      await expectRefusal(annals, () => mute({ stream_id: secretId, ...rest }), 'Invalid channel ID');
      await expectRefusal(annals, () => mute({ stream: 'secret', ...rest }), "Invalid channel name 'secret'");
      await expectRefusal(annals, () => mute({ stream: 'optics', stream_id: opticsId, ...rest }), {
        msg: 'Unsupported parameter combination: stream_id, stream',
        parameters: 'stream_id, stream',
      });
      expect((await mute(rest)).body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'stream_id' });
      await expectRefusal(
        annals,
        () => mute({ stream_id: opticsId, topic: 'x', op: 'toggle' }),
        'op must be one of add, remove',
      );
    });
  });

  describe('alert words', () => {
    const words = (...alert_words: string[]) => ({ ...NOTHING_MORE, alert_words });
    const add = (...alert_words: unknown[]) => iris.api.post('/users/me/alert_words', { alert_words });
    const remove = (...alert_words: string[]) => iris.api.delete('/users/me/alert_words', { alert_words });

    it('are listed, added and removed in any case, and told as a whole list', async () => {
      expect((await iris.api.get('/users/me/alert_words')).body).toEqual(words());
      const own = await EventQueue.register(iris.api, { event_types: ['alert_words'] });
      const others = await EventQueue.register(noor.api, { event_types: TYPES });
      const stream = `user-${iris.id}`;
      const data = { userId: iris.id };
      expect(
        await appendedBy(async () => {
          expect((await add('Deploy', ' on call ', 'deploy')).body).toEqual(words('Deploy', 'on call'));
          expect((await add('DEPLOY')).body).toEqual(words('Deploy', 'on call'));
          expect((await add('build')).body).toEqual(words('Deploy', 'on call', 'build'));
          expect((await remove('ON CALL', 'nothing')).body).toEqual(words('Deploy', 'build'));
          expect((await remove('nothing')).body).toEqual(words('Deploy', 'build'));
        }),
      ).toEqual([
        { stream, type: 'AlertWordsAdded', data: { ...data, words: ['Deploy', 'on call'] } },
        { stream, type: 'AlertWordsAdded', data: { ...data, words: ['build'] } },
        { stream, type: 'AlertWordsRemoved', data: { ...data, words: ['on call'] } },
      ]);
      expect(await told(own)).toEqual(
        [
          ['Deploy', 'on call'],
          ['Deploy', 'on call', 'build'],
          ['Deploy', 'build'],
        ].map((alert_words) => ({
          type: 'alert_words',
          alert_words,
        })),
      );
      expect(await told(others)).toEqual([]);
      expect((await fresh(iris)).alert_words).toEqual(['Deploy', 'build']);
      expect((await fresh(noor)).alert_words).toEqual([]);
      expect((await iris.api.get('/users/me/alert_words')).body).toEqual(words('Deploy', 'build'));
    });

    it('refuses words that are too long or too many, and values that are not words', async () => {
      await expectRefusal(annals, () => add('x'.repeat(101)), 'alert_words[0] is too long (limit: 100 characters)');
      await expectRefusal(
        annals,
        () => add('x', 'y'.repeat(101)),
        'alert_words[1] is too long (limit: 100 characters)',
      );
      await expectRefusal(annals, () => add(7), 'alert_words[0] is not a string');
      await expectRefusal(
        annals,
        () => iris.api.post('/users/me/alert_words', { alert_words: '"x"' }),
        'alert_words is not a list',
      );
      const many = (from: number) => Array.from({ length: 600 }, (_, index) => `word ${from + index}`);
      await add(...many(0));
      await expectRefusal(annals, () => add(...many(600)), 'Too many alert words (limit: 1000)');
      await remove(...many(0));
      for (const method of ['post', 'delete'] as const) {
        const { body } = await iris.api[method]('/users/me/alert_words');
        expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'alert_words' });
      }
    });
  });

  describe('muted users', () => {
    const mute = (userId: number) => iris.api.post(`/users/me/muted_users/${userId}`);
    const unmute = (userId: number) => iris.api.delete(`/users/me/muted_users/${userId}`);

    it('are muted and unmuted, including bots and deactivated accounts, and told as a whole list', async () => {
      const { body: bot } = await noor.api.post('/bots', { full_name: 'Helper', short_name: 'helper' });
      const leaver = await annals.user('leaver');
      await owner.api.delete(`/users/${leaver.id}`);
      const own = await EventQueue.register(iris.api, { event_types: ['muted_users'] });
      const others = await EventQueue.register(noor.api, { event_types: TYPES });
      const ids = [noor.id, bot.user_id, leaver.id];
      expect(
        await appendedBy(async () => {
          for (const id of ids) expect((await mute(id)).body).toEqual(NOTHING_MORE);
          expect((await unmute(noor.id)).body).toEqual(NOTHING_MORE);
        }),
      ).toEqual([
        ...ids.map((id) => ({
          stream: `user-${iris.id}`,
          type: 'UserMuted',
          data: { userId: iris.id, mutedUserId: id },
        })),
        { stream: `user-${iris.id}`, type: 'UserUnmuted', data: { userId: iris.id, mutedUserId: noor.id } },
      ]);
      const listed = (...muted: number[]) => muted.map((id) => ({ id, timestamp: seconds() }));
      const [one = 0, two = 0, three = 0] = ids;
      expect(await told(own)).toEqual(
        [listed(one), listed(one, two), listed(one, two, three), listed(two, three)].map((muted_users) => ({
          type: 'muted_users',
          muted_users,
        })),
      );
      expect(await told(others)).toEqual([]);
      expect((await fresh(iris)).muted_users).toEqual(listed(two, three));
      expect((await fresh(noor)).muted_users).toEqual([]);
    });

    it('refuses the caller, unknown users, and requests without a change', async () => {
      await expectRefusal(annals, () => mute(iris.id), 'Cannot mute self');
      await expectRefusal(annals, () => mute(999), 'No such user');
      await expectRefusal(annals, () => unmute(999), 'No such user');
      await expectRefusal(annals, () => unmute(owner.id), 'User is not muted');
      await mute(owner.id);
      await expectRefusal(annals, () => mute(owner.id), 'User already muted');
      await unmute(owner.id);
    });
  });

  it('is changed once by concurrent requests', async () => {
    const set = () => noor.api.post('/user_topics', { stream_id: opticsId, topic: 'rush', visibility_policy: 2 });
    expect(await appendedBy(() => Promise.all(Array.from({ length: 8 }, set)))).toHaveLength(1);
    const add = (word: string) => noor.api.post('/users/me/alert_words', { alert_words: [word, 'shared'] });
    const words = ['a', 'b', 'c', 'd'];
    await Promise.all(words.map(add));
    expect([...(await fresh(noor)).alert_words].sort()).toEqual([...words, 'shared']);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => noor.api.post(`/users/me/muted_users/${iris.id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it('is the same after a restart and a rebuild, and queues miss no event', async () => {
    const queue = await EventQueue.register(iris.api, { event_types: TYPES });
    const before = await fresh(iris);
    await iris.api.post('/user_topics', { stream_id: opticsId, topic: 'late', visibility_policy: 3 });
    await annals.restart();
    await iris.api.post('/user_topics', { stream_id: opticsId, topic: 'LATE', visibility_policy: 2 });
    queue.api = iris.api;
    expect(await told(queue)).toMatchObject([
      { type: 'user_topic', topic_name: 'late', visibility_policy: 3 },
      { type: 'user_topic', topic_name: 'late', visibility_policy: 2 },
    ]);
    const after = await fresh(iris);
    for (const part of ['alert_words', 'muted_users', 'muted_topics']) expect(after[part]).toEqual(before[part]);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['personal'], () => {});
    const rebuilt = await fresh(iris);
    for (const part of [...TYPES.slice(1), 'user_topics']) expect(rebuilt[part]).toEqual(after[part]);
    expect(after.user_topics).toHaveLength(before.user_topics.length + 1);
  });
});
