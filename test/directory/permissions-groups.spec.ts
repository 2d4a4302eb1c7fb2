import { describe, expect, it } from '@jest/globals';
import { isDirectoryEvent } from '../../src/directory/directory.changes.js';
import { Directory } from '../../src/directory/directory.js';
import { type Action, may, type UserGroupAction, why } from '../../src/directory/permissions.js';
import { REALM_PERMISSIONS, type RealmPermission } from '../../src/events/organization/realm.settings.js';
import { awaitedIn } from '../../src/events/shared/awaited-setting.js';
import type { GroupSettingValue } from '../../src/events/shared/group-setting.js';
import { ROLES, type Role } from '../../src/events/shared/role.js';
import { USER_GROUP_PERMISSIONS, type UserGroupPermission } from '../../src/events/user-groups/user-groups.settings.js';
import { groupData, groupPermissions } from '../support/events/events.js';
import { history, type InHistory } from '../support/events/history.js';

const DAY = 86_400_000;
const BEGAN = 1_700_000_000_000;
const NOW = BEGAN + 30 * DAY;

const created = (userId: number, role: Role, daysAgo: number): InHistory => [
  'users',
  {
    type: 'UserCreated',
    data: { userId, email: `u${userId}@x.org`, fullName: `U ${userId}`, role, passwordHash: null, channelIds: [] },
  },
  { at: NOW - daysAgo * DAY },
];
const botCreated = (userId: number): InHistory => [
  'users',
  {
    type: 'BotCreated',
    data: {
      userId,
      email: `b${userId}@x.org`,
      fullName: `B ${userId}`,
      role: ROLES.member,
      botType: 1,
      ownerId: 1,
      keyHash: 'k',
    },
  },
  { at: NOW - 30 * DAY },
];
const ended = (userId: number): InHistory => ['users', { type: 'UserDeactivated', data: { userId, notice: null } }];

/** The users in the order of each row. The waiting period is ten days. The last two accounts are deactivated. */
const OWNER = 1;
const ADMINISTRATOR = 2;
const MODERATOR = 3;
const FULL_MEMBER = 4;
const NEW_MEMBER = 5;
const GUEST = 6;
const BOT = 7;
const GONE_OWNER = 8;
const GONE_MEMBER = 9;
const EVERYBODY = [
  OWNER,
  ADMINISTRATOR,
  MODERATOR,
  FULL_MEMBER,
  NEW_MEMBER,
  GUEST,
  BOT,
  GONE_OWNER,
  GONE_MEMBER,
] as const;

const PEOPLE: readonly InHistory[] = [
  created(OWNER, ROLES.owner, 30),
  created(ADMINISTRATOR, ROLES.administrator, 30),
  // The waiting period applies to the role of members only.
  created(MODERATOR, ROLES.moderator, 1),
  created(FULL_MEMBER, ROLES.member, 10),
  created(NEW_MEMBER, ROLES.member, 9.99),
  created(GUEST, ROLES.guest, 30),
  botCreated(BOT),
  created(GONE_OWNER, ROLES.owner, 30),
  created(GONE_MEMBER, ROLES.member, 30),
  ended(GONE_OWNER),
  ended(GONE_MEMBER),
];

const group = (groupId: number, memberIds: readonly number[], subgroupIds: readonly number[] = []): InHistory => [
  'userGroups',
  { type: 'UserGroupCreated', data: groupData(groupId, { memberIds, subgroupIds }) },
];
/** Groups 20 to 29: each contains the next. The last one contains the new member, a guest, and a deactivated member. */
const DEEP = 20;
const deep: readonly InHistory[] = Array.from({ length: 10 }, (_, index) =>
  index === 0 ? group(29, [NEW_MEMBER, GUEST, GONE_MEMBER]) : group(29 - index, [], [30 - index]),
);
/** The same with the moderators in the last group. */
const DEEP_MODERATORS = 30;
const deepModerators: readonly InHistory[] = Array.from({ length: 10 }, (_, index) =>
  index === 0 ? group(39, [], [5]) : group(39 - index, [], [40 - index]),
);
const WITH_FULL_MEMBERS = 40;
const DEACTIVATED = 41;
const EMPTY = 42;
const LEFT = 43;

const GROUPS: readonly InHistory[] = [
  ...deep,
  ...deepModerators,
  group(WITH_FULL_MEMBERS, [GUEST], [4]),
  group(DEACTIVATED, [MODERATOR]),
  ['userGroups', { type: 'UserGroupDeactivated', data: { groupId: DEACTIVATED } }],
  group(EMPTY, [], []),
  group(LEFT, [MODERATOR, BOT], [5]),
  ['userGroups', { type: 'UserGroupMembersRemoved', data: { groupId: LEFT, userIds: [MODERATOR] } }],
  ['userGroups', { type: 'UserGroupSubgroupsRemoved', data: { groupId: LEFT, subgroupIds: [5] } }],
];

const anonymous = (direct_members: number[], direct_subgroups: number[] = []): GroupSettingValue => ({
  direct_members,
  direct_subgroups,
});

