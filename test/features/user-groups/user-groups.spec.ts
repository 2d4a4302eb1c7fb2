import { describe, expect, it } from '@jest/globals';
import type { UserGroupCreated, UserGroupEvent } from '../../../src/events/user-groups/user-groups.events.js';
import {
  CreateUserGroup,
  DeactivateUserGroup,
  decideCreateUserGroup,
  decideDeactivateUserGroup,
  decideUpdateUserGroup,
  UpdateUserGroup,
  type UserGroupChanges,
} from '../../../src/features/user-groups/domain/user-groups.js';
import { userGroups } from '../../../src/features/user-groups/domain/user-groups.state.js';
import { groupData, groupPermissions } from '../../support/events/events.js';
import { given } from '../../support/events/given.js';

type Refusal = readonly [code: string, data?: Record<string, unknown>];

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const MODERATORS = 5;
const NOBODY = 8;

const created = (groupId: number, changes: Partial<UserGroupCreated['data']> = {}): UserGroupEvent => ({
  type: 'UserGroupCreated',
  data: groupData(groupId, changes),
});
const deactivated = (groupId: number): UserGroupEvent => ({ type: 'UserGroupDeactivated', data: { groupId } });
const reactivated = (groupId: number): UserGroupEvent => ({ type: 'UserGroupReactivated', data: { groupId } });
const renamed = (groupId: number, from: string, to: string): UserGroupEvent => ({
  type: 'UserGroupRenamed',
  data: { groupId, from, to },
});

/** Users 1 to 5 are active. */
const isActiveUser = (id: number): boolean => id <= 5;

const create = (changes: Partial<CreateUserGroup['group']> = {}) =>
  new CreateUserGroup({
    group: { name: 'design', description: '', memberIds: [1], subgroupIds: [], permissions: {}, ...changes },
    by,
  });

