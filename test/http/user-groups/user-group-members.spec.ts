import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventQueue, kindOf, told } from '../../support/requests/event-queue.js';
import { groupOf, newGroup } from '../../support/requests/groups.js';
import type { Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const OWNERS = 7;
const MODERATORS = 5;
const NOTHING_MORE = { result: 'success', msg: '' };

describe('members and subgroups of user groups over HTTP', () => {
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

  const queue = (by: Member) => EventQueue.register(by.api, { event_types: ['user_group'] });
  const appended = async (after: number) =>
    (await annals.events(undefined, after)).map(({ type, data, metadata }) => ({ type, data, by: metadata.actorId }));

  const members = (groupId: number, params: Params, by = iris) =>
    by.api.post(`/user_groups/${groupId}/members`, params);
  const subgroups = (groupId: number, params: Params, by = iris) =>
    by.api.post(`/user_groups/${groupId}/subgroups`, params);

  describe('POST /user_groups/{id}/members', () => {
    it('appends one event for each kind of change, with the caller as actor, and tells everybody, including guests', async () => {
      const groupId = await newGroup(iris, { members: [iris.id, noor.id], subgroups: [MODERATORS] });
      const listeners = [await queue(owner), await queue(guest)];
      const head = await annals.head();
      const changes = { add: [guest.id, owner.id], delete: [noor.id], add_subgroups: [OWNERS], delete_subgroups: [5] };
      expect((await members(groupId, changes)).body).toEqual(NOTHING_MORE);
      const by = iris.id;
      expect(await appended(head)).toEqual([
        { type: 'UserGroupMembersAdded', data: { groupId, userIds: [owner.id, guest.id] }, by },
        { type: 'UserGroupMembersRemoved', data: { groupId, userIds: [noor.id] }, by },
        { type: 'UserGroupSubgroupsAdded', data: { groupId, subgroupIds: [OWNERS] }, by },
        { type: 'UserGroupSubgroupsRemoved', data: { groupId, subgroupIds: [MODERATORS] }, by },
      ]);
      for (const listener of listeners)
        expect(await told(listener)).toEqual([
          { type: 'user_group', op: 'add_members', group_id: groupId, user_ids: [owner.id, guest.id] },
          { type: 'user_group', op: 'remove_members', group_id: groupId, user_ids: [noor.id] },
          { type: 'user_group', op: 'add_subgroups', group_id: groupId, direct_subgroup_ids: [OWNERS] },
          { type: 'user_group', op: 'remove_subgroups', group_id: groupId, direct_subgroup_ids: [MODERATORS] },
        ]);
      expect(await groupOf(iris, groupId)).toMatchObject({
        members: [owner.id, iris.id, guest.id],
        direct_subgroup_ids: [OWNERS],
      });
    });

    it('changes a deactivated group, and tells only clients that know deactivated groups', async () => {
      const groupId = await newGroup(iris);
      await iris.api.delete(`/user_groups/${groupId}`);
      const listener = await queue(owner);
      const knowing = await EventQueue.register(owner.api, {
        event_types: ['user_group'],
        client_capabilities: { include_deactivated_groups: true },
      });
      expect((await members(groupId, { add: [noor.id] })).body).toEqual(NOTHING_MORE);
      expect(await told(listener)).toEqual([]);
      expect(await told(knowing)).toEqual([
        { type: 'user_group', op: 'add_members', group_id: groupId, user_ids: [noor.id] },
      ]);
    });

    it.each<[string, Params | (() => Params), string | (() => string)]>([
      [
        'a request without a change',
        {},
        'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
      ],
      ['to add a user who does not exist', { add: [999] }, 'Invalid user ID: 999'],
      ['to add a member again', () => ({ add: [iris.id] }), () => `User ${iris.id} is already a member of this group`],
      [
        'to remove a user who is not a member',
        () => ({ delete: [noor.id] }),
        () => `There is no member '${noor.id}' in this user group`,
      ],
      [
        'to remove a group that is not a subgroup',
        { delete_subgroups: [5] },
        'User group 5 is not a subgroup of this group.',
      ],
      ['a value that is not a list', { add: 5 }, 'add is not a list'],
      ['a value that is not an id', { add: [0] }, 'add[0] is too small (minimum: 1)'],
    ])('refuses %s', async (_, params, msg) => {
      const groupId = await newGroup(iris);
      const sent = typeof params === 'function' ? params() : params;
      await expectRefusal(annals, () => members(groupId, sent), typeof msg === 'function' ? msg() : msg);
    });

    it('changes nothing if a part of the request is refused', async () => {
      const groupId = await newGroup(iris);
      await expectRefusal(
        annals,
        () => members(groupId, { add: [noor.id], delete_subgroups: [5] }),
        'User group 5 is not a subgroup of this group.',
      );
    });

    it('refuses system groups and groups that do not exist', async () => {
      for (const groupId of [OWNERS, 999])
        await expectRefusal(annals, () => members(groupId, { add: [noor.id] }, owner), 'Invalid user group');
    });
  });

  describe('POST /user_groups/{id}/subgroups', () => {
    it('appends the added and the removed subgroups, and tells everybody', async () => {
      const [inner, other] = [await newGroup(iris), await newGroup(noor)];
      const groupId = await newGroup(iris, { subgroups: [inner] });
      const listener = await queue(guest);
      const head = await annals.head();
      expect((await subgroups(groupId, { add: [other, MODERATORS], delete: [inner] })).body).toEqual(NOTHING_MORE);
      expect(await appended(head)).toEqual([
        { type: 'UserGroupSubgroupsAdded', data: { groupId, subgroupIds: [MODERATORS, other] }, by: iris.id },
        { type: 'UserGroupSubgroupsRemoved', data: { groupId, subgroupIds: [inner] }, by: iris.id },
      ]);
      expect(await told(listener)).toEqual([
        { type: 'user_group', op: 'add_subgroups', group_id: groupId, direct_subgroup_ids: [MODERATORS, other] },
        { type: 'user_group', op: 'remove_subgroups', group_id: groupId, direct_subgroup_ids: [inner] },
      ]);
    });

    it('changes a deactivated group', async () => {
      const [inner, groupId] = [await newGroup(iris), await newGroup(iris)];
      await iris.api.delete(`/user_groups/${groupId}`);
      expect((await subgroups(groupId, { add: [inner] })).body).toEqual(NOTHING_MORE);
      expect(await groupOf(iris, groupId)).toMatchObject({ direct_subgroup_ids: [inner], deactivated: true });
    });

    it('refuses requests without a change, repetitions, deactivated groups, cycles, and groups that do not exist', async () => {
      const inner = await newGroup(iris);
      const middle = await newGroup(iris, { subgroups: [inner] });
      const outer = await newGroup(iris, { subgroups: [middle] });
      const closed = await newGroup(iris);
      await iris.api.delete(`/user_groups/${closed}`);
      await expectRefusal(
        annals,
        () => subgroups(outer, {}),
        'Nothing to do. Specify at least one of "add" or "delete".',
      );
      await expectRefusal(
        annals,
        () => subgroups(outer, { add: [middle] }),
        `User group ${middle} is already a subgroup of this group.`,
      );
      await expectRefusal(
        annals,
        () => subgroups(outer, { delete: [inner] }),
        `User group ${inner} is not a subgroup of this group.`,
      );
      await expectRefusal(annals, () => subgroups(outer, { add: [closed] }), 'User group is deactivated.');
      await expectRefusal(annals, () => subgroups(outer, { add: [999] }), 'Invalid user group ID: 999');
      for (const id of [inner, outer])
        await expectRefusal(
          annals,
          () => subgroups(inner, { add: [id] }),
          `User group ${inner} is already a subgroup of one of the passed subgroups.`,
        );
      for (const id of [OWNERS, 999])
        await expectRefusal(annals, () => subgroups(id, { add: [inner] }, owner), 'Invalid user group');
    });
  });

  describe('the queries about a group', () => {
    let inner: number;
    let outer: number;
    let leaver: Member;

    beforeAll(async () => {
      leaver = await annals.user('leaver');
      inner = await newGroup(iris, { members: [noor.id, leaver.id] });
      const middle = await newGroup(iris, { members: [guest.id], subgroups: [inner, OWNERS] });
      outer = await newGroup(iris, { members: [iris.id], subgroups: [middle] });
      await owner.api.delete(`/users/${leaver.id}`);
    });

    const asked = async (path: string, params: Params = {}) =>
      (await iris.api.get(`/user_groups/${path}`, params)).body;

    it('list its direct and indirect members, without deactivated accounts', async () => {
      expect(await asked(`${outer}/members`)).toEqual({
        ...NOTHING_MORE,
        members: [owner.id, iris.id, noor.id, guest.id],
      });
      expect(await asked(`${outer}/members`, { direct_member_only: true })).toMatchObject({ members: [iris.id] });
      expect(await asked(`${inner}/members`)).toMatchObject({ members: [noor.id] });
      expect(await asked('3/members')).toMatchObject({ members: [owner.id, iris.id, noor.id] });
      expect(await asked('3/members', { direct_member_only: true })).toMatchObject({ members: [iris.id, noor.id] });
      expect(await asked('1/members')).toMatchObject({ members: [owner.id, iris.id, noor.id, guest.id] });
      expect(await asked('8/members')).toMatchObject({ members: [] });
    });

    it('list its direct and indirect subgroups', async () => {
      const middle = (await asked(`${outer}/subgroups`, { direct_subgroup_only: true })).subgroups[0];
      expect(await asked(`${outer}/subgroups`)).toEqual({ ...NOTHING_MORE, subgroups: [OWNERS, inner, middle] });
      expect(await asked(`${inner}/subgroups`)).toMatchObject({ subgroups: [] });
      expect(await asked('5/subgroups')).toMatchObject({ subgroups: [6, 7] });
      expect(await asked('5/subgroups', { direct_subgroup_only: true })).toMatchObject({ subgroups: [6] });
    });

    it('answer whether a user is a member', async () => {
      const isMember = async (groupId: number, userId: number, params: Params = {}) =>
        (await asked(`${groupId}/members/${userId}`, params)).is_user_group_member;
      expect(await isMember(outer, noor.id)).toBe(true);
      expect(await isMember(outer, noor.id, { direct_member_only: true })).toBe(false);
      expect(await isMember(inner, noor.id, { direct_member_only: true })).toBe(true);
      expect(await isMember(outer, owner.id)).toBe(true);
      expect(await isMember(inner, owner.id)).toBe(false);
      expect(await isMember(inner, leaver.id)).toBe(false);
      expect(await isMember(2, guest.id, { direct_member_only: true })).toBe(true);
      expect(await isMember(3, guest.id)).toBe(false);
    });

    it('refuse groups and users that do not exist', async () => {
      for (const path of ['999/members', '999/subgroups', `999/members/${iris.id}`])
        expect(await asked(path)).toMatchObject({ result: 'error', code: 'BAD_REQUEST', msg: 'Invalid user group' });
      expect(await asked('3/members/999')).toMatchObject({ code: 'BAD_REQUEST', msg: 'No such user' });
    });
  });

  it('a user gains and loses the permissions of a group with direct or indirect membership, and only that user is told', async () => {
    const inner = await newGroup(iris, { members: [] });
    const outer = await newGroup(iris, { members: [], subgroups: [inner] });
    const channel = { subscriptions: [{ name: 'observatory' }], invite_only: true, can_subscribe_group: outer };
    await owner.api.post('/users/me/subscriptions', channel);
    const stream_id = (await owner.api.get('/get_stream_id', { stream: 'observatory' })).body.stream_id;
    const asks = async () => (await noor.api.get('/get_stream_id', { stream: 'observatory' })).status;
    const listen = (by: Member) => EventQueue.register(by.api, { event_types: ['stream', 'subscription'] });
    const kinds = async (queue: EventQueue) => (await queue.drain()).map(kindOf);
    const [hers, others, guests] = [await listen(noor), await listen(iris), await listen(guest)];

    expect(await asks()).toBe(400);
    await members(inner, { add: [noor.id, guest.id] });
    expect(await asks()).toBe(200);
    const [created] = await hers.drain();
    expect(created).toMatchObject({ type: 'stream', op: 'create', streams: [{ stream_id, name: 'observatory' }] });
    await subgroups(outer, { delete: [inner] });
    expect(await asks()).toBe(400);
    expect(await kinds(hers)).toEqual(['stream/delete']);
    await subgroups(outer, { add: [inner] });
    expect(await asks()).toBe(200);
    await members(inner, { delete: [noor.id] });
    expect(await asks()).toBe(400);
    expect((await kinds(hers)).filter((kind) => kind.startsWith('stream/'))).toEqual([
      'stream/create',
      'stream/delete',
    ]);
    for (const queue of [others, guests]) expect(await kinds(queue)).toEqual([]);
  });

  it('tells a channel as it appeared, even if its permission was given to another group before the client asks', async () => {
    const [first, second] = [await newGroup(iris, { members: [] }), await newGroup(iris, { members: [noor.id] })];
    const channel = { subscriptions: [{ name: 'meridian' }], invite_only: true, can_subscribe_group: first };
    await owner.api.post('/users/me/subscriptions', channel);
    const stream_id = (await owner.api.get('/get_stream_id', { stream: 'meridian' })).body.stream_id;
    const give = (id: number) => owner.api.patch(`/streams/${stream_id}`, { can_subscribe_group: { new: id } });
    const queue = await EventQueue.register(noor.api, { event_types: ['stream'] });
    await members(first, { add: [noor.id] });
    await give(second);
    await members(first, { delete: [noor.id] });
    const events = (await queue.drain()).map((event) => [kindOf(event), event.property]);
    expect(events).toEqual([
      ['stream/create', undefined],
      ['stream/update', 'can_subscribe_group'],
    ]);
  });

  it('50 concurrent writers close no cycle, and only the one that would close it is refused', async () => {
    const ring = await Promise.all(Array.from({ length: 50 }, () => newGroup(iris)));
    const answers = await Promise.all(
      ring.map((groupId, index) => subgroups(groupId, { add: [ring[(index + 1) % ring.length]] })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.msg])).toEqual([
      [400, expect.stringMatching(/^User group \d+ is already a subgroup of one of the passed subgroups\.$/)],
    ]);
    const { body } = await iris.api.get('/user_groups');
    const edges = body.user_groups
      .filter(({ id }: { id: number }) => ring.includes(id))
      .map(({ direct_subgroup_ids }: { direct_subgroup_ids: number[] }) => direct_subgroup_ids.length);
    expect(edges.filter((count: number) => count === 1)).toHaveLength(49);
    const names = await Promise.all(
      Array.from({ length: 50 }, () =>
        iris.api.post('/user_groups/create', { name: 'the one', description: '', members: [] }),
      ),
    );
    expect(names.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});