/** The users to whom a permission with the value is given, if guests may have it. */
const TABLE: readonly (readonly [string, GroupSettingValue, string])[] = [
  ['role:internet', 1, 'xxxxxxx--'],
  ['role:everyone', 2, 'xxxxxxx--'],
  ['role:members', 3, 'xxxxx-x--'],
  ['role:fullmembers', 4, 'xxxx--x--'],
  ['role:moderators', 5, 'xxx------'],
  ['role:administrators', 6, 'xx-------'],
  ['role:owners', 7, 'x--------'],
  ['role:nobody', 8, '---------'],
  ['people', anonymous([NEW_MEMBER, GUEST, GONE_OWNER]), '----xx---'],
  ['an empty anonymous group', anonymous([]), '---------'],
  ['a bot', anonymous([BOT]), '------x--'],
  ['people and a system group', anonymous([GUEST], [6]), 'xx---x---'],
  ['two system groups', anonymous([], [7, 4]), 'xxxx--x--'],
  ['people and a group in groups', anonymous([MODERATOR], [DEEP]), '--x-xx---'],
  ['a group nested ten levels deep', DEEP, '----xx---'],
  ['the innermost of the nested groups', 29, '----xx---'],
  ['a system group nested ten levels deep', DEEP_MODERATORS, 'xxx------'],
  ['full members in a group', WITH_FULL_MEMBERS, 'xxxx-xx--'],
  ['an empty group', EMPTY, '---------'],
  ['a group with removed members', LEFT, '------x--'],
  ['a deactivated group, in the permissions of another', DEACTIVATED, '--x------'],
  ['a group that does not exist', 99, '---------'],
];

const without = (userId: number, row: string): string => `${row.slice(0, userId - 1)}-${row.slice(userId)}`;
const withoutGuests = (row: string): string => without(GUEST, row);

/** No bot has these. */
const FOR_PEOPLE: readonly RealmPermission[] = [
  'can_add_custom_emoji_group',
  'can_create_groups',
  'can_invite_users_group',
  'create_multiuse_invite_group',
];

function directoryAfter(...more: readonly InHistory[]): Directory {
  const directory = new Directory(() => NOW);
  const events = history(
    ['organization', { type: 'OrganizationCreated', data: { name: 'Annals' } }],
    ['organization', { type: 'RealmSettingChanged', data: { setting: 'waiting_period_threshold', from: 0, to: 10 } }],
    ...PEOPLE,
    ...GROUPS,
    ...more,
  );
  for (const event of events) if (isDirectoryEvent(event)) directory.apply(event);
  return directory;
}

const rowOf = (directory: Directory, action: Action): string =>
  EVERYBODY.map((userId) => {
    const account = directory.user(userId);
    if (!account) throw new Error(`no user ${userId}`);
    const allowed = may(account, action, directory);
    const explained = why(account, action, directory);
    expect([explained.allowed, explained.checks.at(-1)?.holds]).toEqual([allowed, allowed]);
    return allowed ? 'x' : '-';
  }).join('');

describe('the permissions in the organization', () => {
  const setting = (name: RealmPermission, to: GroupSettingValue): InHistory => [
    'organization',
    { type: 'RealmSettingChanged', data: { setting: name, from: 8, to } },
  ];

  const awaited = awaitedIn(REALM_PERMISSIONS);
  const built = (Object.keys(REALM_PERMISSIONS) as RealmPermission[]).filter((name) => !awaited.includes(name));

  it.each(awaited)('%s is nobody’s while its feature is not built, whatever an older log says', (name) => {
    for (const [, value] of TABLE) expect(rowOf(directoryAfter(setting(name, value)), name)).toBe('---------');
  });

  it('can_audit_group is always the owners’, too', () => {
    for (const [what, value, members] of TABLE) {
      const row = rowOf(directoryAfter(setting('can_audit_group', value)), 'can_audit_group');
      expect([what, row]).toEqual([what, `x${withoutGuests(members).slice(1)}`]);
    }
  });

  it.each(built.filter((name) => name !== 'can_audit_group'))('%s', (name) => {
    const { allowEveryone } = REALM_PERMISSIONS[name];
    for (const [what, value, members] of TABLE) {
      const row = rowOf(directoryAfter(setting(name, value)), name);
      const held = FOR_PEOPLE.includes(name) ? without(BOT, members) : members;
      expect([what, row]).toEqual([what, allowEveryone ? held : withoutGuests(held)]);
    }
  });

  it('are given by role or granted to an account, for actions without a group', () => {
    const granted: InHistory[] = [MODERATOR, GONE_OWNER].map((userId) => [
      'users',
      { type: 'PermissionGranted', data: { userId, permission: 'can_create_users' } },
    ]);
    const directory = directoryAfter(...granted);
    expect({
      own: rowOf(directory, 'own'),
      administer: rowOf(directory, 'administer'),
      create: rowOf(directory, 'can_create_users'),
      email: rowOf(directory, 'can_change_user_emails'),
    }).toEqual({ own: 'x--------', administer: 'xx-------', create: '--x------', email: '---------' });
  });

  it('include everything for the server itself', () => {
    const directory = directoryAfter(setting('can_create_groups', 8));
    for (const action of ['can_create_groups', 'own', 'administer', 'can_create_users'] as const)
      expect(may(null, action, directory)).toBe(true);
  });

  it('change with roles, accounts, and the members and subgroups of groups', () => {
    const changes: InHistory[] = [
      setting('can_create_groups', DEEP),
      ['users', { type: 'UserRoleChanged', data: { userId: GUEST, from: ROLES.guest, to: ROLES.member } }],
      ['users', { type: 'UserReactivated', data: { userId: GONE_MEMBER } }],
      ['userGroups', { type: 'UserGroupMembersRemoved', data: { groupId: 29, userIds: [NEW_MEMBER] } }],
      ['userGroups', { type: 'UserGroupSubgroupsAdded', data: { groupId: 25, subgroupIds: [DEEP_MODERATORS] } }],
      ['userGroups', { type: 'UserGroupSubgroupsRemoved', data: { groupId: DEEP, subgroupIds: [21] } }],
    ];
    const rows = changes.map((_, index) => rowOf(directoryAfter(...changes.slice(0, index + 1)), 'can_create_groups'));
    expect(rows).toEqual(['----x----', '----xx---', '----xx--x', '-----x--x', 'xxx--x--x', '---------']);
  });
});

