import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { subgroupsAdded, subgroupsRemoved, type UpdateSubgroupsFacts } from './update-subgroups.js';
import { type AccountFacts, activeUsers, changeableGroup } from './user-group-rules.js';
import type {
  UserGroupMembersAdded,
  UserGroupMembersRemoved,
  UserGroupSubgroupsAdded,
  UserGroupSubgroupsRemoved,
} from './user-groups.events.js';
import { type UserGroup, type UserGroupsState, userGroups } from './user-groups.state.js';

export interface MemberChanges {
  readonly add: readonly number[];
  readonly remove: readonly number[];
  readonly addSubgroups: readonly number[];
  readonly removeSubgroups: readonly number[];
}

export class UpdateMembers {
  constructor(
    readonly groupId: number,
    readonly changes: MemberChanges,
    readonly by: CommandContext,
  ) {}
}

/** `mayAdd` and `mayRemove` are about anybody, and about groups. */
export interface UpdateMembersFacts extends UpdateSubgroupsFacts, AccountFacts {
  /** Oneself alone. */
  readonly mayJoin: boolean;
  readonly mayLeave: boolean;
}

type Changed = UserGroupMembersAdded | UserGroupMembersRemoved | UserGroupSubgroupsAdded | UserGroupSubgroupsRemoved;

/** In the order of the parameters, each on what the one before leaves. */
export const decideUpdateMembers: Decide<UpdateMembers, UserGroupsState, Changed, UpdateMembersFacts> = (
  { groupId, changes, by },
  before,
  facts,
) => {
  const { add, remove, addSubgroups, removeSubgroups } = changes;
  if (add.length + remove.length + addSubgroups.length + removeSubgroups.length === 0) refuse('NO_MEMBERS_GIVEN');
  changeableGroup(before, groupId);
  const alone = (ids: readonly number[]): boolean => ids.every((id) => id === by.actorId);
  const steps: readonly ((state: UserGroupsState) => readonly Changed[])[] = [
    (state) => membersAdded(changeableGroup(state, groupId), add, alone(add) ? facts.mayJoin : facts.mayAdd, facts),
    (state) =>
      membersRemoved(changeableGroup(state, groupId), remove, alone(remove) ? facts.mayLeave : facts.mayRemove, facts),
    (state) => subgroupsAdded(groupId, addSubgroups, state, facts.mayAdd),
    (state) => subgroupsRemoved(groupId, removeSubgroups, state, facts.mayRemove),
  ];
  const { events } = steps.reduce<{ readonly state: UserGroupsState; readonly events: readonly Changed[] }>(
    ({ state, events }, step) => {
      const more = step(state);
      return { state: more.reduce(userGroups.evolve, state), events: [...events, ...more] };
    },
    { state: before, events: [] },
  );
  return events;
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
