import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import { groupOf, newGroup } from '../../support/requests/groups.js';
import type { Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const MODERATORS = 5;
const NOBODY = 8;
const NOTHING_MORE = { result: 'success', msg: '' };

describe('user groups over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let noor: Member;
  let guest: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    iris = await annals.user('iris');
    noor = await annals.user('noor');
    guest = await annals.user('guest', 600);
  });
  afterAll(() => annals.stop());

  /** A member's queue that knows deactivated groups, a member's that does not, and a guest's that does. */
  async function queues(): Promise<{ modern: EventQueue; plain: EventQueue; guests: EventQueue }> {
    const params = { event_types: ['user_group'] };
    const client_capabilities = { include_deactivated_groups: true };
    return {
      modern: await EventQueue.register(iris.api, { ...params, client_capabilities }),
      plain: await EventQueue.register(noor.api, params),
      guests: await EventQueue.register(guest.api, { ...params, client_capabilities }),
    };
  }

  describe('POST /user_groups/create', () => {
    const create = (by: Member, changes: Params = {}) =>
      by.api.post('/user_groups/create', { name: 'n', description: '', members: [], ...changes });

    it('appends one event, and tells everybody, including guests', async () => {
      const { modern, plain, guests } = await queues();
      const head = await annals.head();
      const anonymous = { direct_members: [noor.id], direct_subgroups: [MODERATORS] };
      const { body } = await create(iris, {
        name: ' Optics ',
        description: 'Lenses and mirrors',
        members: [noor.id, iris.id, noor.id],
        subgroups: [MODERATORS],
        can_join_group: MODERATORS,
        can_mention_group: anonymous,
      });
      const [event, ...others] = await annals.events('userGroups', head);
      expect(others).toEqual([]);
      const creator = { direct_members: [iris.id], direct_subgroups: [] };
      const permissions = {
        can_add_members_group: creator,
        can_join_group: MODERATORS,
        can_leave_group: 2,
        can_manage_group: creator,
        can_mention_group: anonymous,
        can_remove_members_group: NOBODY,
      };
      expect(event).toMatchObject({
        type: 'UserGroupCreated',
        metadata: { actorId: iris.id },
        data: {
          groupId: body.group_id,
          name: 'Optics',
          description: 'Lenses and mirrors',
          creatorId: iris.id,
          memberIds: [iris.id, noor.id],
          subgroupIds: [MODERATORS],
          permissions,
        },
      });
      const group = {
        id: body.group_id,
        name: 'Optics',
        description: 'Lenses and mirrors',
        is_system_group: false,
        creator_id: iris.id,
        date_created: Math.floor((event?.metadata.at ?? 0) / 1000),
        members: [iris.id, noor.id],
        direct_subgroup_ids: [MODERATORS],
        ...permissions,
        deactivated: false,
      };
      for (const queue of [modern, plain, guests])
        expect(await told(queue)).toEqual([{ type: 'user_group', op: 'add', group }]);
      expect(await groupOf(noor, body.group_id)).toEqual(group);
    });

    it('refuses a name in use, also that of a deactivated group', async () => {
      const groupId = await newGroup(iris, { name: 'Taken' });
      await iris.api.post(`/user_groups/${groupId}/deactivate`);
      await expectRefusal(annals, () => create(iris, { name: 'tAKEN' }), "User group 'tAKEN' already exists.");
    });

    it.each<[string, Params, string]>([
      ['no name', { name: ' ' }, "User group name can't be empty!"],
      ['too long a name', { name: 'x'.repeat(101) }, 'User group name cannot exceed 100 characters.'],
      ['a name that starts with @', { name: '@all' }, "User group name cannot start with '@'."],
      ['a name that starts with role:', { name: 'role:owners' }, "User group name cannot start with 'role:'."],
      ['a user that does not exist', { members: [999] }, 'Invalid user ID: 999'],
      ['a value that is not an id', { members: ['a'] }, 'members[0] is not an integer'],
      ['a group that does not exist', { subgroups: [999] }, 'Invalid user group ID: 999'],
      [
        'guests as managers',
        { can_manage_group: 2 },
        "'can_manage_group' setting cannot be set to 'role:everyone' group.",
      ],
      ['a permission for a group that does not exist', { can_join_group: 999 }, 'Invalid user group ID: 999'],
      ['a value that is not a permission', { can_join_group: [5] }, 'can_join_group is not a group setting'],
    ])('refuses %s', async (_, changes, msg) => {
      await expectRefusal(annals, () => create(iris, changes), msg);
    });

    it('refuses deactivated users as members', async () => {
      const leaver = await annals.user('leaver');
      await owner.api.delete(`/users/${leaver.id}`);
      await expectRefusal(annals, () => create(iris, { members: [leaver.id] }), `Invalid user ID: ${leaver.id}`);
    });

    it.each(['name', 'description', 'members'])('requires %s', async (name) => {
      const { body } = await create(iris, { [name]: undefined });
      expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: name });
    });
  });

  describe('PATCH /user_groups/{id}', () => {
    it('appends one event for each of several changes, and tells each', async () => {
      const groupId = await newGroup(iris, { name: 'Radio', description: 'd' });
      const { modern, plain, guests } = await queues();
      const head = await annals.head();
      const anonymous = { direct_members: [noor.id], direct_subgroups: [] };
      const { body } = await iris.api.patch(`/user_groups/${groupId}`, {
        name: 'Radio waves',
        description: 'e',
        can_join_group: { new: MODERATORS, old: NOBODY },
        can_leave_group: { new: anonymous },
        can_mention_group: { new: { direct_members: [], direct_subgroups: [2] } },
      });
      expect(body).toEqual(NOTHING_MORE);
      const events = await annals.events(undefined, head);
      expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
        { type: 'UserGroupRenamed', data: { groupId, from: 'Radio', to: 'Radio waves' } },
        { type: 'UserGroupDescriptionChanged', data: { groupId, from: 'd', to: 'e' } },
        {
          type: 'UserGroupPermissionChanged',
          data: { groupId, setting: 'can_join_group', from: NOBODY, to: MODERATORS },
        },
        {
          type: 'UserGroupPermissionChanged',
          data: { groupId, setting: 'can_leave_group', from: 2, to: anonymous },
        },
      ]);
      const expected = [
        { name: 'Radio waves' },
        { description: 'e' },
        { can_join_group: MODERATORS },
        { can_leave_group: anonymous },
      ].map((data) => ({ type: 'user_group', op: 'update', group_id: groupId, data }));
      for (const queue of [modern, plain, guests]) expect(await told(queue)).toEqual(expected);
    });

    it('appends nothing for values that are already set, nor for `deactivated: true`', async () => {
      const groupId = await newGroup(iris, { name: 'Quiet', description: 'd' });
      const head = await annals.head();
      const same = { name: 'Quiet', description: 'd', can_join_group: { new: NOBODY } };
      for (const params of [same, { deactivated: false }, { deactivated: true }])
        expect((await iris.api.patch(`/user_groups/${groupId}`, params)).body).toEqual(NOTHING_MORE);
      expect(await annals.head()).toBe(head);
    });

    it.each<[string, Params, string, string?]>([
      ['a request without a change', {}, 'No new data supplied', 'BAD_REQUEST'],
      ['an empty name', { name: '' }, "User group name can't be empty!", 'BAD_REQUEST'],
      [
        'an old value that does not match',
        { can_join_group: { new: MODERATORS, old: 6 } },
        "'old' value does not match the expected value.",
        'EXPECTATION_MISMATCH',
      ],
      [
        'a value without `new`',
        { can_join_group: 5 },
        'can_join_group is not a group setting with its new value',
        'BAD_REQUEST',
      ],
    ])('refuses %s', async (_, params, msg, code) => {
      const groupId = await newGroup(iris);
      await expectRefusal(annals, () => iris.api.patch(`/user_groups/${groupId}`, params), { msg, code });
    });

    it('refuses the name of another group', async () => {
      await newGroup(iris, { name: 'Zenith' });
      const groupId = await newGroup(iris);
      const rename = () => iris.api.patch(`/user_groups/${groupId}`, { name: 'ZENITH' });
      await expectRefusal(annals, rename, "User group 'ZENITH' already exists.");
    });

    it.each([NOBODY, 7, 999])('refuses system groups and groups that do not exist: %i', async (groupId) => {
      await expectRefusal(
        annals,
        () => owner.api.patch(`/user_groups/${groupId}`, { name: 'x' }),
        'Invalid user group',
      );
    });
  });

  describe('POST /user_groups/{id}/deactivate', () => {
    it('is told as an update to clients that know deactivated groups, and as a removal to others', async () => {
      const groupId = await newGroup(iris, { name: 'Fleeting', members: [iris.id, noor.id], subgroups: [MODERATORS] });
      const { modern, plain, guests } = await queues();
      const head = await annals.head();

      expect((await iris.api.post(`/user_groups/${groupId}/deactivate`)).body).toEqual(NOTHING_MORE);
      await iris.api.patch(`/user_groups/${groupId}`, { name: 'Bygone' });
      await iris.api.post(`/user_groups/${groupId}/members`, { delete: [noor.id], delete_subgroups: [MODERATORS] });
      await iris.api.patch(`/user_groups/${groupId}`, { deactivated: false, description: 'back' });

      const events = await annals.events(undefined, head);
      expect(events.map(({ type }) => type)).toEqual([
        'UserGroupDeactivated',
        'UserGroupRenamed',
        'UserGroupMembersRemoved',
        'UserGroupSubgroupsRemoved',
        'UserGroupReactivated',
        'UserGroupDescriptionChanged',
      ]);
      const of = (op: string, rest: object) => ({ type: 'user_group', op, group_id: groupId, ...rest });
      for (const queue of [modern, guests])
        expect(await told(queue)).toEqual([
          of('update', { data: { deactivated: true } }),
          of('update', { data: { name: 'Bygone' } }),
          of('remove_members', { user_ids: [noor.id] }),
          of('remove_subgroups', { direct_subgroup_ids: [MODERATORS] }),
          of('update', { data: { deactivated: false } }),
          of('update', { data: { description: 'back' } }),
        ]);
      const again = { id: groupId, name: 'Bygone', members: [iris.id], direct_subgroup_ids: [], deactivated: false };
      expect(await told(plain)).toMatchObject([
        { op: 'remove', group_id: groupId },
        { op: 'add', group: again },
        of('update', { data: { description: 'back' } }),
      ]);
      expect(await groupOf(iris, groupId)).toMatchObject({ ...again, description: 'back' });
    });

    it('is refused while the group is in use, and the answer says where', async () => {
      const groupId = await newGroup(iris);
      const holder = await newGroup(iris, { subgroups: [groupId] });
      const giver = await newGroup(iris, {
        can_join_group: groupId,
        can_mention_group: { direct_members: [noor.id], direct_subgroups: [groupId] },
      });
      const { body: channel } = await owner.api.post('/channels/create', {
        name: 'needed',
        subscribers: [owner.id],
        can_send_message_group: groupId,
      });
      const { body: archived } = await owner.api.post('/channels/create', {
        name: 'archived',
        subscribers: [owner.id],
        can_send_message_group: groupId,
      });
      await owner.api.delete(`/streams/${archived.id}`);
      await owner.api.patch('/realm', {
        can_create_groups: { new: { direct_members: [], direct_subgroups: [3, groupId] } },
      });

      const head = await annals.head();
      for (const ask of [
        () => iris.api.post(`/user_groups/${groupId}/deactivate`),
        () => iris.api.delete(`/user_groups/${groupId}`),
      ]) {
        const { status, body } = await ask();
        expect(status).toBe(400);
        expect(body).toEqual({
          result: 'error',
          msg: 'Cannot deactivate user group in use.',
          code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
          objections: [
            { type: 'subgroup', supergroup_ids: [holder] },
            { type: 'user_group', group_id: giver, settings: ['can_join_group', 'can_mention_group'] },
            { type: 'channel', channel_id: channel.id, settings: ['can_send_message_group'] },
            { type: 'realm', settings: ['can_create_groups'] },
          ],
        });
      }
      expect(await annals.head()).toBe(head);

      await owner.api.patch('/realm', { can_create_groups: { new: 3 } });
      await owner.api.delete(`/streams/${channel.id}`);
      for (const id of [holder, giver]) await iris.api.delete(`/user_groups/${id}`);
      expect((await iris.api.delete(`/user_groups/${groupId}`)).body).toEqual(NOTHING_MORE);
      expect(await groupOf(iris, groupId)).toMatchObject({ deactivated: true });
    });

    it('is refused for deactivated groups, system groups, and groups that do not exist', async () => {
      const groupId = await newGroup(iris);
      await iris.api.post(`/user_groups/${groupId}/deactivate`);
      const deactivate = (id: number) => () => owner.api.post(`/user_groups/${id}/deactivate`);
      await expectRefusal(annals, deactivate(groupId), 'User group is deactivated.');
      await expectRefusal(annals, deactivate(7), 'Invalid user group');
      await expectRefusal(annals, deactivate(999), 'Invalid user group');
    });
  });

  describe('GET /user_groups', () => {
    const list = async (by: Member, params: Params = {}) => (await by.api.get('/user_groups', params)).body;
    // biome-ignore lint/suspicious/noExplicitAny: the specs state the expected shape
    const named = (groups: any[], name: string) => groups.find((group) => group.name === name);

    it('lists system groups with their direct members, without deactivated accounts', async () => {
      const gone = await annals.user('gone', 300);
      const moderator = await annals.user('mod', 300);
      await owner.api.delete(`/users/${gone.id}`);
      const { user_groups } = await list(iris);
      const members = named(user_groups, 'role:members').members;
      expect(members).toEqual(expect.arrayContaining([iris.id, noor.id]));
      expect(named(user_groups, 'role:fullmembers').members).toEqual(members);
      const told = user_groups
        .filter(({ is_system_group }: { is_system_group: boolean }) => is_system_group)
        .map(({ id, name, members, direct_subgroup_ids }: Record<string, unknown>) => ({
          id,
          name,
          members,
          direct_subgroup_ids,
        }));
      expect(told).toEqual([
        { id: 1, name: 'role:internet', members: [], direct_subgroup_ids: [2] },
        { id: 2, name: 'role:everyone', members: [guest.id], direct_subgroup_ids: [3] },
        { id: 3, name: 'role:members', members, direct_subgroup_ids: [4] },
        { id: 4, name: 'role:fullmembers', members, direct_subgroup_ids: [5] },
        { id: 5, name: 'role:moderators', members: [moderator.id], direct_subgroup_ids: [6] },
        { id: 6, name: 'role:administrators', members: [], direct_subgroup_ids: [7] },
        { id: 7, name: 'role:owners', members: [owner.id], direct_subgroup_ids: [] },
        { id: 8, name: 'role:nobody', members: [], direct_subgroup_ids: [] },
      ]);
    });

    it('has no full members while all of them are within the waiting period', async () => {
      const queue = await EventQueue.register(iris.api, { event_types: ['user_group'] });
      const all = named((await list(iris)).user_groups, 'role:fullmembers').members;
      await owner.api.patch('/realm', { waiting_period_threshold: 3 });
      const { user_groups } = await list(iris);
      expect(named(user_groups, 'role:fullmembers').members).toEqual([]);
      expect(named(user_groups, 'role:members').members).toEqual(all);
      await owner.api.patch('/realm', { waiting_period_threshold: 0 });
      expect(await told(queue)).toEqual([
        { type: 'user_group', op: 'remove_members', group_id: 4, user_ids: all },
        { type: 'user_group', op: 'add_members', group_id: 4, user_ids: all },
      ]);
    });

    it.each(['include_deactivated_groups', 'allow_deactivated'])('lists deactivated groups with %s', async (name) => {
      const groupId = await newGroup(iris);
      await iris.api.post(`/user_groups/${groupId}/deactivate`);
      const ids = async (params: Params) =>
        (await list(iris, params)).user_groups.map(({ id }: { id: number }) => id) as number[];
      expect(await ids({})).not.toContain(groupId);
      expect(await ids({ [name]: false })).not.toContain(groupId);
      expect(await ids({ [name]: true })).toContain(groupId);
      expect(await list(iris, { [name]: true })).not.toHaveProperty('ignored_parameters_unsupported');
    });

    it('names the holders of each permission by an id, which clients can use', async () => {
      const holders = { direct_members: [noor.id], direct_subgroups: [MODERATORS] };
      const groupId = await newGroup(iris, { can_join_group: holders, can_leave_group: MODERATORS });
      const { user_groups } = await list(iris);
      const group = user_groups.find(({ id }: { id: number }) => id === groupId);
      expect(group).toMatchObject({ can_leave_group: MODERATORS, can_remove_members_group: NOBODY });
      const { can_join_group: join, can_manage_group: manage } = group;
      expect([Number.isInteger(join), Number.isInteger(manage), join === manage]).toEqual([true, true, false]);
      const about = async (path: string, params?: Params) => (await iris.api.get(`/user_groups/${path}`, params)).body;
      expect(await about(`${manage}/members`)).toMatchObject({ members: [iris.id] });
      expect((await about(`${join}/members`)).members).toEqual(expect.arrayContaining([noor.id, owner.id]));
      expect(await about(`${join}/members`, { direct_member_only: true })).toMatchObject({ members: [noor.id] });
      expect(await about(`${join}/members/${iris.id}`)).toMatchObject({ is_user_group_member: false });
      expect(await about(`${join}/subgroups`, { direct_subgroup_only: true })).toMatchObject({
        subgroups: [MODERATORS],
      });
      expect(await about(`${join + 15}/members`)).toMatchObject({ code: 'BAD_REQUEST', msg: 'Invalid user group' });

      const head = await annals.head();
      const change = (params: Params) => iris.api.patch(`/user_groups/${groupId}`, { can_join_group: params });
      expect((await change({ new: join, old: join })).body).toEqual(NOTHING_MORE);
      expect((await change({ new: NOBODY, old: manage })).body).toMatchObject({ code: 'EXPECTATION_MISMATCH' });
      expect(await annals.head()).toBe(head);
      expect((await change({ new: NOBODY, old: join })).body).toEqual(NOTHING_MORE);
      expect(await groupOf(iris, groupId)).toMatchObject({ can_join_group: NOBODY });
      expect((await change({ new: join })).status).toBe(400);
    });

    it('leaves out a deactivated user, and lists a reactivated one as before', async () => {
      const leaver = await annals.user('revenant');
      const both = { direct_members: [iris.id, leaver.id], direct_subgroups: [] };
      const groupId = await newGroup(iris, { members: [iris.id, leaver.id], can_join_group: both });
      const closed = await newGroup(iris, { members: [leaver.id] });
      await iris.api.post(`/user_groups/${closed}/deactivate`);
      await owner.api.delete(`/users/${leaver.id}`);
      expect(await groupOf(iris, groupId)).toMatchObject({
        members: [iris.id],
        can_join_group: { direct_members: [iris.id], direct_subgroups: [] },
      });

      const { modern, plain } = await queues();
      await owner.api.post(`/users/${leaver.id}/reactivate`);
      expect(await groupOf(iris, groupId)).toMatchObject({ members: [iris.id, leaver.id], can_join_group: both });
      const back = (group_id: number) => ({ type: 'user_group', op: 'add_members', group_id, user_ids: [leaver.id] });
      const setting = { type: 'user_group', op: 'update', group_id: groupId, data: { can_join_group: both } };
      expect(await told(plain)).toEqual([setting, back(3), back(4), back(groupId)]);
      expect(await told(modern)).toEqual([setting, back(3), back(4), back(groupId), back(closed)]);
    });
  });

  it('a new account and a change of role change the members of system groups', async () => {
    const { plain } = await queues();
    const nova = await annals.user('nova');
    await owner.api.patch(`/users/${nova.id}`, { role: 300 });
    await owner.api.patch(`/users/${nova.id}`, { role: 600 });
    const change = (op: string, group_id: number) => ({ type: 'user_group', op, group_id, user_ids: [nova.id] });
    expect(await told(plain)).toEqual([
      change('add_members', 3),
      change('add_members', 4),
      change('remove_members', 3),
      change('remove_members', 4),
      change('add_members', 5),
      change('remove_members', 5),
      change('add_members', 2),
    ]);
  });
});
