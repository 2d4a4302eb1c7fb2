import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import { distinct, isSystemGroupId, LAST_SYSTEM_GROUP_ID } from '../../../events/shared/group-setting.js';
import type { GroupFacts } from '../../../events/shared/group-setting-rules.js';
import type { UserGroupCreated, UserGroupEvent } from '../../../events/user-groups/user-groups.events.js';
import {
  MAX_GROUP_DESCRIPTION,
  MAX_GROUP_NAME,
  USER_GROUP_PERMISSIONS,
  type UserGroupPermission,
  type UserGroupPermissions,
} from '../../../events/user-groups/user-groups.settings.js';
import { type Decider, refuse } from '../../../platform/kernel/deciding.js';
import { foldCase, isBlank } from '../../../platform/kernel/text.js';

/** A group made by people. */
export interface UserGroup {
  readonly id: number;
  readonly status: 'active' | 'deactivated';
  readonly name: string;
  readonly description: string;
  readonly permissions: UserGroupPermissions;
  /** Includes deactivated users: they are members again once they are reactivated. */
  readonly memberIds: PersistentSet<number>;
  /** Direct subgroups, system groups included. */
  readonly subgroupIds: PersistentSet<number>;
}

export interface UserGroupsState {
  readonly byId: PersistentMap<number, UserGroup>;
  /** Folded name → group id; deactivated groups keep their names. */
  readonly idByName: PersistentMap<string, number>;
  readonly lastId: number;
}

export const userGroups: Decider<UserGroupsState, UserGroupEvent> = {
  initialState: { byId: PersistentMap(), idByName: PersistentMap(), lastId: LAST_SYSTEM_GROUP_ID },
  evolve: (state, event) => {
    switch (event.type) {
      case 'UserGroupCreated':
        return created(state, event.data);
      case 'UserGroupRenamed': {
        const { groupId, from, to } = event.data;
        const idByName = state.idByName.delete(foldCase(from)).set(foldCase(to), groupId);
        return { ...altered(state, groupId, () => ({ name: to })), idByName };
      }
      case 'UserGroupDescriptionChanged':
        return altered(state, event.data.groupId, () => ({ description: event.data.to }));
      case 'UserGroupPermissionChanged': {
        const { groupId, setting, to } = event.data;
        return altered(state, groupId, ({ permissions }) => ({ permissions: { ...permissions, [setting]: to } }));
      }
      case 'UserGroupDeactivated':
        return altered(state, event.data.groupId, () => ({ status: 'deactivated' }));
      case 'UserGroupReactivated':
        return altered(state, event.data.groupId, () => ({ status: 'active' }));
      case 'UserGroupMembersAdded': {
        const { groupId, userIds } = event.data;
        return altered(state, groupId, ({ memberIds }) => ({ memberIds: memberIds.union(userIds) }));
      }
      case 'UserGroupMembersRemoved': {
        const { groupId, userIds } = event.data;
        return altered(state, groupId, ({ memberIds }) => ({ memberIds: memberIds.subtract(userIds) }));
      }
      case 'UserGroupSubgroupsAdded': {
        const { groupId, subgroupIds: ids } = event.data;
        return altered(state, groupId, ({ subgroupIds }) => ({ subgroupIds: subgroupIds.union(ids) }));
      }
      case 'UserGroupSubgroupsRemoved': {
        const { groupId, subgroupIds: ids } = event.data;
        return altered(state, groupId, ({ subgroupIds }) => ({ subgroupIds: subgroupIds.subtract(ids) }));
      }
      default:
        event satisfies never;
        return state;
    }
  },
};

function created(state: UserGroupsState, data: UserGroupCreated['data']): UserGroupsState {
  const { groupId: id, name, description, permissions, memberIds, subgroupIds } = data;
  const group: UserGroup = {
    id,
    status: 'active',
    name,
    description,
    permissions,
    memberIds: PersistentSet(memberIds),
    subgroupIds: PersistentSet(subgroupIds),
  };
  return {
    byId: state.byId.set(id, group),
    idByName: state.idByName.set(foldCase(name), id),
    lastId: Math.max(state.lastId, id),
  };
}

function altered(
  state: UserGroupsState,
  groupId: number,
  change: (before: UserGroup) => Partial<UserGroup>,
): UserGroupsState {
  const before = state.byId.get(groupId);
  if (!before) return state;
  return { ...state, byId: state.byId.set(groupId, { ...before, ...change(before) }) };
}

