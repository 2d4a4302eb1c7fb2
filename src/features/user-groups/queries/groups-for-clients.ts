import type { Directory } from '../../../directory/directory.js';
import type { UserGroupRecord, UserRecord } from '../../../directory/directory.records.js';
import { permissionsForClients } from '../../../directory/permissions-for-clients.js';
import { SYSTEM_GROUP_IDS, type SystemGroupName } from '../../../events/shared/group-setting.js';
import { ROLES } from '../../../events/shared/role.js';
import { eachOf } from '../../../events/shared/settings.js';
import { USER_GROUP_PERMISSIONS, type UserGroupPermissions } from '../../../events/user-groups/user-groups.settings.js';

/** A user group as `GET /user_groups` lists it. */
export interface UserGroupForClients extends UserGroupPermissions {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly is_system_group: boolean;
  readonly creator_id: number | null;
  /** Unix seconds; null where it was not recorded. */
  readonly date_created: number | null;
  /** Direct, active members, by id. */
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly deactivated: boolean;
}

interface SystemGroup {
  readonly name: SystemGroupName;
  readonly description: string;
  /** The users whom the group holds directly. */
  readonly has: (user: UserRecord, isFull: boolean) => boolean;
  readonly subgroup?: SystemGroupName;
}

/**
 * Each group holds the users of its own role and, as its subgroup, the next narrower one. Full members are members too:
 * the end of a waiting period changes one group, and nothing has happened that clients could be told.
 */
const definitions: readonly SystemGroup[] = [
  {
    name: 'role:internet',
    description: 'Anyone, logged in or not',
    has: () => false,
    subgroup: 'role:everyone',
  },
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

/** Nobody can do anything to a system group: it follows from roles. */
const SYSTEM_PERMISSIONS: UserGroupPermissions = eachOf(USER_GROUP_PERMISSIONS, () => NOBODY);

/** By id. */
export function systemGroupsForClients(directory: Directory): UserGroupForClients[] {
  const users = directory.allUsers().filter(({ isActive }) => isActive);
  return definitions.map((definition) => systemGroupForClients(definition, users, directory));
}

function systemGroupForClients(
  { name, description, has, subgroup }: SystemGroup,
  activeUsers: readonly UserRecord[],
  directory: Directory,
): UserGroupForClients {
  return {
    id: SYSTEM_GROUP_IDS[name],
    name,
    description,
    is_system_group: true,
    creator_id: null,
    date_created: null,
    members: activeUsers.filter((user) => has(user, directory.isFullMember(user))).map(({ _id }) => _id),
    direct_subgroup_ids: subgroup === undefined ? [] : [SYSTEM_GROUP_IDS[subgroup]],
    ...SYSTEM_PERMISSIONS,
    deactivated: false,
  };
}

/** What a group's creation and its later changes fix: a UserGroupRecord has it, and so has an event. */
export type UserGroupFacts = Pick<
  UserGroupRecord,
  '_id' | 'name' | 'description' | 'creatorId' | 'createdAt' | 'permissions' | 'isDeactivated'
>;

/** A group that people have made, as of any moment. @param members ids of active users @param subgroups ids; ascending */
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

/** A group that people have made, as it is now. */
export function userGroupForClients(group: UserGroupRecord, directory: Directory): UserGroupForClients {
  const { groups } = directory;
  const members = groups.directMemberIds(group._id).filter((userId) => directory.user(userId)?.isActive);
  return userGroupFromFacts(group, members, groups.directSubgroupIds(group._id), directory);
}

/** System groups first; by id. */
export function userGroupsForClients(directory: Directory, includeDeactivated: boolean): UserGroupForClients[] {
  const own = directory.groups.all().filter(({ isDeactivated }) => includeDeactivated || !isDeactivated);
  return [...systemGroupsForClients(directory), ...own.map((group) => userGroupForClients(group, directory))];
}

/** Active users whom a group that exists holds itself, or through any number of groups; ids ascending. */
export function memberIds(groupId: number, directly: boolean, directory: Directory): number[] {
  const isIn = (user: UserRecord): boolean =>
    directly ? isDirectMember(user, groupId, directory) : directory.isInGroup(user, groupId);
  return directory.allUsers().flatMap((user) => (isIn(user) ? [user._id] : []));
}

/** Whether the account is active, and the group holds it itself. */
export function isDirectMember(user: UserRecord, groupId: number, directory: Directory): boolean {
  if (!user.isActive) return false;
  const definition = definitionOf(groupId);
  if (definition) return definition.has(user, directory.isFullMember(user));
  return directory.groups.membership(groupId, user._id)?.intervals.at(-1)?.to === null;
}

const definitionOf = (groupId: number): SystemGroup | undefined =>
  definitions.find(({ name }) => SYSTEM_GROUP_IDS[name] === groupId);

/** Groups that a group that exists holds itself, or through any number of groups; ids ascending. */
export function subgroupIds(groupId: number, directly: boolean, directory: Directory): number[] {
  const found = new Set<number>();
  const pending = [groupId];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const subgroupId of directSubgroupIds(id, directory)) {
      if (found.has(subgroupId)) continue;
      found.add(subgroupId);
      if (!directly) pending.push(subgroupId);
    }
  }
  return [...found].sort((a, b) => a - b);
}

function directSubgroupIds(groupId: number, directory: Directory): readonly number[] {
  const definition = definitionOf(groupId);
  if (!definition) return directory.groups.directSubgroupIds(groupId);
  return definition.subgroup === undefined ? [] : [SYSTEM_GROUP_IDS[definition.subgroup]];
}
