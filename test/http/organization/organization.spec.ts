import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Annals, type Member } from '../../support/servers/annals.js';

const PASSWORD = 'correct horse battery';

describe('accounts and channels over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let guest: Member;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_OWNER_PASSWORD: PASSWORD, ANNALS_ORGANIZATION: 'Observatory' });
    await annals.noDefaultChannels();
    owner = await annals.owner();
    iris = await annals.user('iris');
    guest = await annals.user('guest', 600);
  });
  afterAll(() => annals.stop());

  describe('GET /server_settings', () => {
    it('describes the server, with right, wrong or no credentials', async () => {
      const { status, body } = await annals.api.get('/server_settings');
      expect(status).toBe(200);
      expect(body).toMatchObject({ zulip_feature_level: 421, realm_name: 'Observatory', realm_url: annals.url });
      const wrong = annals.api.as({ email: 'x@y.z', apiKey: 'x'.repeat(32) });
      expect((await wrong.get('/server_settings')).status).toBe(200);
    });
  });

  describe('POST /fetch_api_key', () => {
    const logIn = (username: string, password: string) => annals.api.post('/fetch_api_key', { username, password });

    it('answers a new key each time, and all keys stay valid', async () => {
      const [first, second] = [await logIn('OWNER@example.com', PASSWORD), await logIn('owner@example.com', PASSWORD)];
      expect(first.body).toMatchObject({ result: 'success', email: 'owner@example.com', user_id: 1 });
      expect(first.body.api_key).not.toBe(second.body.api_key);
      for (const { body } of [first, second]) {
        const { status } = await annals.api.as({ email: body.email, apiKey: body.api_key }).get('/users/me');
        expect(status).toBe(200);
      }
      expect((await owner.api.get('/users/me')).status).toBe(200);
    });

    it('stores keys only hashed', async () => {
      const { body } = await logIn('owner@example.com', PASSWORD);
      expect(JSON.stringify(await annals.events('users'))).not.toContain(body.api_key);
      expect(JSON.stringify(await annals.events('users'))).not.toContain(PASSWORD);
    });

    it.each([
      ['a wrong password', 'owner@example.com', 'wrong'],
      ['an unknown account', 'nobody@example.com', PASSWORD],
      ['an account without a password', 'iris@example.com', ''],
    ])('refuses %s with the same answer, and appends nothing', async (_, username, password) => {
      const head = await annals.head();
      const { status, body } = await logIn(username, password);
      expect([status, body.code]).toEqual([401, 'AUTHENTICATION_FAILED']);
      expect(await annals.head()).toBe(head);
    });
  });

  describe('users', () => {
    it('are listed with the fields that are asked for', async () => {
      const { body } = await iris.api.get('/users', {
        include_custom_profile_fields: true,
        user_ids: [1, iris.id, 999],
      });
      expect(body.members.map((member: { user_id: number }) => member.user_id)).toEqual([1, iris.id]);
      expect(body.members[0]).toMatchObject({ is_owner: true, is_admin: true, role: 100, profile_data: {} });
    });

    it('get their own account', async () => {
      const { body } = await iris.api.get('/users/me');
      expect(body).toMatchObject({ user_id: iris.id, email: 'iris@example.com', is_admin: false, role: 400 });
    });

    it('are created by the owner, and can log in', async () => {
      const account = { email: 'nova@example.com', password: PASSWORD, full_name: 'Nova' };
      const { body } = await owner.api.post('/users', account);
      expect(body).toEqual({ result: 'success', msg: '', user_id: expect.any(Number) });
      const loggedIn = await annals.api.post('/fetch_api_key', { username: account.email, password: PASSWORD });
      expect(loggedIn.body.user_id).toBe(body.user_id);
    });

    it.each([
      ['an address that is taken', { email: 'IRIS@example.com' }, 'BAD_REQUEST'],
      ['an invalid address', { email: 'iris' }, 'BAD_REQUEST'],
      ['an empty name', { full_name: ' ' }, 'BAD_REQUEST'],
    ])('are not created with %s', async (_, changes, code) => {
      const head = await annals.head();
      const params = { email: 'new@example.com', password: PASSWORD, full_name: 'New', ...changes };
      const { status, body } = await owner.api.post('/users', params);
      expect([status, body.code]).toEqual([400, code]);
      expect(await annals.head()).toBe(head);
    });

    it('are not created by members', async () => {
      const { status, body } = await iris.api.post('/users', { email: 'a@b.c', password: PASSWORD, full_name: 'A' });
      expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL']);
    });

    it.each<[string, () => Member, () => number, number, string]>([
      ['callers who are not administrators', () => iris, () => guest.id, 400, 'UNAUTHORIZED_PRINCIPAL'],
      ['the only owner', () => owner, () => owner.id, 400, 'BAD_REQUEST'],
      ['an account that does not exist', () => owner, () => 999, 400, 'BAD_REQUEST'],
    ])('DELETE refuses %s, and appends nothing', async (_, who, whom, status, code) => {
      const head = await annals.head();
      const answer = await who().api.delete(`/users/${whom()}`);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(await annals.head()).toBe(head);
    });

    it('are refused as soon as they are deactivated', async () => {
      const leaver = await annals.user('leaver');
      expect((await owner.api.delete(`/users/${leaver.id}`)).body).toEqual({ result: 'success', msg: '' });
      const { status, body } = await leaver.api.get('/users/me');
      expect(status).toBe(401);
      expect(['USER_DEACTIVATED', 'INVALID_API_KEY']).toContain(body.code);
    });
  });

  describe('channels and subscriptions', () => {
    it('subscribing creates the channel, and subscribes its users as a consequence', async () => {
      const head = await annals.head();
      const { body } = await iris.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'stars', description: 'bright ones' }],
        principals: [iris.id, owner.id],
      });
      expect(body.subscribed).toEqual({ [iris.id]: ['stars'], [owner.id]: ['stars'] });
      const events = await annals.events(undefined, head);
      expect(events.map(({ type }) => type)).toEqual(['ChannelCreated', 'UsersSubscribed']);
      expect(events[1]?.metadata.causationId).toBe(events[0]?.id);
    });

    it('subscribing again answers already_subscribed and appends nothing', async () => {
      await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'moons' }] });
      const head = await annals.head();
      const { body } = await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'MOONS' }] });
      expect(body).toMatchObject({ subscribed: {}, already_subscribed: { [iris.id]: ['moons'] } });
      expect(await annals.head()).toBe(head);
    });

    it('subscribes others by address', async () => {
      const { body } = await owner.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'general' }],
        principals: [iris.email],
      });
      expect(body.subscribed).toEqual({ [iris.id]: ['general'] });
      const { subscriptions } = (await iris.api.get('/users/me/subscriptions', { include_subscribers: 'true' })).body;
      const general = subscriptions.find(({ name }: { name: string }) => name === 'general');
      expect(general.subscribers).toEqual([owner.id, iris.id]);
    });

    it('a race of 50 for a new name creates one channel and subscribes everybody', async () => {
      const head = await annals.head();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (index % 2 ? owner : iris).api.post('/users/me/subscriptions', { subscriptions: [{ name: 'race' }] }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const created = (await annals.events('channels', head)).filter(({ type }) => type === 'ChannelCreated');
      expect(created).toHaveLength(1);
    });

    it.each([
      ['no channels', { subscriptions: [] }, 'BAD_REQUEST'],
      ['channels without names', { subscriptions: [{}] }, 'BAD_REQUEST'],
      ['an empty name', { subscriptions: [{ name: ' ' }] }, 'BAD_REQUEST'],
      ['a name too long', { subscriptions: [{ name: 'x'.repeat(61) }] }, 'BAD_REQUEST'],
      ['an unknown principal', { subscriptions: [{ name: 'x' }], principals: [999] }, 'BAD_REQUEST'],
      ['mixed principals', { subscriptions: [{ name: 'x' }], principals: [1, 'a@b.c'] }, 'BAD_REQUEST'],
      ['malformed JSON', { subscriptions: '[{' }, 'INVALID_JSON'],
    ])('refuses %s and appends nothing', async (_, params, code) => {
      const head = await annals.head();
      const { status, body } = await owner.api.post('/users/me/subscriptions', params);
      expect([status, body.code]).toEqual([400, code]);
      expect(await annals.head()).toBe(head);
    });

    it('appends nothing if a part of the request is refused', async () => {
      const head = await annals.head();
      const subscriptions = [{ name: 'fine' }, { name: 'x'.repeat(61) }];
      expect((await owner.api.post('/users/me/subscriptions', { subscriptions })).status).toBe(400);
      expect(await annals.head()).toBe(head);
    });

    it('hides private channels from users outside them', async () => {
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'vault' }], invite_only: true });
      const names = async (member: Member) =>
        (await member.api.get('/streams')).body.streams.map(({ name }: { name: string }) => name);
      expect(await names(owner)).toContain('vault');
      expect(await names(iris)).not.toContain('vault');
      expect((await iris.api.get('/get_stream_id', { stream: 'vault' })).body.code).toBe('BAD_REQUEST');
      const join = { subscriptions: [{ name: 'vault' }] };
      expect((await iris.api.post('/users/me/subscriptions', join)).status).toBe(400);
      const listed = await iris.api.post('/users/me/subscriptions', { ...join, authorization_errors_fatal: false });
      expect(listed.body).toMatchObject({ result: 'success', subscribed: {}, unauthorized: ['vault'] });
    });

    it('lets guests see only their channels', async () => {
      expect((await guest.api.get('/streams')).body.streams).toEqual([]);
      expect((await guest.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] })).status).toBe(
        400,
      );
      expect((await guest.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'mine' }] })).status).toBe(400);
    });

    it('are listed with their first message', async () => {
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'firsts' }] });
      const params = { type: 'channel', to: 'firsts', topic: 't' };
      const { id } = (await owner.api.post('/messages', { ...params, content: 'the first' })).body;
      await owner.api.post('/messages', { ...params, content: 'the second' });
      const { streams } = (await iris.api.get('/streams')).body;
      const { subscriptions } = (await owner.api.get('/users/me/subscriptions')).body;
      for (const channels of [streams, subscriptions]) {
        expect(channels.find(({ name }: { name: string }) => name === 'firsts').first_message_id).toBe(id);
      }
    });

    it('finds a channel id by name without regard to case', async () => {
      expect((await iris.api.get('/get_stream_id', { stream: 'GENERAL' })).body.stream_id).toBe(1);
      expect((await iris.api.get('/get_stream_id')).body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' });
    });

    it('accepts include_all_active from administrators only', async () => {
      expect((await iris.api.get('/streams', { include_all_active: true })).body.code).toBe('BAD_REQUEST');
      expect((await owner.api.get('/streams', { include_all_active: true })).status).toBe(200);
    });
  });
});
