import type {
  UserGroupSubgroupsAdded,
  UserGroupSubgroupsRemoved,
} from '../../../events/user-groups/user-groups.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { activeGroups, changeableGroup, knownGroups } from './user-group-rules.js';
import { holds, type UserGroupsState, userGroups } from './user-groups.state.js';

/** `POST /user_groups/{user_group_id}/subgroups`. */
export class UpdateSubgroups extends Command<{ groupId: number; add: readonly number[]; remove: readonly number[] }> {}

export interface UpdateSubgroupsFacts {
  readonly mayAdd: boolean;
  readonly mayRemove: boolean;
}

export const decideUpdateSubgroups: Decide<
  UpdateSubgroups,
  UserGroupsState,
  UserGroupSubgroupsAdded | UserGroupSubgroupsRemoved,
  UpdateSubgroupsFacts
> = ({ groupId, add, remove }, state, facts) => {
  if (add.length + remove.length === 0) refuse('NO_SUBGROUPS_GIVEN');
  changeableGroup(state, groupId);
  const added = subgroupsAdded(groupId, add, state, facts.mayAdd);
  return [...added, ...subgroupsRemoved(groupId, remove, added.reduce(userGroups.evolve, state), facts.mayRemove)];
};

/** Refuses a cycle of groups. All groups are in one stream, so two commands together cannot close a cycle. */
export function subgroupsAdded(
  groupId: number,
  ids: readonly number[],
  state: UserGroupsState,
  mayAdd: boolean,
): readonly UserGroupSubgroupsAdded[] {
  if (ids.length === 0) return [];
  if (!mayAdd) refuse('NOT_AUTHORIZED');
  const group = changeableGroup(state, groupId);
  const subgroupIds = activeGroups(ids, state);
  const present = subgroupIds.find((id) => group.subgroupIds.has(id));
  if (present !== undefined) refuse('ALREADY_SUBGROUP', { groupId: present });
  const closing = subgroupIds.find((id) => holds(state, id, groupId));
  if (closing !== undefined) refuse('SUBGROUP_CYCLE', { groupId, subgroupId: closing });
  return [{ type: 'UserGroupSubgroupsAdded', data: { groupId, subgroupIds } }];
}

export function subgroupsRemoved(
  groupId: number,
  ids: readonly number[],
  state: UserGroupsState,
  mayRemove: boolean,
): readonly UserGroupSubgroupsRemoved[] {
  if (ids.length === 0) return [];
  if (!mayRemove) refuse('NOT_AUTHORIZED');
  const group = changeableGroup(state, groupId);
  const subgroupIds = knownGroups(ids, state);
  const absent = subgroupIds.find((id) => !group.subgroupIds.has(id));
  if (absent !== undefined) refuse('NOT_A_SUBGROUP', { groupId: absent });
  return [{ type: 'UserGroupSubgroupsRemoved', data: { groupId, subgroupIds } }];
}
