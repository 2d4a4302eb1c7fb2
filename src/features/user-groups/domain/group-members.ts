import type {
  UserGroupEvent,
  UserGroupMembersAdded,
  UserGroupMembersRemoved,
  UserGroupSubgroupsAdded,
  UserGroupSubgroupsRemoved,
} from '../../../events/user-groups/user-groups.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import {
  type AccountFacts,
  activeGroups,
  activeUsers,
  changeableGroup,
  holds,
  knownGroups,
  type UserGroup,
  type UserGroupsState,
  userGroups,
} from './user-groups.state.js';

export interface MemberChanges {
  readonly add: readonly number[];
  readonly remove: readonly number[];
  readonly addSubgroups: readonly number[];
  readonly removeSubgroups: readonly number[];
}

export class UpdateMembers extends Command<{ groupId: number; changes: MemberChanges }> {}

/** Rights of the actor. `mayAdd` and `mayRemove` cover all users and groups. */
interface UpdateMembersFacts extends UpdateSubgroupsFacts, AccountFacts {
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

interface JoinGroups {
  readonly groupIds: readonly number[];
  readonly userId: number;
}

/** Makes a new user a member of the groups of the invitation, without those that were deactivated meanwhile. */
export const decideJoinGroups: Decide<JoinGroups, UserGroupsState, UserGroupMembersAdded> = (
  { groupIds, userId },
  { byId },
) =>
  groupIds.flatMap((groupId): UserGroupMembersAdded[] => {
    const group = byId.get(groupId);
    if (group?.status !== 'active' || group.memberIds.has(userId)) return [];
    return [{ type: 'UserGroupMembersAdded', data: { groupId, userIds: [userId] } }];
  });

/** Tells whether two events change the membership of one user in one group. */
export const isOfSameMember = (a: UserGroupEvent, b: UserGroupEvent): boolean =>
  changesMembers(a) &&
  changesMembers(b) &&
  a.data.groupId === b.data.groupId &&
  a.data.userIds.some((userId) => b.data.userIds.includes(userId));

const changesMembers = (
  event: UserGroupEvent,
): event is Extract<UserGroupEvent, { type: 'UserGroupMembersAdded' | 'UserGroupMembersRemoved' }> =>
  event.type === 'UserGroupMembersAdded' || event.type === 'UserGroupMembersRemoved';

/** `POST /user_groups/{user_group_id}/subgroups`. */
export class UpdateSubgroups extends Command<{ groupId: number; add: readonly number[]; remove: readonly number[] }> {}

interface UpdateSubgroupsFacts {
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
function subgroupsAdded(
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

function subgroupsRemoved(
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
