import type { Directory } from '../../../directory/directory.js';
import type { UserGroupRecord, UserRecord } from '../../../directory/directory.records.js';
import { permissionsForClients } from '../../../directory/permissions-for-clients.js';
import {
  type GroupSettingValue,
  SYSTEM_GROUP_IDS,
  type SystemGroupName,
} from '../../../events/shared/group-setting.js';
import { ROLES } from '../../../events/shared/role.js';
import { eachOf } from '../../../events/shared/settings.js';
import { USER_GROUP_PERMISSIONS, type UserGroupPermissions } from '../../../events/user-groups/user-groups.settings.js';
import { anonymousGroupId } from '../domain/user-groups.state.js';

/** A user group as `GET /user_groups` lists it. */
export interface UserGroupForClients extends UserGroupPermissions {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly is_system_group: boolean;
  readonly creator_id: number | null;
  /** Unix seconds; null if it was not recorded. */
  readonly date_created: number | null;
  /** Ids of direct, active members, ascending. */
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly deactivated: boolean;
}

interface SystemGroup {
  readonly name: SystemGroupName;
  readonly description: string;
  /** Direct members. */
  readonly has: (user: UserRecord, isFull: boolean) => boolean;
  readonly subgroup?: SystemGroupName;
}

/**
 * The system groups. The members of each are the users of its own role, and its subgroup is the next narrower group. Full
 * members are direct members of two groups: the end of a waiting period then changes only one group, without an event.
 */
const definitions: readonly SystemGroup[] = [
  { name: 'role:internet', description: 'Anyone, logged in or not', has: () => false, subgroup: 'role:everyone' },
  {
    name: 'role:everyone',
    description: 'All accounts of the organization, guests too',
    has: ({ role }) => role === ROLES.guest,
    subgroup: 'role:members',
  },
  {
    name: 'role:members',
    description: 'All accounts of the organization except guests',
    has: ({ role }) => role === ROLES.member,
    subgroup: 'role:fullmembers',
  },
  {
    name: 'role:fullmembers',
    description: 'Members whose waiting period is over',
    has: ({ role }, isFull) => role === ROLES.member && isFull,
    subgroup: 'role:moderators',
  },
  {
    name: 'role:moderators',
    description: 'Moderators, administrators and owners',
    has: ({ role }) => role === ROLES.moderator,
    subgroup: 'role:administrators',
  },
  {
    name: 'role:administrators',
    description: 'Administrators and owners',
    has: ({ role }) => role === ROLES.administrator,
    subgroup: 'role:owners',
  },
  { name: 'role:owners', description: 'Owners of the organization', has: ({ role }) => role === ROLES.owner },
  { name: 'role:nobody', description: 'No account at all', has: () => false },
];

const NOBODY = SYSTEM_GROUP_IDS['role:nobody'];

/** Permissions on system groups: nobody has any. */
const SYSTEM_PERMISSIONS: UserGroupPermissions = eachOf(USER_GROUP_PERMISSIONS, () => NOBODY);

/** Describes all system groups, sorted by id. */
function systemGroupsForClients(directory: Directory): UserGroupForClients[] {
  const members = definitions.map((): number[] => []);
  for (const user of directory.allUsers()) {
    if (!user.isActive) continue;
    const isFull = directory.isFullMember(user);
    for (const [at, { has }] of definitions.entries()) if (has(user, isFull)) members[at]?.push(user._id);
  }
  return definitions.map((definition, at) => systemGroupForClients(definition, members[at] ?? []));
}

function systemGroupForClients(
  { name, description, subgroup }: SystemGroup,
  members: readonly number[],
): UserGroupForClients {
  return {
    id: SYSTEM_GROUP_IDS[name],
    name,
    description,
    is_system_group: true,
    creator_id: null,
    date_created: null,
    members,
    direct_subgroup_ids: subgroup === undefined ? [] : [SYSTEM_GROUP_IDS[subgroup]],
    ...SYSTEM_PERMISSIONS,
    deactivated: false,
  };
}