describe('creating a user group', () => {
  const facts = { mayCreate: true, isActiveUser };

  it('gives the first id after those of the system groups, then the next one', () => {
    given(userGroups, [])
      .when(decideCreateUserGroup, create(), facts)
      .then([created(9, { name: 'design' })]);
    given(userGroups, [created(9), created(14)])
      .when(decideCreateUserGroup, create(), facts)
      .then([created(15, { name: 'design' })]);
  });

  it('names members and subgroups once each, ordered by id', () => {
    given(userGroups, [created(9)])
      .when(decideCreateUserGroup, create({ memberIds: [3, 1, 3], subgroupIds: [9, MODERATORS, 9] }), facts)
      .then([created(10, { name: 'design', memberIds: [1, 3], subgroupIds: [MODERATORS, 9] })]);
  });

  it('gives the creator the default permissions, and stores the given ones in a normalized form', () => {
    const permissions = { can_manage_group: { direct_members: [], direct_subgroups: [9, 9] }, can_join_group: 5 };
    given(userGroups, [created(9)])
      .when(decideCreateUserGroup, create({ permissions }), facts)
      .then([
        created(10, { name: 'design', permissions: groupPermissions({ can_manage_group: 9, can_join_group: 5 }) }),
      ]);
  });

  it('gives nobody the permissions of the creator if the server creates the group', () => {
    const nobody = { direct_members: [], direct_subgroups: [] };
    const byServer = new CreateUserGroup({ group: create().group, by: { ...by, actorId: null } });
    given(userGroups, [])
      .when(decideCreateUserGroup, byServer, facts)
      .then([
        created(9, {
          name: 'design',
          creatorId: null,
          permissions: groupPermissions({ can_manage_group: nobody, can_add_members_group: nobody }),
        }),
      ]);
  });

  it.each(['caf\u00e9', 'CAF\u00c9', ' Cafe\u0301 '])('refuses a name in use, in any case: %j', (name) => {
    given(userGroups, [created(9, { name: 'Caf\u00e9' })])
      .when(decideCreateUserGroup, create({ name }), facts)
      .thenRefuses('USER_GROUP_NAME_TAKEN', { name: name.trim() });
  });

  it('refuses the name of a deactivated group, and accepts the former name of a renamed one', () => {
    const history = [created(9, { name: 'design' }), deactivated(9)];
    given(userGroups, history).when(decideCreateUserGroup, create(), facts).thenRefuses('USER_GROUP_NAME_TAKEN');
    given(userGroups, [...history, renamed(9, 'design', 'art')])
      .when(decideCreateUserGroup, create(), facts)
      .then([created(10, { name: 'design' })]);
  });

  it.each<[string, Partial<CreateUserGroup['group']>, Refusal]>([
    ['no name', { name: ' ' }, ['USER_GROUP_NAME_EMPTY']],
    ['an invisible name', { name: '\u200b\u00ad' }, ['USER_GROUP_NAME_EMPTY']],
    ['a name of two lines', { name: 'a\nb' }, ['USER_GROUP_NAME_INVALID']],
    ['a name that is too long', { name: 'x'.repeat(101) }, ['USER_GROUP_NAME_TOO_LONG', { limit: 100 }]],
    ['a name like a mention', { name: '@all' }, ['USER_GROUP_NAME_RESERVED', { beginning: '@' }]],
    ['the name of a system group', { name: 'role:members' }, ['USER_GROUP_NAME_RESERVED', { beginning: 'role:' }]],
    ['the name of a system group in another case', { name: 'Role:Members' }, ['USER_GROUP_NAME_RESERVED']],
    ['a name that starts with user:', { name: 'user:3' }, ['USER_GROUP_NAME_RESERVED']],
    ['a name that starts with stream:', { name: 'stream:3' }, ['USER_GROUP_NAME_RESERVED']],
    ['a name that starts with channel:', { name: 'channel:3' }, ['USER_GROUP_NAME_RESERVED']],
    ['a long description', { description: 'x'.repeat(1025) }, ['USER_GROUP_DESCRIPTION_TOO_LONG']],
    ['a member who does not exist', { memberIds: [1, 6] }, ['GROUP_MEMBER_UNKNOWN', { userId: 6 }]],
    ['a subgroup that does not exist', { subgroupIds: [11] }, ['SUBGROUP_UNKNOWN', { groupId: 11 }]],
    ['itself', { subgroupIds: [12] }, ['SUBGROUP_UNKNOWN', { groupId: 12 }]],
    ['a deactivated group', { subgroupIds: [10] }, ['USER_GROUP_DEACTIVATED']],
    ['everybody as managers', { permissions: { can_manage_group: 2 } }, ['SETTING_GROUP_NOT_ALLOWED']],
    ['a permission for an unknown group', { permissions: { can_join_group: 99 } }, ['SETTING_GROUP_UNKNOWN']],
    ['a permission for a deactivated group', { permissions: { can_join_group: 10 } }, ['SETTING_GROUP_DEACTIVATED']],
    [
      'a permission for a deactivated user',
      { permissions: { can_join_group: { direct_members: [6], direct_subgroups: [] } } },
      ['SETTING_USER_UNKNOWN', { userId: 6 }],
    ],
  ])('refuses %s', (_, changes, refusal) => {
    given(userGroups, [created(9), created(10), deactivated(10)])
      .when(decideCreateUserGroup, create(changes), facts)
      .thenRefuses(...refusal);
  });

  it('accepts names of 100 characters, counted in code points', () => {
    const name = '🦉'.repeat(100);
    given(userGroups, [])
      .when(decideCreateUserGroup, create({ name }), facts)
      .then([created(9, { name })]);
  });

  it('checks the permission to create groups first', () => {
    given(userGroups, [])
      .when(decideCreateUserGroup, create({ name: '' }), { mayCreate: false, isActiveUser })
      .thenRefuses('NOT_AUTHORIZED');
  });
});

