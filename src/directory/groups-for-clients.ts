import { type GroupSettingValue, SYSTEM_GROUP_IDS, type SystemGroupName } from '../kernel/group-setting.js';
import { ROLES } from '../kernel/role.js';
import type { UserGroupPermissions } from '../user-groups/domain/user-groups.settings.js';
import type { Directory } from './directory.js';
import type { UserGroupRecord, UserRecord } from './directory.records.js';
import { toldSettings } from './told-settings.js';

/** api.md, User group; api-coverage §1.2, 20. */
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

/** Each group holds the users of its own role and, as its subgroup, the next narrower one. */
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
    has: ({ role }, isFull) => role === ROLES.member && !isFull,
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
const SYSTEM_PERMISSIONS: Readonly<Record<keyof UserGroupPermissions, GroupSettingValue>> = {
  can_add_members_group: NOBODY,
  can_join_group: NOBODY,
  can_leave_group: NOBODY,
  can_manage_group: NOBODY,
  can_mention_group: NOBODY,
  can_remove_members_group: NOBODY,
};

/** By id. */
export function systemGroupsForClients(directory: Directory): UserGroupForClients[] {
  const users = directory.allUsers().filter(({ isActive }) => isActive);
  return definitions.map(({ name, description, has, subgroup }) => ({
    id: SYSTEM_GROUP_IDS[name],
    name,
    description,
    is_system_group: true,
    creator_id: null,
    date_created: null,
    members: users.filter((user) => has(user, directory.isFullMember(user))).map(({ _id }) => _id),
    direct_subgroup_ids: subgroup === undefined ? [] : [SYSTEM_GROUP_IDS[subgroup]],
    ...SYSTEM_PERMISSIONS,
    deactivated: false,
  }));
}

/** A group that people have made, as it is now. */
export function userGroupForClients(group: UserGroupRecord, directory: Directory): UserGroupForClients {
  return {
    id: group._id,
    name: group.name,
    description: group.description,
    is_system_group: false,
    creator_id: group.creatorId,
    date_created: Math.floor(group.createdAt / 1000),
    members: directory.groups.directMemberIds(group._id).filter((userId) => directory.user(userId)?.isActive),
    direct_subgroup_ids: directory.groups.directSubgroupIds(group._id),
    ...toldSettings(group.permissions, directory),
    deactivated: group.isDeactivated,
  };
}

/** System groups first; by id. */
export function userGroupsForClients(directory: Directory, includeDeactivated: boolean): UserGroupForClients[] {
  const own = directory.groups.all().filter(({ isDeactivated }) => includeDeactivated || !isDeactivated);
  return [...systemGroupsForClients(directory), ...own.map((group) => userGroupForClients(group, directory))];
}