/** Facts about a group that both a UserGroupRecord and an event have. */
type UserGroupFacts = Pick<
  UserGroupRecord,
  '_id' | 'name' | 'description' | 'creatorId' | 'createdAt' | 'permissions' | 'isDeactivated'
>;

/** Describes a group made by people, as of any time. @param members ids of active users @param subgroups ids, ascending */
export function userGroupFromFacts(
  group: UserGroupFacts,
  members: readonly number[],
  subgroups: readonly number[],
  directory: Directory,
): UserGroupForClients {
  return {
    id: group._id,
    name: group.name,
    description: group.description,
    is_system_group: false,
    creator_id: group.creatorId,
    date_created: Math.floor(group.createdAt / 1000),
    members,
    direct_subgroup_ids: subgroups,
    ...permissionsForClients(group.permissions, directory),
    deactivated: group.isDeactivated,
  };
}

/** Describes a group made by people, as it is now. */
function userGroupForClients(group: UserGroupRecord, directory: Directory): UserGroupForClients {
  const { groups } = directory;
  const members = groups.directMemberIds(group._id).filter((userId) => directory.user(userId)?.isActive);
  return userGroupFromFacts(group, members, groups.directSubgroupIds(group._id), directory);
}

/** Describes all groups, sorted by id. System groups are first. */
export function userGroupsForClients(directory: Directory, includeDeactivated: boolean): UserGroupForClients[] {
  const own = directory.groups.all().filter(({ isDeactivated }) => includeDeactivated || !isDeactivated);
  return [...systemGroupsForClients(directory), ...own.map((group) => userGroupForClients(group, directory))];
}

/** Names the holders of each permission by one id: clients of `GET /user_groups` know no other form. */
export const withGroupIds = (group: UserGroupForClients): UserGroupForClients => ({
  ...group,
  ...eachOf(USER_GROUP_PERMISSIONS, (permission) =>
    typeof group[permission] === 'number' ? group[permission] : anonymousGroupId({ groupId: group.id, permission }),
  ),
});

/** Lists the active members of an existing group, direct or through subgroups; ids ascending. */
export function memberIds(group: GroupSettingValue, directly: boolean, directory: Directory): number[] {
  const isIn = (user: UserRecord): boolean =>
    directly ? isDirectMember(user, group, directory) : directory.isInGroup(user, group);
  return directory.allUsers().flatMap((user) => (isIn(user) ? [user._id] : []));
}

/** Tells whether the account is active and a direct member. */
export function isDirectMember(user: UserRecord, group: GroupSettingValue, directory: Directory): boolean {
  if (!user.isActive) return false;
  if (typeof group !== 'number') return group.direct_members.includes(user._id);
  const definition = definitionOf(group);
  if (definition) return definition.has(user, directory.isFullMember(user));
  return directory.groups.membership(group, user._id)?.intervals.at(-1)?.to === null;
}

const definitionOf = (groupId: number): SystemGroup | undefined =>
  definitions.find(({ name }) => SYSTEM_GROUP_IDS[name] === groupId);

/** Lists the subgroups of an existing group, direct or not; ids ascending. */
export function subgroupIds(group: GroupSettingValue, directly: boolean, directory: Directory): number[] {
  const found = new Set<number>();
  const pending = [group];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const subgroupId of directSubgroupIds(next, directory)) {
      if (found.has(subgroupId)) continue;
      found.add(subgroupId);
      if (!directly) pending.push(subgroupId);
    }
  }
  return [...found].sort((a, b) => a - b);
}

function directSubgroupIds(group: GroupSettingValue, directory: Directory): readonly number[] {
  if (typeof group !== 'number') return group.direct_subgroups;
  const definition = definitionOf(group);
  if (!definition) return directory.groups.directSubgroupIds(group);
  return definition.subgroup === undefined ? [] : [SYSTEM_GROUP_IDS[definition.subgroup]];
}
