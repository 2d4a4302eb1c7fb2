import type { UserGroupEvent, UserGroupMembersAdded } from '../../../events/user-groups/user-groups.events.js';
import type { Decide } from '../../../platform/kernel/deciding.js';
import type { UserGroupsState } from './user-groups.state.js';

export interface JoinGroups {
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
