import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import { LAST_SYSTEM_GROUP_ID } from '../../../events/shared/group-setting.js';
import type { UserGroupCreated, UserGroupEvent } from '../../../events/user-groups/user-groups.events.js';
import type { UserGroupPermissions } from '../../../events/user-groups/user-groups.settings.js';
import type { Decider } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';

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