describe('updating a user group', () => {
  const facts = { mayManage: true, isActiveUser };
  const history = [created(9, { name: 'design', description: 'd' }), created(10, { name: 'art' })];
  const update = (changes: Partial<UserGroupChanges>, groupId = 9) =>
    new UpdateUserGroup({ groupId, changes: { permissions: {}, ...changes }, by });

  it('appends one event for each change, in a fixed order', () => {
    const changes = {
      name: ' Design! ',
      description: 'e',
      deactivated: false,
      permissions: { can_join_group: { new: MODERATORS, old: NOBODY }, can_manage_group: { new: 10 } },
    };
    given(userGroups, [...history, deactivated(9)])
      .when(decideUpdateUserGroup, update(changes), facts)
      .then([
        reactivated(9),
        renamed(9, 'design', 'Design!'),
        { type: 'UserGroupDescriptionChanged', data: { groupId: 9, from: 'd', to: 'e' } },
        {
          type: 'UserGroupPermissionChanged',
          data: { groupId: 9, setting: 'can_join_group', from: NOBODY, to: MODERATORS },
        },
        {
          type: 'UserGroupPermissionChanged',
          data: {
            groupId: 9,
            setting: 'can_manage_group',
            from: { direct_members: [1], direct_subgroups: [] },
            to: 10,
          },
        },
      ]);
  });

  it.each<[string, Partial<UserGroupChanges>]>([
    ['present values', { name: 'design', description: 'd', permissions: { can_join_group: { new: NOBODY } } }],
    ['deactivated false for an active group', { deactivated: false }],
    ['deactivated true, which has its own request', { deactivated: true }],
    [
      'the same people in another form',
      { permissions: { can_manage_group: { new: { direct_members: [1, 1], direct_subgroups: [] } } } },
    ],
  ])('appends nothing for %s', (_, changes) => {
    given(userGroups, history).when(decideUpdateUserGroup, update(changes), facts).thenNothing();
  });

  it('changes the case of a name', () => {
    given(userGroups, history)
      .when(decideUpdateUserGroup, update({ name: 'DESIGN' }), facts)
      .then([renamed(9, 'design', 'DESIGN')]);
  });

  it('changes a deactivated group without reactivating it', () => {
    given(userGroups, [...history, deactivated(9)])
      .when(decideUpdateUserGroup, update({ name: 'old design', deactivated: true }), facts)
      .then([renamed(9, 'design', 'old design')]);
  });

  it('compares the old value with the one told to clients, without deactivated accounts', () => {
    const people = { can_join_group: { direct_members: [1, 6], direct_subgroups: [] } };
    const before = [created(9, { permissions: groupPermissions(people) })];
    const told = { direct_members: [1], direct_subgroups: [] };
    given(userGroups, before)
      .when(decideUpdateUserGroup, update({ permissions: { can_join_group: { new: MODERATORS, old: told } } }), facts)
      .then([
        {
          type: 'UserGroupPermissionChanged',
          data: { groupId: 9, setting: 'can_join_group', from: people.can_join_group, to: MODERATORS },
        },
      ]);
    given(userGroups, before)
      .when(decideUpdateUserGroup, update({ permissions: { can_join_group: { new: told } } }), facts)
      .thenNothing();
  });

  it.each<[string, Partial<UserGroupChanges>, string]>([
    ['a name that another group has', { name: 'ART' }, 'USER_GROUP_NAME_TAKEN'],
    ['a reserved name', { name: '@art' }, 'USER_GROUP_NAME_RESERVED'],
    ['an empty name', { name: '' }, 'USER_GROUP_NAME_EMPTY'],
    ['too long a description', { description: 'x'.repeat(1025) }, 'USER_GROUP_DESCRIPTION_TOO_LONG'],
    [
      'an old value that does not match',
      { permissions: { can_join_group: { new: MODERATORS, old: MODERATORS } } },
      'EXPECTATION_MISMATCH',
    ],
    ['guests as managers', { permissions: { can_manage_group: { new: 2 } } }, 'SETTING_GROUP_NOT_ALLOWED'],
  ])('refuses %s', (_, changes, code) => {
    given(userGroups, history).when(decideUpdateUserGroup, update(changes), facts).thenRefuses(code);
  });

  it('refuses in this order: no change, no such group, no permission', () => {
    const forbidden = { ...facts, mayManage: false };
    given(userGroups, history).when(decideUpdateUserGroup, update({}, 99), forbidden).thenRefuses('NO_GROUP_CHANGES');
    given(userGroups, history)
      .when(decideUpdateUserGroup, update({ name: '' }, 99), forbidden)
      .thenRefuses('USER_GROUP_NOT_FOUND');
    given(userGroups, history)
      .when(decideUpdateUserGroup, update({ name: '' }), forbidden)
      .thenRefuses('NOT_AUTHORIZED');
  });

  it('refuses system groups', () => {
    given(userGroups, history)
      .when(decideUpdateUserGroup, update({ name: 'bosses' }, 7), facts)
      .thenRefuses('USER_GROUP_NOT_FOUND');
  });
});

