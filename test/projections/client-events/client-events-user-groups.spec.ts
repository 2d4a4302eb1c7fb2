import { describe, expect, it } from '@jest/globals';
import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { ROLES, type Role } from '../../../src/events/shared/role.js';
import type { UserGroupEvent } from '../../../src/events/user-groups/user-groups.events.js';
import type { UserEvent } from '../../../src/events/users/users.events.js';
import { channelData, channelPermissions, groupData, groupPermissions } from '../../support/events/events.js';
import { history, type InHistory } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const DAY = 86_400_000;
const BEGAN = 1_700_000_000_000;
const EVERYONE = { everyone: true };
const KNOWING = { capability: 'include_deactivated_groups', instead: null };

const of = (event: UserGroupEvent): InHistory => ['userGroups', event];
const account = (event: UserEvent, at?: number): InHistory => ['users', event, at === undefined ? {} : { at }];
const user = (userId: number, role: Role = ROLES.member, at?: number): InHistory =>
  account(
    {
      type: 'UserCreated',
      data: {
        userId,
        email: `u${userId}@example.com`,
        fullName: `U ${userId}`,
        role,
        passwordHash: null,
        channelIds: [],
      },
    },
    at,
  );
const group = (groupId: number, changes: Parameters<typeof groupData>[1] = {}): InHistory =>
  of({ type: 'UserGroupCreated', data: groupData(groupId, changes) });
const deactivated = (groupId: number): InHistory => of({ type: 'UserGroupDeactivated', data: { groupId } });
const ended = (userId: number): InHistory => account({ type: 'UserDeactivated', data: { userId, notice: null } });
const back = (userId: number): InHistory => account({ type: 'UserReactivated', data: { userId } });
const role = (userId: number, from: Role, to: Role, at?: number): InHistory =>
  account({ type: 'UserRoleChanged', data: { userId, from, to } }, at);
const waiting = (from: number, to: number, at?: number): InHistory => [
  'organization',
  { type: 'RealmSettingChanged', data: { setting: 'waiting_period_threshold', from, to } },
  at === undefined ? {} : { at },
];
const organization: InHistory = ['organization', { type: 'OrganizationCreated', data: { name: 'Annals' } }];

/** The client events of the last event. */
async function told(...entries: InHistory[]): Promise<ClientEventDocument[]> {
  const { events } = await projected(clientEvents, history(...entries));
  const last = Math.max(...entries.map((_, index) => index + 1));
  return (events as unknown as ClientEventDocument[]).filter(({ _id }) => Math.floor(_id / 4096) === last);
}

const ofGroups = async (...entries: InHistory[]) =>
  (await told(...entries))
    .filter(({ kind }) => kind.startsWith('user_group/'))
    .map(({ kind, audience, payload }) => ({ kind, audience, ...payload }));

describe('client events of groups', () => {
  it('have a new group as of its creation for everybody, without its list of members', async () => {
    const permissions = groupPermissions({ can_join_group: 5 });
    const created = group(9, { name: 'Optics', description: 'd', subgroupIds: [6, 5], memberIds: [1, 2], permissions });
    expect(await ofGroups(user(1), created)).toEqual([
      {
        kind: 'user_group/add',
        audience: EVERYONE,
        group: {
          _id: 9,
          name: 'Optics',
          description: 'd',
          creatorId: 1,
          createdAt: BEGAN + 2000,
          isDeactivated: false,
          permissions,
          subgroupIds: [5, 6],
        },
        toldBefore: null,
      },
    ]);
  });

  it.each<[UserGroupEvent, string, object]>([
    [
      { type: 'UserGroupRenamed', data: { groupId: 9, from: 'a', to: 'b' } },
      'user_group/update',
      { data: { name: 'b' } },
    ],
    [
      { type: 'UserGroupDescriptionChanged', data: { groupId: 9, from: 'a', to: 'b' } },
      'user_group/update',
      { data: { description: 'b' } },
    ],
    [
      { type: 'UserGroupPermissionChanged', data: { groupId: 9, setting: 'can_join_group', from: 8, to: 5 } },
      'user_group/update',
      { data: { can_join_group: 5 } },
    ],
    [
      { type: 'UserGroupMembersAdded', data: { groupId: 9, userIds: [2] } },
      'user_group/add_members',
      { user_ids: [2] },
    ],
    [
      { type: 'UserGroupMembersRemoved', data: { groupId: 9, userIds: [1] } },
      'user_group/remove_members',
      { user_ids: [1] },
    ],
    [
      { type: 'UserGroupSubgroupsAdded', data: { groupId: 9, subgroupIds: [5] } },
      'user_group/add_subgroups',
      { direct_subgroup_ids: [5] },
    ],
    [
      { type: 'UserGroupSubgroupsRemoved', data: { groupId: 9, subgroupIds: [5] } },
      'user_group/remove_subgroups',
      { direct_subgroup_ids: [5] },
    ],
  ])('have a change for everybody, or only for clients that know deactivated groups: %j', async (event, kind, body) => {
    const before = [user(1), user(2), group(9)];
    const expected = { kind, audience: EVERYONE, body: { group_id: 9, ...body } };
    expect(await ofGroups(...before, of(event))).toEqual([expected]);
    expect(await ofGroups(...before, deactivated(9), of(event))).toEqual([{ ...expected, without: KNOWING }]);
  });

  it('remove a deactivated group, and add a reactivated one, for clients that know no deactivated groups', async () => {
    expect(await ofGroups(group(9), deactivated(9))).toEqual([
      {
        kind: 'user_group/update',
        audience: EVERYONE,
        body: { group_id: 9, data: { deactivated: true } },
        without: { ...KNOWING, instead: { kind: 'user_group/remove', body: { group_id: 9 } } },
      },
    ]);
    const renamed = of({ type: 'UserGroupRenamed', data: { groupId: 9, from: 'group 9', to: 'late' } });
    const reactivated = of({ type: 'UserGroupReactivated', data: { groupId: 9 } });
    expect(await ofGroups(group(9), deactivated(9), renamed, reactivated)).toMatchObject([
      {
        kind: 'user_group/add',
        group: { _id: 9, name: 'late', isDeactivated: false },
        toldBefore: 'include_deactivated_groups',
      },
      { kind: 'user_group/update', body: { group_id: 9, data: { deactivated: false } }, without: KNOWING },
    ]);
  });

  it('name no deactivated users', async () => {
    const before = [user(1), user(2), group(9), ended(2)];
    const added = (...userIds: number[]) => of({ type: 'UserGroupMembersAdded', data: { groupId: 9, userIds } });
    const given = of({
      type: 'UserGroupPermissionChanged',
      data: { groupId: 9, setting: 'can_join_group', from: 8, to: { direct_members: [1, 2], direct_subgroups: [] } },
    });
    expect(await ofGroups(...before, added(1, 2))).toMatchObject([{ body: { user_ids: [1] } }]);
    expect(await ofGroups(...before, added(2))).toEqual([]);
    expect(await ofGroups(...before, given)).toMatchObject([
      { body: { data: { can_join_group: { direct_members: [1], direct_subgroups: [] } } } },
    ]);
  });
});

