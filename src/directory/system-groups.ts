import { ROLES } from '../kernel/role.js';
import type { Directory } from './directory.js';
import type { UserRecord } from './directory.records.js';

/** The groups that follow from roles. Their ids are the same in every organisation; groups that people make come after. */
export const SYSTEM_GROUP_IDS = {
  internet: 1,
  everyone: 2,
  members: 3,
  fullMembers: 4,
  moderators: 5,
  administrators: 6,
  owners: 7,
  nobody: 8,
} as const;

/** api-coverage §1.1, group settings: who may do what is told as the id of a group. */
export type GroupSettingValue = number;

export interface UserGroupForClients {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly is_system_group: boolean;
  readonly creator_id: number | null;
  /** Unix seconds; null where it was not recorded. */
  readonly date_created: number | null;
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
  readonly can_add_members_group: GroupSettingValue;
  readonly can_join_group: GroupSettingValue;
  readonly can_leave_group: GroupSettingValue;
  readonly can_manage_group: GroupSettingValue;
  readonly can_mention_group: GroupSettingValue;
  readonly can_remove_members_group: GroupSettingValue;
  readonly deactivated: boolean;
}

/** Each group holds the users of its own role and, as its subgroup, the next narrower one. */
const definitions: readonly {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly has: (user: UserRecord) => boolean;
  readonly subgroup?: number;
}[] = [
  {
    id: SYSTEM_GROUP_IDS.internet,
    name: 'role:internet',
    description: 'Anyone, logged in or not',
    has: () => false,
    subgroup: SYSTEM_GROUP_IDS.everyone,
  },
  {
    id: SYSTEM_GROUP_IDS.everyone,
    name: 'role:everyone',
    description: 'All accounts of the organization, guests too',
    has: ({ role }) => role === ROLES.guest,
    subgroup: SYSTEM_GROUP_IDS.members,
  },
  {
    id: SYSTEM_GROUP_IDS.members,
    name: 'role:members',
    description: 'All accounts of the organization except guests',
    has: ({ role }) => role === ROLES.member,
    subgroup: SYSTEM_GROUP_IDS.fullMembers,
  },
  {
    // Nobody waits to become a full member while the waiting period is 0 days.
    id: SYSTEM_GROUP_IDS.fullMembers,
    name: 'role:fullmembers',
    description: 'Members whose waiting period is over',
    has: ({ role }) => role === ROLES.member,
    subgroup: SYSTEM_GROUP_IDS.moderators,
  },
  {
    id: SYSTEM_GROUP_IDS.moderators,
    name: 'role:moderators',
    description: 'Moderators, administrators and owners',
    has: ({ role }) => role === ROLES.moderator,
    subgroup: SYSTEM_GROUP_IDS.administrators,
  },
  {
    id: SYSTEM_GROUP_IDS.administrators,
    name: 'role:administrators',
    description: 'Administrators and owners',
    has: ({ role }) => role === ROLES.administrator,
    subgroup: SYSTEM_GROUP_IDS.owners,
  },
  {
    id: SYSTEM_GROUP_IDS.owners,
    name: 'role:owners',
    description: 'Owners of the organization',
    has: ({ role }) => role === ROLES.owner,
  },
  { id: SYSTEM_GROUP_IDS.nobody, name: 'role:nobody', description: 'No account at all', has: () => false },
];

/** By id. `members` are the active users that a group holds directly. */
export function systemGroupsForClients(directory: Directory): UserGroupForClients[] {
  const users = directory.allUsers().filter(({ isActive }) => isActive);
  return definitions.map(({ id, name, description, has, subgroup }) => ({
    id,
    name,
    description,
    is_system_group: true,
    creator_id: null,
    date_created: null,
    members: users.filter(has).map(({ _id }) => _id),
    direct_subgroup_ids: subgroup === undefined ? [] : [subgroup],
    can_add_members_group: SYSTEM_GROUP_IDS.nobody,
    can_join_group: SYSTEM_GROUP_IDS.nobody,
    can_leave_group: SYSTEM_GROUP_IDS.nobody,
    can_manage_group: SYSTEM_GROUP_IDS.nobody,
    can_mention_group: SYSTEM_GROUP_IDS.nobody,
    can_remove_members_group: SYSTEM_GROUP_IDS.nobody,
    deactivated: false,
  }));
}