describe('deactivating a user group', () => {
  const facts = { mayManage: true, named: { realm: [], channels: [] } };
  const deactivate = (groupId = 9) => new DeactivateUserGroup({ groupId, by });

  it('appends one event, and is refused afterwards', () => {
    given(userGroups, [created(9)])
      .when(decideDeactivateUserGroup, deactivate(), facts)
      .then([deactivated(9)]);
    given(userGroups, [created(9), deactivated(9)])
      .when(decideDeactivateUserGroup, deactivate(), facts)
      .thenRefuses('USER_GROUP_DEACTIVATED');
    given(userGroups, [created(9), deactivated(9), reactivated(9)])
      .when(decideDeactivateUserGroup, deactivate(), facts)
      .then([deactivated(9)]);
  });

  it('names everything that uses the group', () => {
    const named = {
      realm: ['can_create_groups'],
      channels: [{ channelId: 4, settings: ['can_send_message_group'] }],
    };
    const anonymous = { direct_members: [1], direct_subgroups: [9] };
    given(userGroups, [
      created(9),
      created(12, { subgroupIds: [9] }),
      created(10, { permissions: groupPermissions({ can_join_group: 9, can_leave_group: anonymous }) }),
      created(11, { subgroupIds: [9] }),
    ])
      .when(decideDeactivateUserGroup, deactivate(), { mayManage: true, named })
      .thenRefuses('CANNOT_DEACTIVATE_GROUP_IN_USE', {
        objections: [
          { type: 'subgroup', supergroup_ids: [11, 12] },
          { type: 'user_group', group_id: 10, settings: ['can_join_group', 'can_leave_group'] },
          { type: 'channel', channel_id: 4, settings: ['can_send_message_group'] },
          { type: 'realm', settings: ['can_create_groups'] },
        ],
      });
  });

  it('is not prevented by deactivated groups, its own permissions, or its own subgroups', () => {
    const own = groupPermissions({ can_join_group: 9 });
    given(userGroups, [
      created(9, { subgroupIds: [3] }),
      { type: 'UserGroupPermissionChanged', data: { groupId: 9, setting: 'can_join_group', from: NOBODY, to: 9 } },
      created(10, { subgroupIds: [9], permissions: own }),
      deactivated(10),
      created(11, { subgroupIds: [9] }),
      { type: 'UserGroupSubgroupsRemoved', data: { groupId: 11, subgroupIds: [9] } },
    ])
      .when(decideDeactivateUserGroup, deactivate(), facts)
      .then([deactivated(9)]);
  });

  it('refuses system groups, and users who may not manage the group', () => {
    for (const groupId of [7, 99])
      given(userGroups, [created(9)])
        .when(decideDeactivateUserGroup, deactivate(groupId), facts)
        .thenRefuses('USER_GROUP_NOT_FOUND');
    given(userGroups, [created(9), deactivated(9)])
      .when(decideDeactivateUserGroup, deactivate(), { ...facts, mayManage: false })
      .thenRefuses('NOT_AUTHORIZED');
  });
});

it('an event about a group that does not exist changes nothing', () => {
  const { state } = given(userGroups, [created(9)]);
  expect(userGroups.evolve(state, deactivated(99))).toBe(state);
});
