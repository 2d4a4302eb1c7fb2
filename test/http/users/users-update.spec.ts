import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GrantPermission } from '../../../src/features/users/domain/grant-permission.js';
import { UpdateUser } from '../../../src/features/users/domain/update-user.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import type { Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';

const NOTHING_MORE = { result: 'success', msg: '' };
const PRINCIPAL = 'UNAUTHORIZED_PRINCIPAL';
const MUST_ADMINISTER = 'Must be an organization administrator';
const MUST_OWN = 'Must be an organization owner';

describe('PATCH /users/{user_id}', () => {
  let annals: Annals;
  let owner: Member;
  let admin: Member;
  let iris: Member;
  let guest: Member;
  const fields: Record<string, number> = {};

  beforeAll(async () => {
    annals = await Annals.start();
    await annals.noDefaultChannels();
    owner = await annals.owner();
    admin = await annals.user('admin', 200);
    iris = await annals.user('iris');
    guest = await annals.user('guest', 600);
    const kinds = { goals: 1, biography: 2, food: 3, birthday: 4, site: 5, mentors: 6, pronouns: 8 };
    for (const [name, field_type] of Object.entries(kinds)) {
      const field_data =
        name === 'food' ? { '0': { text: 'Bread', order: '1' }, '1': { text: 'Soup', order: '2' } } : undefined;
      const { body } = await owner.api.post('/realm/profile_fields', { name, field_type, field_data });
      fields[name] = body.id;
    }
  });
  afterAll(() => annals.stop());

  const patch = (who: Member, whom: number | string, params: Params) => who.api.patch(`/users/${whom}`, params);

  /** Answers the events that the change appends and the client events that a member, a guest and the owner all get. */
  async function change(who: Member, whom: number | string, params: Params) {
    const queues = await Promise.all(
      [iris, guest, owner].map((member) => EventQueue.register(member.api, { event_types: ['realm_user'] })),
    );
    const head = await annals.head();
    const { status, body } = await patch(who, whom, params);
    expect([status, body]).toEqual([200, NOTHING_MORE]);
    const events = await annals.events(undefined, head);
    const told = await Promise.all(queues.map((queue) => queue.drain()));
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
    return {
      events: events.map(({ type, data }) => ({ type, data })),
      actors: new Set(events.map(({ metadata }) => metadata.actorId)),
      persons: (told[0] ?? []).map(({ person }) => person),
    };
  }

  describe('changes', () => {
    it('the name, in one event with actor, old and new name', async () => {
      const { events, persons, actors } = await change(admin, iris.id, { full_name: ' Iris W. ' });
      expect(events).toEqual([{ type: 'UserRenamed', data: { userId: iris.id, from: 'iris', to: 'Iris W.' } }]);
      expect([...actors]).toEqual([admin.id]);
      expect(persons).toEqual([{ user_id: iris.id, full_name: 'Iris W.' }]);
      expect((await guest.api.get(`/users/${iris.id}`)).body.user.full_name).toBe('Iris W.');
    });

    it('nothing if all values are already set, and appends no event', async () => {
      const { full_name, role } = (await owner.api.get(`/users/${iris.id}`)).body.user;
      const params = {
        full_name,
        role,
        new_email: 'iris@example.com',
        profile_data: [{ id: fields.goals, value: '' }],
      };
      expect(await change(owner, iris.id, params)).toMatchObject({ events: [], persons: [] });
      expect((await change(admin, iris.id, {})).events).toEqual([]);
    });

    it.each([300, 200, 400, 600, 400])('the role to %i', async (role) => {
      const from = (await owner.api.get(`/users/${iris.id}`)).body.user.role;
      const { events, persons } = await change(admin, iris.id, { role });
      expect(events).toEqual([{ type: 'UserRoleChanged', data: { userId: iris.id, from, to: role } }]);
      expect(persons).toEqual([{ user_id: iris.id, role }]);
    });

    it('the role to and from owner for an owner', async () => {
      expect((await change(owner, iris.id, { role: 100 })).events).toHaveLength(1);
      expect((await iris.api.get('/users/me')).body).toMatchObject({ is_owner: true, is_admin: true });
      expect((await change(owner, iris.id, { role: 400 })).events).toHaveLength(1);
    });

    it('the address, which authenticates requests from then on', async () => {
      const lena = await annals.user('lena');
      const { events, persons } = await change(owner, lena.id, { new_email: 'Lena.K@example.com' });
      expect(events).toEqual([
        { type: 'UserEmailChanged', data: { userId: lena.id, from: 'lena@example.com', to: 'Lena.K@example.com' } },
      ]);
      expect(persons).toMatchObject([
        { user_id: lena.id, delivery_email: 'Lena.K@example.com' },
        { user_id: lena.id, new_email: 'Lena.K@example.com' },
        { user_id: lena.id, avatar_source: 'G', avatar_url: expect.stringContaining('gravatar') },
      ]);
      expect((await lena.api.get('/users/me')).body.code).toBe('INVALID_API_KEY');
      const now = annals.api.as({ ...lena, email: 'lena.k@example.com' });
      expect((await now.get('/users/me')).body.email).toBe('Lena.K@example.com');
      expect((await patch(owner, admin.id, { new_email: 'LENA@example.com' })).status).toBe(200);
      expect((await patch(owner, admin.id, { new_email: admin.email })).status).toBe(200);
    });

    it('profile fields, one event for each; an empty value removes a field', async () => {
      const profile_data = [
        { id: fields.goals, value: 'Read *more*' },
        { id: fields.biography, value: 'x'.repeat(500) },
        { id: fields.food, value: '1' },
        { id: fields.birthday, value: '1909-04-05' },
        { id: fields.site, value: 'https://example.com/~iris' },
        { id: fields.mentors, value: [owner.id, admin.id] },
        { id: fields.pronouns, value: 'they' },
      ];
      const { events, persons } = await change(admin, iris.id, { profile_data });
      const people = JSON.stringify([owner.id, admin.id]);
      const stored = profile_data.map(({ id, value }) => ({ id, value: Array.isArray(value) ? people : value }));
      // Fields with Markdown are rendered once, when they are written.
      const html = new Map([
        [fields.goals, '<p>Read <em>more</em></p>'],
        [fields.biography, `<p>${'x'.repeat(500)}</p>`],
      ]);
      const entry = (id: number | undefined, value: unknown) =>
        html.has(id) ? { value, rendered_value: html.get(id) } : { value };
      expect(events.map(({ data }) => data)).toEqual(
        stored.map(({ id, value }) => ({
          userId: iris.id,
          fieldId: id,
          from: null,
          to: value,
          rendered: html.get(id) ?? null,
        })),
      );
      expect(persons).toEqual(
        stored.map(({ id, value }) => ({ user_id: iris.id, custom_profile_field: { id, ...entry(id, value) } })),
      );
      const shown = (await guest.api.get(`/users/${iris.id}`, { include_custom_profile_fields: true })).body.user;
      expect(shown.profile_data).toEqual(Object.fromEntries(stored.map(({ id, value }) => [id, entry(id, value)])));

      const gone = await change(admin, iris.id, { profile_data: [{ id: fields.goals, value: '' }] });
      const emptied = { userId: iris.id, fieldId: fields.goals, from: 'Read *more*', to: null, rendered: null };
      expect(gone.events[0]?.data).toEqual(emptied);
      expect(gone.persons).toEqual([{ user_id: iris.id, custom_profile_field: { id: fields.goals, value: null } }]);
    });

    it('all given fields in one append, or none of them', async () => {
      const kim = await annals.user('kim');
      const params = { full_name: 'Kim', role: 300, profile_data: [{ id: fields.goals, value: 'g' }] };
      const { events } = await change(owner, kim.id, { ...params, new_email: 'k@example.com' });
      expect(events.map(({ type }) => type)).toEqual([
        'UserRenamed',
        'UserRoleChanged',
        'UserProfileChanged',
        'UserEmailChanged',
      ]);
      const head = await annals.head();
      const half = { full_name: 'Somebody', role: 400, profile_data: [{ id: 999, value: 'g' }] };
      expect((await patch(owner, kim.id, half)).status).toBe(400);
      expect(await annals.head()).toBe(head);
    });

    it('the user named by an address in any case or by `user<id>@<domain>`', async () => {
      expect((await change(admin, 'IRIS@example.com', { full_name: 'By address' })).events).toHaveLength(1);
      expect((await change(admin, `user${iris.id}@127.0.0.1`, { full_name: 'Iris' })).events).toHaveLength(1);
    });
  });

  describe('refuses', () => {
    it('callers who are not administrators: members, moderators, guests, bots', async () => {
      const moderator = await annals.user('moderator', 300);
      const { body } = await iris.api.post('/bots', { full_name: 'Robot', short_name: 'robot' });
      const robot = { ...iris, api: annals.api.as({ email: 'robot-bot@127.0.0.1', apiKey: body.api_key }) };
      for (const who of [iris, moderator, guest, robot])
        await expectRefusal(annals, () => patch(who, iris.id, { full_name: 'x' }), {
          msg: MUST_ADMINISTER,
          code: PRINCIPAL,
        });
      await expectRefusal(annals, () => patch(iris, 999, { full_name: 'x' }), {
        msg: MUST_ADMINISTER,
        code: PRINCIPAL,
      });
    });

    it('is 405 for /users/me, which cannot be changed', async () => {
      const { status, body } = await admin.api.patch('/users/me', { full_name: 'x' });
      expect([status, body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    });

    it('accounts that do not exist or are deactivated', async () => {
      const leaver = await annals.user('leaver');
      await owner.api.delete(`/users/${leaver.id}`);
      for (const whom of [999, leaver.id, leaver.email, 'nobody@example.com', 'user999@127.0.0.1'])
        await expectRefusal(annals, () => patch(admin, whom, { full_name: 'x' }), 'No such user');
    });

    it('administrators who make or demote owners', async () => {
      await expectRefusal(annals, () => patch(admin, iris.id, { role: 100 }), { msg: MUST_OWN, code: PRINCIPAL });
      await expectRefusal(annals, () => patch(admin, admin.id, { role: 100 }), { msg: MUST_OWN, code: PRINCIPAL });
      await expectRefusal(annals, () => patch(admin, owner.id, { role: 400 }), { msg: MUST_OWN, code: PRINCIPAL });
    });

    it('the demotion of the only owner', () =>
      expectRefusal(
        annals,
        () => patch(owner, owner.id, { role: 200 }),
        'The owner permission cannot be removed from the only organization owner.',
      ));

    it('to make a guest an administrator', async () => {
      for (const role of [100, 200])
        await expectRefusal(
          annals,
          () => patch(owner, guest.id, { role }),
          'Guests cannot be organization administrators',
        );
    });

    it.each([500, 0, '"400"'])('the role %s', async (role) => {
      const { status, body } = await patch(owner, iris.id, { role });
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    });

    it('names that are blank, too long, or have forbidden characters', async () => {
      await expectRefusal(annals, () => patch(admin, iris.id, { full_name: '  ' }), 'full_name cannot be blank');
      await expectRefusal(annals, () => patch(admin, iris.id, { full_name: 'x'.repeat(101) }), 'full_name is too long');
      await expectRefusal(
        annals,
        () => patch(admin, iris.id, { full_name: 'a*b' }),
        'full_name has characters that are not allowed',
      );
    });

    it('names in use if the organization requires unique names', async () => {
      expect((await patch(owner, iris.id, { full_name: 'guest' })).status).toBe(200);
      await patch(owner, iris.id, { full_name: 'Iris' });
      await owner.api.patch('/realm', { require_unique_names: true });
      await expectRefusal(
        annals,
        () => patch(admin, iris.id, { full_name: 'GUEST' }),
        'Unique names required in this organization.',
      );
      const account = { email: 'new@example.com', password: 'long enough', full_name: 'Guest' };
      await expectRefusal(
        annals,
        () => owner.api.post('/users', account),
        'Unique names required in this organization.',
      );
      expect((await patch(admin, iris.id, { full_name: 'IRIS' })).status).toBe(200);
      await owner.api.patch('/realm', { require_unique_names: false });
    });

    it('new addresses from callers who are not owners, and from owners without the permission', async () => {
      await annals.execute(new GrantPermission({ permission: 'can_change_user_emails', userId: admin.id, by }));
      await expectRefusal(annals, () => patch(admin, guest.id, { new_email: 'g@example.com' }), {
        msg: MUST_OWN,
        code: PRINCIPAL,
      });
      const second = await annals.user('second', 400);
      await annals.execute(new UpdateUser({ userId: second.id, changes: { role: 100 }, by }));
      const may = 'User not authorized to change user emails';
      await expectRefusal(annals, () => patch(second, guest.id, { new_email: 'g@example.com' }), may);
      await annals.execute(new GrantPermission({ permission: 'can_change_user_emails', userId: second.id, by }));
      expect((await patch(second, guest.id, { new_email: 'g@example.com' })).status).toBe(200);
      await patch(second, guest.id, { new_email: guest.email });
    });

    it.each([
      ['iris', "Invalid email address 'iris'"],
      ['', "Invalid email address ''"],
      ['ADMIN@example.com', "Email 'ADMIN@example.com' already in use"],
      ['leaver@example.com', "Email 'leaver@example.com' already in use"],
    ])('the address %j', async (new_email, msg) =>
      expectRefusal(annals, () => patch(owner, iris.id, { new_email }), msg),
    );

    it.each<[string, unknown, string]>([
      ['goals', 'x'.repeat(51), 'goals is too long (limit: 50 characters)'],
      ['pronouns', 'x'.repeat(51), 'pronouns is too long (limit: 50 characters)'],
      ['biography', 'x'.repeat(501), 'biography is too long (limit: 500 characters)'],
      ['food', 'Soup', "'Soup' is not a valid choice for 'food'."],
      ['birthday', '5 April 1909', 'birthday is not a date'],
      ['birthday', '1909-02-29', 'birthday is not a date'],
      ['site', 'example', 'site is not a URL'],
      ['site', 'javascript:alert(1)', 'site is not a URL'],
      ['mentors', '7', 'mentors is not a list of user IDs'],
      ['mentors', 'Iago', 'mentors is not a list of user IDs'],
      ['mentors', [999], 'Invalid user ID 999'],
    ])('for the profile field %s the value %j', (name, value, msg) =>
      expectRefusal(annals, () => patch(admin, iris.id, { profile_data: [{ id: fields[name], value }] }), msg),
    );

    it('profile fields that do not exist, and data that is not a list of fields', async () => {
      await expectRefusal(
        annals,
        () => patch(admin, iris.id, { profile_data: [{ id: 999, value: 'x' }] }),
        'Field id 999 not found.',
      );
      for (const profile_data of [{ id: 1 }, [{ value: 'x' }], [7], [{ id: 1, value: {} }], [{ id: 1 }]])
        expect((await patch(admin, iris.id, { profile_data })).body.code).toBe('BAD_REQUEST');
    });
  });

  describe('a role that makes more or less visible', () => {
    it('tells its user alone the channels, subscribers, bots and groups that appear or disappear', async () => {
      const subscribe = (name: string, invite_only: boolean) =>
        owner.api.post('/users/me/subscriptions', {
          subscriptions: [{ name }],
          invite_only,
          principals: [owner.id, iris.id],
        });
      await subscribe('plaza', false);
      await subscribe('vault', true);
      const { body } = await iris.api.post('/bots', { full_name: 'Helper', short_name: 'helper' });
      const nina = await annals.user('nina', 600);
      const types = ['stream', 'subscription', 'realm_bot', 'user_group', 'default_streams'];
      const register = (who: Member) => EventQueue.register(who.api, { event_types: types, include_subscribers: true });
      const queue = await register(nina);
      const irises = await register(iris);
      const told = async () =>
        (await queue.drain()).map(({ type, op, streams, stream_ids, user_ids, bot, group_id }) => [
          op ? `${type}/${op}` : type,
          streams?.map(({ name, stream_id }: { name?: string; stream_id: number }) => name ?? stream_id) ??
            bot?.user_id ??
            group_id ??
            stream_ids?.length,
          ...(user_ids && !group_id ? [user_ids] : []),
        ]);

      await patch(owner, nina.id, { role: 400 });
      const seen = (await nina.api.get('/streams')).body.streams.map(({ name }: { name: string }) => name);
      expect(seen).toContain('plaza');
      expect(await told()).toEqual([
        ['stream/create', seen],
        ['default_streams', undefined],
        ['user_group/remove_members', 2],
        ['subscription/peer_add', 1, [owner.id]],
        ['subscription/peer_add', 1, [owner.id, iris.id]],
        ['user_group/add_members', 3],
        ['user_group/add_members', 4],
      ]);

      await patch(owner, nina.id, { role: 200 });
      const bots = (await told()).filter(([kind]) => kind === 'realm_bot/add').map(([, id]) => id);
      expect(bots).toContain(body.user_id);

      await patch(owner, nina.id, { role: 600 });
      const lost = await told();
      expect(lost.filter(([kind]) => kind === 'realm_bot/delete').map(([, id]) => id)).toEqual(bots);
      expect(lost.find(([kind]) => kind === 'stream/delete')?.[1]).toHaveLength(seen.length + 1);
      const others = (await irises.drain()).filter(({ type }) => type !== 'user_group');
      expect(others).toEqual([]);
    });
  });
});
