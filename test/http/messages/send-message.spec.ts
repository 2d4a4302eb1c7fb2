import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SubscribeUsers, UnsubscribeUsers } from '../../../src/features/channels/domain/subscribe-users.js';
import { DeactivateUser } from '../../../src/features/users/domain/activity.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

describe('POST /messages', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let guest: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    await annals.noDefaultChannels();
    owner = await annals.owner();
    iris = await annals.user('iris');
    guest = await annals.user('guest', 600);
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], invite_only: true });
  });
  afterAll(() => annals.stop());

  const toGeneral = (params: object = {}) => ({
    type: 'channel',
    to: 'general',
    topic: 't',
    content: 'hello',
    ...params,
  });
  const sentSince = async (head: number) =>
    (await annals.events('messages', head)).filter(({ type }) => type === 'MessageSent');

  it('answers the id, which is the revision + 1', async () => {
    // Only the user who starts a topic follows it, so only the first answer has the policy.
    for (const more of [{ automatic_new_visibility_policy: 3 }, {}]) {
      const head = await annals.head();
      const { status, body } = await owner.api.post('/messages', toGeneral());
      expect(status).toBe(200);
      const [event] = await sentSince(head);
      expect(body).toEqual({ result: 'success', msg: '', id: (event?.revision ?? 0) + 1, ...more });
      expect(event?.metadata).toMatchObject({ actorId: owner.id });
    }
  });

  it.each([
    ['a channel name', 'general'],
    ['a channel name in JSON', '"general"'],
    ['a channel id', 1],
    ['a list of one name', ['general']],
    ['a list of one id', [1]],
  ])('accepts %s', async (_, to) => {
    const { body } = await owner.api.post('/messages', toGeneral({ to }));
    expect(body.result).toBe('success');
  });

  it.each(['channel', 'stream'])('accepts the type %s, and subject for topic', async (type) => {
    const head = await annals.head();
    await owner.api.post('/messages', { type, to: 'general', subject: 'old name', content: 'x' });
    expect((await sentSince(head))[0]?.data).toMatchObject({ recipient: { type: 'channel', topic: 'old name' } });
  });

  it('accepts direct messages to ids, addresses, and lists of either', async () => {
    const head = await annals.head();
    for (const [type, to] of [
      ['direct', [iris.id]],
      ['private', iris.email],
      ['direct', [iris.email]],
      ['private', JSON.stringify([iris.email])],
      ['direct', iris.id],
    ]) {
      expect((await owner.api.post('/messages', { type, to, content: 'psst' })).body.result).toBe('success');
    }
    const recipients = (await sentSince(head)).map(({ data }) => (data as { recipient: object }).recipient);
    expect(recipients).toEqual(Array(5).fill({ type: 'direct', userIds: [owner.id, iris.id] }));
  });

  it.each<[string, object, object]>([
    ['several addresses in one text', { type: 'direct', to: 'IRIS@example.com, guest@example.com' }, { ids: 'both' }],
    [
      'a user with a topic, which is ignored',
      { type: 'direct', to: ['self'], topic: 'x'.repeat(100) },
      { ids: 'self' },
    ],
  ])('accepts direct messages to %s', async (_, params, { ids }: { ids?: string }) => {
    const head = await annals.head();
    const to = 'to' in params && Array.isArray(params.to) ? [owner.id] : `${iris.email.toUpperCase()}, ${guest.email}`;
    const { body } = await owner.api.post('/messages', { ...params, to, content: 'psst' });
    expect(body.result).toBe('success');
    const userIds = ids === 'self' ? [owner.id] : [owner.id, iris.id, guest.id];
    expect((await sentSince(head))[0]?.data).toMatchObject({ recipient: { type: 'direct', userIds } });
  });

  it('keeps the content except white space at its end, up to the limit in code points', async () => {
    const content = `  two\n lines ${'😀'.repeat(9987)}`;
    expect([...content].length).toBe(10_000);
    const { body } = await owner.api.post(
      '/messages',
      toGeneral({ content: `${content} \n\n`, topic: '😀'.repeat(60) }),
    );
    expect(body.result).toBe('success');
    const { message, raw_content } = (await owner.api.get(`/messages/${body.id}`)).body;
    expect([raw_content, message.subject]).toEqual([content, '😀'.repeat(60)]);
  });

  it.each<[string | undefined, boolean | undefined, boolean]>([
    ['ZulipMobile/27 (iOS 17)', undefined, true],
    ['ZulipTerminal/0.7.0 Linux', undefined, true],
    ['ZulipPython/0.9.1 (Linux)', undefined, false],
    ['curl/8.0', undefined, false],
    [undefined, undefined, false],
    ['ZulipPython/0.9.1 (Linux)', true, true],
    ['ZulipMobile/27 (iOS 17)', false, false],
  ])('sent by %s with read_by_sender %s has the read flag: %s', async (client, read_by_sender, isRead) => {
    const asked = read_by_sender === undefined ? {} : { read_by_sender };
    const headers = { 'User-Agent': client ?? '' };
    const { body } = await owner.api.post('/messages', toGeneral(asked), { headers });
    const { message } = (await owner.api.get(`/messages/${body.id}`)).body;
    expect(message.flags.includes('read')).toBe(isRead);
  });

  describe('refuses, and appends nothing:', () => {
    it.each([
      ['null bytes', toGeneral({ content: 'a\0b' }), 'BAD_REQUEST', {}],
      ['null bytes in a topic', toGeneral({ topic: 'a\0b' }), 'BAD_REQUEST', {}],
      ['ids and addresses together', { type: 'direct', to: '[1, "a@b.c"]', content: 'x' }, 'BAD_REQUEST', {}],
      ['a local id that is too long', toGeneral({ queue_id: 'q', local_id: 'x'.repeat(256) }), 'BAD_REQUEST', {}],
      ['no type', { to: 'general', topic: 't', content: 'x' }, 'REQUEST_VARIABLE_MISSING', { var_name: 'type' }],
      ['no recipient', { type: 'channel', topic: 't', content: 'x' }, 'REQUEST_VARIABLE_MISSING', { var_name: 'to' }],
      [
        'no content',
        { type: 'channel', to: 'general', topic: 't' },
        'REQUEST_VARIABLE_MISSING',
        { var_name: 'content' },
      ],
      ['an unknown type', toGeneral({ type: 'shout' }), 'BAD_REQUEST', {}],
      ['no topic', { type: 'channel', to: 'general', content: 'x' }, 'BAD_REQUEST', { msg: 'Missing topic' }],
      [
        'a misspelt topic',
        { type: 'channel', to: 'general', tpic: 't', content: 'x' },
        'BAD_REQUEST',
        { msg: 'Missing topic; there is no parameter tpic' },
      ],
      ['an empty message', toGeneral({ content: ' ' }), 'BAD_REQUEST', {}],
      ['an unknown channel', toGeneral({ to: 'nowhere' }), 'STREAM_DOES_NOT_EXIST', { stream: 'nowhere' }],
      ['an unknown channel id', toGeneral({ to: 99 }), 'STREAM_DOES_NOT_EXIST', { stream_id: 99 }],
      ['two channels', toGeneral({ to: ['general', 'secret'] }), 'BAD_REQUEST', {}],
      ['a recipient of a wrong kind', toGeneral({ to: '[{"a":1}]' }), 'BAD_REQUEST', {}],
      ['an unknown address', { type: 'direct', to: 'nobody@example.com', content: 'x' }, 'BAD_REQUEST', {}],
      ['an unknown user id', { type: 'direct', to: [999], content: 'x' }, 'BAD_REQUEST', {}],
      ['an empty list of recipients', { type: 'direct', to: [], content: 'x' }, 'BAD_REQUEST', {}],
      ['a queue without a local id', toGeneral({ queue_id: 'q' }), 'BAD_REQUEST', {}],
      ['a local id without a queue', toGeneral({ local_id: '1' }), 'BAD_REQUEST', {}],
      ['a queue without a local id', toGeneral({ queue_id: 'q' }), 'BAD_REQUEST', {}],
      ['a flag that is not a boolean', toGeneral({ read_by_sender: '"yes"' }), 'BAD_REQUEST', {}],
      ['malformed JSON', toGeneral({ read_by_sender: '{' }), 'INVALID_JSON', {}],
    ])('%s', async (_, params, code, extra) => {
      const head = await annals.head();
      const { status, body } = await owner.api.post('/messages', params);
      expect([status, body.result, body.code]).toEqual([400, 'error', code]);
      expect(body).toMatchObject(extra);
      expect(await annals.head()).toBe(head);
    });

    it('a deactivated recipient', async () => {
      const gone = await annals.user('gone');
      await annals.execute(new DeactivateUser({ userId: gone.id, by, notice: null }));
      const head = await annals.head();
      const { status, body } = await owner.api.post('/messages', { type: 'direct', to: [gone.id], content: 'x' });
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
      expect(await annals.head()).toBe(head);
    });

    it('a private channel without a subscription, as if it did not exist', async () => {
      const head = await annals.head();
      const { body } = await iris.api.post('/messages', toGeneral({ to: 'secret' }));
      expect(body).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', stream: 'secret' });
      expect(await annals.head()).toBe(head);
    });

    it('guests who are not subscribed to the channel', async () => {
      const { body } = await guest.api.post('/messages', toGeneral());
      expect(body.code).toBe('STREAM_DOES_NOT_EXIST');
      await annals.execute(new SubscribeUsers({ channelId: 1, userIds: [guest.id], by, color: null }));
      expect((await guest.api.post('/messages', toGeneral())).body.result).toBe('success');
    });
  });

  describe('sends exactly once', () => {
    const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } });

    it('by Idempotency-Key: a repeat gets the first answer and appends nothing', async () => {
      const first = await owner.api.post('/messages', toGeneral(), keyed('once'));
      const head = await annals.head();
      expect((await owner.api.post('/messages', toGeneral(), keyed('once'))).body).toEqual(first.body);
      await annals.restart();
      expect((await owner.api.post('/messages', toGeneral(), keyed('once'))).body).toEqual(first.body);
      expect(await annals.head()).toBe(head);
    });

    it('refuses the same Idempotency-Key with another body', async () => {
      await owner.api.post('/messages', toGeneral(), keyed('reused'));
      const head = await annals.head();
      const { status, body } = await owner.api.post('/messages', toGeneral({ content: 'other' }), keyed('reused'));
      expect([status, body.code]).toEqual([400, 'EXPECTATION_MISMATCH']);
      expect(await annals.head()).toBe(head);
    });

    it('keeps the keys of different callers apart', async () => {
      const mine = await owner.api.post('/messages', toGeneral(), keyed('ours'));
      const hers = await iris.api.post('/messages', toGeneral(), keyed('ours'));
      expect(hers.body.id).not.toBe(mine.body.id);
    });

    it('by queue_id and local_id; the same local_id with another body is another message', async () => {
      const local = { queue_id: 'some-queue', local_id: '7.01' };
      const first = await owner.api.post('/messages', toGeneral({ ...local, content: 'one' }));
      const other = await owner.api.post('/messages', toGeneral({ ...local, content: 'two' }));
      expect(other.body.id).toBeGreaterThan(first.body.id);
      const head = await annals.head();
      expect((await owner.api.post('/messages', toGeneral({ ...local, content: 'one' }))).body).toEqual(first.body);
      expect((await owner.api.post('/messages', toGeneral({ ...local, content: 'two' }))).body).toEqual(other.body);
      expect(await annals.head()).toBe(head);
    });

    it('if the repeats arrive at the same time', async () => {
      const head = await annals.head();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => owner.api.post('/messages', toGeneral(), keyed('crowd'))),
      );
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(await sentSince(head)).toHaveLength(1);
    });

    it('if different messages with one key arrive at the same time: the others are refused', async () => {
      const head = await annals.head();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          owner.api.post('/messages', toGeneral({ content: `variant ${index}` }), keyed('rivals')),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await sentSince(head)).toHaveLength(1);
    });

    it('answers a repeat even if the sender may no longer post', async () => {
      const secret = await annals.user('leaver');
      await annals.execute(new SubscribeUsers({ channelId: 2, userIds: [secret.id], by, color: null }));
      const params = toGeneral({ to: 'secret' });
      const first = await secret.api.post('/messages', params, keyed('left'));
      expect(first.body.result).toBe('success');
      await annals.execute(new UnsubscribeUsers({ channelId: 2, userIds: [secret.id], by }));
      expect((await secret.api.post('/messages', params, keyed('left'))).body).toEqual(first.body);
      expect((await secret.api.post('/messages', params)).body.code).toBe('STREAM_DOES_NOT_EXIST');
    });

    it.each(['', 'x'.repeat(256)])('refuses the key %j', async (key) => {
      const { body } = await owner.api.post('/messages', toGeneral(), keyed(key));
      expect(body.code).toBe('BAD_REQUEST');
    });
  });
});
