import type {
  UserGroupMembersAdded,
  UserGroupMembersRemoved,
  UserGroupSubgroupsAdded,
  UserGroupSubgroupsRemoved,
} from '../../../events/user-groups/user-groups.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { subgroupsAdded, subgroupsRemoved, type UpdateSubgroupsFacts } from './update-subgroups.js';
import { type AccountFacts, activeUsers, changeableGroup } from './user-group-rules.js';
import { type UserGroup, type UserGroupsState, userGroups } from './user-groups.state.js';

export interface MemberChanges {
  readonly add: readonly number[];
  readonly remove: readonly number[];
  readonly addSubgroups: readonly number[];
  readonly removeSubgroups: readonly number[];
}

export class UpdateMembers extends Command<{ groupId: number; changes: MemberChanges }> {}

/** Rights of the actor. `mayAdd` and `mayRemove` cover all users and groups. */
export interface UpdateMembersFacts extends UpdateSubgroupsFacts, AccountFacts {
  /** `mayJoin` and `mayLeave` cover only the actor. */
  readonly mayJoin: boolean;
  readonly mayLeave: boolean;
}

type Changed = UserGroupMembersAdded | UserGroupMembersRemoved | UserGroupSubgroupsAdded | UserGroupSubgroupsRemoved;

/** Decides in the order of the parameters: the same request can add and then remove a member or a subgroup. */
export const decideUpdateMembers: Decide<UpdateMembers, UserGroupsState, Changed, UpdateMembersFacts> = (
  { groupId, changes, by },
  state,
  facts,
) => {
  const { add, remove, addSubgroups, removeSubgroups } = changes;
  if (add.length + remove.length + addSubgroups.length + removeSubgroups.length === 0) refuse('NO_MEMBERS_GIVEN');
  const group = changeableGroup(state, groupId);
  const alone = (ids: readonly number[]): boolean => ids.every((id) => id === by.actorId);
  const added = membersAdded(group, add, alone(add) ? facts.mayJoin : facts.mayAdd, facts);
  const then = changeableGroup(added.reduce(userGroups.evolve, state), groupId);
  const removed = membersRemoved(then, remove, alone(remove) ? facts.mayLeave : facts.mayRemove, facts);
  const taken = subgroupsAdded(groupId, addSubgroups, state, facts.mayAdd);
  const left = subgroupsRemoved(groupId, removeSubgroups, taken.reduce(userGroups.evolve, state), facts.mayRemove);
  return [...added, ...removed, ...taken, ...left];
};

function membersAdded(
  group: UserGroup,
  ids: readonly number[],
  mayAdd: boolean,
  facts: AccountFacts,
): readonly UserGroupMembersAdded[] {
  if (ids.length === 0) return [];
  if (!mayAdd) refuse('NOT_AUTHORIZED');
  const userIds = activeUsers(ids, facts);
  const present = userIds.find((id) => group.memberIds.has(id));
  if (present !== undefined) refuse('ALREADY_GROUP_MEMBER', { userId: present });
  return [{ type: 'UserGroupMembersAdded', data: { groupId: group.id, userIds } }];
}

function membersRemoved(
  group: UserGroup,
  ids: readonly number[],
  mayRemove: boolean,
  facts: AccountFacts,
): readonly UserGroupMembersRemoved[] {
  if (ids.length === 0) return [];
  if (!mayRemove) refuse('NOT_AUTHORIZED');
  const userIds = activeUsers(ids, facts);
  const absent = userIds.find((id) => !group.memberIds.has(id));
  if (absent !== undefined) refuse('NOT_A_GROUP_MEMBER', { userId: absent });
  return [{ type: 'UserGroupMembersRemoved', data: { groupId: group.id, userIds } }];
}