/** Tells whether a group contains another, directly or through subgroups. A group contains itself. */
export function holds(state: UserGroupsState, groupId: number, otherId: number): boolean {
  const seen = new Set<number>();
  const pending = [groupId];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (id === otherId) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    pending.push(...(state.byId.get(id)?.subgroupIds ?? []));
  }
  return false;
}

/** Reserved beginnings of names: for mentions, links and system groups. */
const RESERVED_BEGINNINGS = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const;

/** Facts about accounts for decisions about groups (D4). */
export interface AccountFacts {
  /** Tells whether the account exists and is active. */
  readonly isActiveUser: (id: number) => boolean;
}

/** Finds a group made by people. System groups follow from roles and are never changed. */
export const changeableGroup = (state: UserGroupsState, groupId: number): UserGroup =>
  state.byId.get(groupId) ?? refuse('USER_GROUP_NOT_FOUND');

/** Trims and checks a name. Names are unique in any case; deactivated groups keep theirs. @param ownId group of the name */
export function usableName(name: string, state: UserGroupsState, ownId: number): string {
  const usable = name.trim();
  if (isBlank(usable)) refuse('USER_GROUP_NAME_EMPTY');
  if ([...usable].length > MAX_GROUP_NAME) refuse('USER_GROUP_NAME_TOO_LONG', { limit: MAX_GROUP_NAME });
  if (/\p{Cc}|\p{Cn}/u.test(usable)) refuse('USER_GROUP_NAME_INVALID');
  const beginning = RESERVED_BEGINNINGS.find((reserved) => foldCase(usable).startsWith(reserved));
  if (beginning !== undefined) refuse('USER_GROUP_NAME_RESERVED', { beginning });
  const takenBy = state.idByName.get(foldCase(usable));
  if (takenBy !== undefined && takenBy !== ownId) refuse('USER_GROUP_NAME_TAKEN', { name: usable });
  return usable;
}

export function usableDescription(description: string): string {
  if ([...description].length > MAX_GROUP_DESCRIPTION)
    refuse('USER_GROUP_DESCRIPTION_TOO_LONG', { limit: MAX_GROUP_DESCRIPTION });
  return description;
}

export function activeUsers(ids: readonly number[], { isActiveUser }: AccountFacts): number[] {
  const unknown = ids.find((id) => !isActiveUser(id));
  if (unknown !== undefined) refuse('GROUP_MEMBER_UNKNOWN', { userId: unknown });
  return distinct(ids);
}

/** Checks that groups exist. */
export function knownGroups(ids: readonly number[], state: UserGroupsState): number[] {
  const unknown = ids.find((id) => !isSystemGroupId(id) && !state.byId.has(id));
  if (unknown !== undefined) refuse('SUBGROUP_UNKNOWN', { groupId: unknown });
  return distinct(ids);
}

/** Checks that groups exist and are not deactivated. */
export function activeGroups(ids: readonly number[], state: UserGroupsState): number[] {
  const known = knownGroups(ids, state);
  if (known.some((id) => state.byId.get(id)?.status === 'deactivated')) refuse('USER_GROUP_DEACTIVATED');
  return known;
}

/** Gives facts about groups that permissions name. The groups are in the same stream, so the facts hold at the append. */
export const settingFacts = (state: UserGroupsState, { isActiveUser }: AccountFacts): GroupFacts => ({
  group: (id) => state.byId.get(id)?.status ?? 'unknown',
  isActiveUser,
});

/** Above the ids of all groups that people make, and below 2^31, which some clients cannot count beyond. */
const FIRST_ID = 2 ** 30;

/** Ids kept for one group, so that more permissions can come. */
const IDS_A_GROUP = 16;

const PERMISSIONS = Object.keys(USER_GROUP_PERMISSIONS) as UserGroupPermission[];

/** The holders of one permission on a group, where these are no group of their own. */
interface AnonymousGroupName {
  readonly groupId: number;
  readonly permission: UserGroupPermission;
}

/** Gives the id under which `GET /user_groups` knows the anonymous group. */
export const anonymousGroupId = ({ groupId, permission }: AnonymousGroupName): number =>
  FIRST_ID + groupId * IDS_A_GROUP + PERMISSIONS.indexOf(permission);

/** Gives null for an id that no anonymous group can have. */
export function anonymousGroupName(id: number): AnonymousGroupName | null {
  const permission = PERMISSIONS[(id - FIRST_ID) % IDS_A_GROUP];
  if (id < FIRST_ID || permission === undefined) return null;
  return { groupId: Math.floor((id - FIRST_ID) / IDS_A_GROUP), permission };
}
