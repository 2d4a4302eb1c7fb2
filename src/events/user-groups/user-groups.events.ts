import type { DomainEvent } from '../../platform/kernel/event.js';
import { defineEvent } from '../../platform/kernel/event-definition.js';
import { concernsNobody, usersNamedIn } from '../shared/concerned.js';
import type { GroupSettingValue } from '../shared/group-setting.js';
import type { UserGroupPermission, UserGroupPermissions } from './user-groups.settings.js';

export const USER_GROUPS_STREAM = 'userGroups';

/** A group of users is there. */
export type UserGroupCreated = DomainEvent<
  'UserGroupCreated',
  {
    /** Above the ids of the system groups. */
    readonly groupId: number;
    readonly name: string;
    readonly description: string;
    readonly creatorId: number | null;
    readonly memberIds: readonly number[];
    readonly subgroupIds: readonly number[];
    readonly permissions: UserGroupPermissions;
  }
>;

/** A user group has another name. */
export type UserGroupRenamed = DomainEvent<
  'UserGroupRenamed',
  { readonly groupId: number; readonly from: string; readonly to: string }
>;

/** A user group has another description. */
export type UserGroupDescriptionChanged = DomainEvent<
  'UserGroupDescriptionChanged',
  { readonly groupId: number; readonly from: string; readonly to: string }
>;

/** Others may do something with a user group: manage, join, leave or mention it. */
export type UserGroupPermissionChanged = DomainEvent<
  'UserGroupPermissionChanged',
  {
    readonly groupId: number;
    readonly setting: UserGroupPermission;
    readonly from: GroupSettingValue;
    readonly to: GroupSettingValue;
  }
>;

/** A user group can no longer be used. Settings that name it stay. */
export type UserGroupDeactivated = DomainEvent<'UserGroupDeactivated', { readonly groupId: number }>;

/** A deactivated user group can be used again. */
export type UserGroupReactivated = DomainEvent<'UserGroupReactivated', { readonly groupId: number }>;

/** Users are direct members of a user group. */
export type UserGroupMembersAdded = DomainEvent<
  'UserGroupMembersAdded',
  { readonly groupId: number; readonly userIds: readonly number[] }
>;

/** Users are no longer direct members of a user group. */
export type UserGroupMembersRemoved = DomainEvent<
  'UserGroupMembersRemoved',
  { readonly groupId: number; readonly userIds: readonly number[] }
>;

/** The members of other groups are members of a user group. */
export type UserGroupSubgroupsAdded = DomainEvent<
  'UserGroupSubgroupsAdded',
  { readonly groupId: number; readonly subgroupIds: readonly number[] }
>;

/** The members of other groups are no longer members of a user group. */
export type UserGroupSubgroupsRemoved = DomainEvent<
  'UserGroupSubgroupsRemoved',
  { readonly groupId: number; readonly subgroupIds: readonly number[] }
>;

export type UserGroupEvent =
  | UserGroupCreated
  | UserGroupRenamed
  | UserGroupDescriptionChanged
  | UserGroupPermissionChanged
  | UserGroupDeactivated
  | UserGroupReactivated
  | UserGroupMembersAdded
  | UserGroupMembersRemoved
  | UserGroupSubgroupsAdded
  | UserGroupSubgroupsRemoved;

export const userGroupEvents = [
  defineEvent<UserGroupCreated>({
    type: 'UserGroupCreated',
    concerns: ({ data: { creatorId, memberIds, permissions } }) => ({
      userIds: [
        ...(creatorId === null ? [] : [creatorId]),
        ...memberIds,
        ...usersNamedIn(...Object.values(permissions)),
      ],
    }),
  }),
  defineEvent<UserGroupRenamed>({ type: 'UserGroupRenamed', concerns: concernsNobody }),
  defineEvent<UserGroupDescriptionChanged>({ type: 'UserGroupDescriptionChanged', concerns: concernsNobody }),
  defineEvent<UserGroupPermissionChanged>({
    type: 'UserGroupPermissionChanged',
    concerns: ({ data: { from, to } }) => ({ userIds: usersNamedIn(from, to) }),
  }),
  defineEvent<UserGroupDeactivated>({ type: 'UserGroupDeactivated', concerns: concernsNobody }),
  defineEvent<UserGroupReactivated>({ type: 'UserGroupReactivated', concerns: concernsNobody }),
  defineEvent<UserGroupMembersAdded>({
    type: 'UserGroupMembersAdded',
    concerns: ({ data: { userIds } }) => ({ userIds }),
  }),
  defineEvent<UserGroupMembersRemoved>({
    type: 'UserGroupMembersRemoved',
    concerns: ({ data: { userIds } }) => ({ userIds }),
  }),
  defineEvent<UserGroupSubgroupsAdded>({ type: 'UserGroupSubgroupsAdded', concerns: concernsNobody }),
  defineEvent<UserGroupSubgroupsRemoved>({ type: 'UserGroupSubgroupsRemoved', concerns: concernsNobody }),
];
