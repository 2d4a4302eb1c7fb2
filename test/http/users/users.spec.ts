import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GrantPermission, RevokePermission } from '../../../src/features/users/domain/grant-permission.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import type { Client } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const PASSWORD = 'correct horse battery staple';

describe('accounts over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let admin: Member;
  let iris: Member;
  let guest: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start();
    await annals.noDefaultChannels();
    owner = await annals.owner();
    admin = await annals.user('admin', 200);
    iris = await annals.user('iris');
    guest = await annals.user('guest', 600);
  });
  afterAll(() => annals.stop());

  const create = (api: Client) =>
    api.post('/users', { email: `made${++made}@example.com`, password: PASSWORD, full_name: `Made ${made}` });

  it('begin with an owner who is granted both permissions that no role has', async () => {
    const events = await annals.events('users');
    expect(events.slice(0, 3).map(({ type, data }) => [type, data])).toMatchObject([
      ['UserCreated', { userId: owner.id, role: 100 }],
      ['PermissionGranted', { userId: owner.id, permission: 'can_change_user_emails' }],
      ['PermissionGranted', { userId: owner.id, permission: 'can_create_users' }],
    ]);
  });

  describe('POST /users', () => {
    it('is allowed to administrators who have the permission', async () => {
      for (const who of [iris, guest]) {
        const head = await annals.head();
        await annals.execute(new GrantPermission({ permission: 'can_create_users', userId: who.id, by }));
        const { status, body } = await create(who.api);
        expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL']);
        await annals.execute(new RevokePermission({ permission: 'can_create_users', userId: who.id, by }));
        expect((await annals.events('users', head)).map(({ type }) => type)).toEqual([
          'PermissionGranted',
          'PermissionRevoked',
        ]);
      }
      for (const who of [admin]) {
        await expectRefusal(annals, () => create(who.api), 'User not authorized to create users');
      }
      await annals.execute(new GrantPermission({ permission: 'can_create_users', userId: admin.id, by }));
      expect((await create(admin.api)).status).toBe(200);
      await annals.execute(new RevokePermission({ permission: 'can_create_users', userId: admin.id, by }));
      expect((await create(admin.api)).status).toBe(400);
    });

    it('subscribes the user to the default channels that are not archived, as consequences of one decision', async () => {
      const channel = async (name: string): Promise<number> => {
        await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }] });
        const { stream_id } = (await owner.api.get('/get_stream_id', { stream: name })).body;
        expect((await owner.api.post('/default_streams', { stream_id })).status).toBe(200);
        return stream_id;
      };
      const [one, two, shut] = [await channel('one'), await channel('two'), await channel('shut')];
      await owner.api.delete(`/streams/${shut}`);
      const queue = await EventQueue.register(iris.api, { event_types: ['realm_user', 'subscription'] });
      const head = await annals.head();

      const { user_id } = (await create(owner.api)).body;
      const events = await annals.events(undefined, head);
      expect(events.map(({ type, stream, data }) => [type, stream, data])).toEqual([
        ['UserCreated', 'users', expect.objectContaining({ userId: user_id, channelIds: [one, two] })],
        ['UsersSubscribed', `subscriptions-${one}`, { channelId: one, userIds: [user_id] }],
        ['UsersSubscribed', `subscriptions-${two}`, { channelId: two, userIds: [user_id] }],
      ]);
      for (const { metadata } of events.slice(1)) expect(metadata.causationId).toBe(events[0]?.id);
      const told = (await queue.drain()).map(({ type, op, person, stream_ids, user_ids }) => [
        `${type}/${op}`,
        person?.user_id ?? [stream_ids, user_ids],
      ]);
      expect(told).toEqual([
        ['realm_user/add', user_id],
        ['subscription/peer_add', [[one], [user_id]]],
        ['subscription/peer_add', [[two], [user_id]]],
      ]);
      const { body } = await iris.api.post('/bots', { full_name: 'Robot', short_name: 'robot' });
      const { subscribers } = (await owner.api.get(`/streams/${one}/members`)).body;
      expect(subscribers).toContain(user_id);
      expect(subscribers).not.toContain(body.user_id);
    });

    it('creates one account when 50 concurrent requests name the same address', async () => {
      const account = { password: PASSWORD, full_name: 'Race' };
      const addresses = Array.from({ length: 50 }, (_, at) => (at % 2 ? 'race@example.com' : 'RACE@example.com'));
      const answers = await Promise.all(addresses.map((email) => owner.api.post('/users', { ...account, email })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status !== 200);
      for (const { body } of refused) expect(body.msg).toMatch(/already in use$/);
    });
  });

  describe('GET /users/{user_id} and /users/{email}', () => {
    it('answer members and guests the same for people, bots and deactivated accounts', async () => {
      const bot = (await iris.api.post('/bots', { full_name: 'Shown', short_name: 'shown' })).body.user_id;
      const leaver = await annals.user('leaver');
      await owner.api.delete(`/users/${leaver.id}`);
      const listed = (await owner.api.get('/users', { include_custom_profile_fields: true })).body.members;
      for (const id of [owner.id, iris.id, guest.id, bot, leaver.id]) {
        const record = listed.find(({ user_id }: { user_id: number }) => user_id === id);
        for (const who of [owner, guest])
          for (const path of [id, record.email, record.email.toUpperCase(), `user${id}@127.0.0.1`]) {
            const { body } = await who.api.get(`/users/${path}`, { include_custom_profile_fields: true });
            expect(body).toEqual({ result: 'success', msg: '', user: record });
          }
      }
      expect(listed.find(({ user_id }: { user_id: number }) => user_id === leaver.id).is_active).toBe(false);
    });

    it('leave out the profile unless it is asked for, and the avatar unless client_gravatar is false', async () => {
      const { user } = (await iris.api.get(`/users/${owner.id}`)).body;
      expect(user).not.toHaveProperty('profile_data');
      expect(user.avatar_url).toBeNull();
      const asked = (await iris.api.get(`/users/${owner.email}`, { client_gravatar: false })).body.user;
      expect(asked.avatar_url).toContain('gravatar');
    });

    it.each(['999', 'nobody@example.com', 'nobody', 'user999@127.0.0.1', 'user1@example.com'])(
      'refuse %s',
      async (user) => {
        const { status, body } = await iris.api.get(`/users/${user}`);
        expect([status, body]).toEqual([400, { result: 'error', code: 'BAD_REQUEST', msg: 'No such user' }]);
      },
    );

    it('answer 401 without credentials', async () => {
      expect((await annals.api.get(`/users/${owner.id}`)).body.code).toBe('UNAUTHORIZED');
    });
  });

  it('tell themselves what others are told of them, whatever kind of account they are', async () => {
    const kinds: Member[] = [owner, await annals.user('plain', 400), await annals.user('visitor', 600)];
    const { body: made } = await owner.api.post('/bots', { full_name: 'Same', short_name: 'same' });
    const email = (await owner.api.get(`/users/${made.user_id}`)).body.user.email;
    kinds.push({ ...owner, id: made.user_id, email, api: annals.api.as({ email, apiKey: made.api_key }) });
    for (const { id, api } of kinds) {
      const { body: own } = await api.get('/users/me');
      const { max_message_id, result, msg, ...row } = own;
      expect({ max_message_id, result, msg }).toEqual({
        max_message_id: expect.any(Number),
        result: 'success',
        msg: '',
      });
      const { body } = await owner.api.get(`/users/${id}`, {
        include_custom_profile_fields: true,
        client_gravatar: false,
      });
      expect(row).toEqual(body.user);
    }
  });
});