describe('channels that the members of a group may see', () => {
  const sight = async (type: UserGroupEvent['type'], ids: object) => {
    const event = of({ type, data: { groupId: 9, ...ids } } as UserGroupEvent);
    const all = await told(user(1), user(2), user(3), ended(3), group(9, { memberIds: [] }), group(10), event);
    return all
      .filter(({ kind }) => !kind.startsWith('user_group/'))
      .map(({ kind, audience, _id }) => [kind, audience, _id % 4096]);
  };

  it('appear for users who are added to the group, and disappear for users who are removed', async () => {
    expect(await sight('UserGroupMembersAdded', { userIds: [2, 3] })).toEqual([
      ['stream/gained', { userIds: [2] }, 768],
      ['subscription/gained', { userIds: [2] }, 3071],
    ]);
    expect(await sight('UserGroupMembersAdded', { userIds: [3] })).toEqual([]);
    expect(await sight('UserGroupMembersRemoved', { userIds: [2] })).toEqual([['stream/lost', { userIds: [2] }, 3584]]);
  });

  it('appear for the members of a subgroup that is added, and disappear when it is removed', async () => {
    expect(await sight('UserGroupSubgroupsAdded', { subgroupIds: [5, 10] })).toEqual([
      ['stream/gained', { groups: [5, 10] }, 768],
      ['subscription/gained', { groups: [5, 10] }, 3071],
    ]);
    expect(await sight('UserGroupSubgroupsRemoved', { subgroupIds: [10] })).toEqual([
      ['stream/lost', { groups: [10] }, 3584],
    ]);
  });
});