describe('the permissions on a user group', () => {
  const NONE = Object.fromEntries(Object.keys(USER_GROUP_PERMISSIONS).map((name) => [name, 8]));
  const ID = 90;

  function rowsWith(
    given: Partial<Record<UserGroupPermission, GroupSettingValue>>,
    all: GroupSettingValue = 8,
    ...more: InHistory[]
  ): Record<UserGroupAction, string> {
    const directory = directoryAfter(
      ['organization', { type: 'RealmSettingChanged', data: { setting: 'can_manage_all_groups', from: 7, to: all } }],
      [
        'userGroups',
        { type: 'UserGroupCreated', data: groupData(ID, { permissions: groupPermissions({ ...NONE, ...given }) }) },
      ],
      ...more,
    );
    const record = directory.groups.group(ID);
    if (!record) throw new Error('no such group');
    const row = (to: UserGroupAction): string => rowOf(directory, { group: record, to });
    return {
      manage: row('manage'),
      can_manage_group: row('can_manage_group'),
      'add members': row('add members'),
      can_add_members_group: row('can_add_members_group'),
      'remove members': row('remove members'),
      can_remove_members_group: row('can_remove_members_group'),
      join: row('join'),
      can_join_group: row('can_join_group'),
      leave: row('leave'),
      can_leave_group: row('can_leave_group'),
      can_mention_group: row('can_mention_group'),
    };
  }

  const NOBODY = '---------';
  const nobody = rowsWith({});

  it('are given to no user by default', () => {
    expect(new Set(Object.values(nobody))).toEqual(new Set([NOBODY]));
  });

  it.each(TABLE)('to manage the group include all others except to mention it: %s', (_, value, members) => {
    const row = withoutGuests(members);
    const everything = Object.fromEntries(Object.keys(nobody).map((action) => [action, row]));
    expect(rowsWith({ can_manage_group: value })).toEqual({ ...everything, can_mention_group: NOBODY });
    expect(rowsWith({}, value)).toEqual({ ...everything, can_mention_group: NOBODY });
  });

  it.each(TABLE)('to add members include to join: %s', (_, value, members) => {
    const row = withoutGuests(members);
    const also = { 'add members': row, can_add_members_group: row, join: row, can_join_group: row };
    expect(rowsWith({ can_add_members_group: value })).toEqual({ ...nobody, ...also });
  });

  it.each(TABLE)('to remove members include to leave: %s', (_, value, members) => {
    const row = withoutGuests(members);
    const also = { 'remove members': row, can_remove_members_group: row, leave: row, can_leave_group: row };
    expect(rowsWith({ can_remove_members_group: value })).toEqual({ ...nobody, ...also });
  });

  it.each(TABLE)('to join, to leave and to mention include no others, the last two also for guests: %s', (...row) => {
    const [, value, members] = row;
    const joins = withoutGuests(members);
    expect(rowsWith({ can_join_group: value })).toEqual({ ...nobody, join: joins, can_join_group: joins });
    expect(rowsWith({ can_leave_group: value })).toEqual({ ...nobody, leave: members, can_leave_group: members });
    expect(rowsWith({ can_mention_group: value })).toEqual({ ...nobody, can_mention_group: members });
  });

  it('of a deactivated group stay, except to mention it', () => {
    const given = { can_manage_group: 5, can_mention_group: 2 };
    const deactivated: InHistory = ['userGroups', { type: 'UserGroupDeactivated', data: { groupId: ID } }];
    expect(rowsWith(given, 8, deactivated)).toEqual({ ...rowsWith(given), can_mention_group: NOBODY });
  });
});