describe('client events of system groups', () => {
  const added = (group_id: number, ...user_ids: number[]) => ({
    kind: 'user_group/add_members',
    audience: EVERYONE,
    body: { group_id, user_ids },
  });
  const removed = (group_id: number, ...user_ids: number[]) => ({
    ...added(group_id, ...user_ids),
    kind: 'user_group/remove_members',
  });

  it.each<[Role, number[]]>([
    [ROLES.owner, [7]],
    [ROLES.administrator, [6]],
    [ROLES.moderator, [5]],
    [ROLES.member, [3, 4]],
    [ROLES.guest, [2]],
  ])('add a new account of role %i to the groups %j', async (of, groups) => {
    expect(await ofGroups(organization, user(1, of))).toEqual(groups.map((id) => added(id, 1)));
  });

  it('add a bot to the groups of members', async () => {
    const data = {
      userId: 2,
      email: 'b@x.org',
      fullName: 'B',
      role: ROLES.member,
      botType: 1,
      ownerId: 1,
      keyHash: 'k',
    };
    const bot: InHistory = ['users', { type: 'BotCreated', data }];
    expect(await ofGroups(user(1), bot)).toEqual([added(3, 2), added(4, 2)]);
  });

  it('move an account whose role changes, to the full members only after the waiting period', async () => {
    const member = user(1, ROLES.member, BEGAN);
    const up = (days: number) => role(1, ROLES.member, ROLES.moderator, BEGAN + days * DAY);
    const down = (days: number) => role(1, ROLES.moderator, ROLES.member, BEGAN + days * DAY);
    expect(await ofGroups(organization, member, up(0))).toEqual([removed(3, 1), removed(4, 1), added(5, 1)]);
    const wait = [organization, waiting(0, 3, BEGAN), member];
    expect(await ofGroups(...wait, up(1))).toEqual([removed(3, 1), added(5, 1)]);
    expect(await ofGroups(...wait, up(1), down(2))).toEqual([removed(5, 1), added(3, 1)]);
    expect(await ofGroups(...wait, up(1), down(3))).toEqual([removed(5, 1), added(3, 1), added(4, 1)]);
    expect(await ofGroups(...wait, role(1, ROLES.member, ROLES.guest))).toEqual([removed(3, 1), added(2, 1)]);
  });

  it('do not exist for the role of a deactivated account, and follow its new role after the reactivation', async () => {
    const before = [organization, user(1), user(2), ended(2), role(2, ROLES.member, ROLES.moderator)];
    expect(await ofGroups(...before)).toEqual([]);
    expect(await ofGroups(...before, back(2))).toEqual([added(5, 2)]);
  });

  it('add and remove full members when the waiting period changes', async () => {
    const before = [
      organization,
      user(1, ROLES.owner, BEGAN),
      user(2, ROLES.member, BEGAN),
      user(3, ROLES.member, BEGAN + 2 * DAY),
      user(4, ROLES.member, BEGAN + 2 * DAY),
      ended(4),
    ];
    const now = BEGAN + 3 * DAY;
    expect(await ofGroups(...before, waiting(0, 2, now))).toEqual([removed(4, 3)]);
    expect(await ofGroups(...before, waiting(0, 9, now))).toEqual([removed(4, 2, 3)]);
    expect(await ofGroups(...before, waiting(0, 9, now), waiting(9, 3, now))).toEqual([added(4, 2)]);
    expect(await ofGroups(...before, waiting(0, 1, now))).toEqual([]);
  });
});

describe('a reactivated account', () => {
  const both = { direct_members: [1, 2], direct_subgroups: [5] };

  it('is added to its groups again, and to the permissions that name it', async () => {
    const entries = [
      organization,
      user(1),
      user(2),
      user(3),
      group(9, { memberIds: [2], permissions: groupPermissions({ can_join_group: both }) }),
      group(10, { memberIds: [1, 2] }),
      group(11, { memberIds: [2], permissions: groupPermissions({ can_leave_group: both }) }),
      group(12, { memberIds: [2] }),
      of({ type: 'UserGroupMembersRemoved', data: { groupId: 12, userIds: [2] } }),
      deactivated(11),
      [
        'channels',
        {
          type: 'ChannelCreated',
          data: channelData(4, {
            inviteOnly: true,
            permissions: channelPermissions({ can_subscribe_group: both, can_administer_channel_group: 6 }),
          }),
        },
      ],
      ['organization', { type: 'RealmSettingChanged', data: { setting: 'can_create_groups', from: 3, to: both } }],
      ended(1),
      ended(2),
      back(2),
    ] satisfies InHistory[];
    const without1 = { direct_members: [2], direct_subgroups: [5] };
    const all = await told(...entries);
    expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['realm_user/update', 'subscription/back']));
    const others = all.filter(({ kind }) => kind !== 'realm_user/update' && !kind.startsWith('subscription/'));
    const member = (group_id: number) => ({
      kind: 'user_group/add_members',
      audience: EVERYONE,
      payload: { body: { group_id, user_ids: [2] } },
    });
    expect(others.map(({ kind, audience, payload }) => ({ kind, audience, payload }))).toEqual([
      {
        kind: 'realm/update_dict',
        audience: EVERYONE,
        payload: { body: { property: 'default', data: { can_create_groups: without1 } } },
      },
      {
        kind: 'user_group/update',
        audience: EVERYONE,
        payload: { body: { group_id: 9, data: { can_join_group: without1 } } },
      },
      {
        kind: 'user_group/update',
        audience: EVERYONE,
        payload: { body: { group_id: 11, data: { can_leave_group: without1 } }, without: KNOWING },
      },
      {
        kind: 'stream/update',
        audience: { roles: [100, 200], groups: [6, both], subscribersOf: 4 },
        payload: {
          body: { stream_id: 4, name: 'channel 4', property: 'can_subscribe_group', value: without1 },
        },
      },
      member(3),
      member(4),
      member(9),
      member(10),
      { ...member(11), payload: { ...member(11).payload, without: KNOWING } },
    ]);
  });

  it('gets client events for as many of its groups as an event has ranks for', async () => {
    const groups = Array.from({ length: 950 }, (_, index) => group(9 + index, { memberIds: [2] }));
    const all = await told(organization, user(2), ...groups, ended(2), back(2));
    expect(all.filter(({ kind }) => kind === 'user_group/add_members')).toHaveLength(902);
    expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['realm_user/update', 'subscription/back']));
  });
});
