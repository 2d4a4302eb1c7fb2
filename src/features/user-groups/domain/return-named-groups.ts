import type { UserGroupReactivated } from '../../../events/user-groups/user-groups.events.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';
import type { UserGroupsState } from './user-groups.state.js';

/**
 * Reactivates groups that a permission names. Permissions of channels and of the organization are in other streams, so a
 * permission may name a group at the same moment at which the group is deactivated.
 */
export class ReturnNamedGroups extends Command<{ groupIds: readonly number[] }> {}

export const decideReturnNamedGroups: Decide<ReturnNamedGroups, UserGroupsState, UserGroupReactivated> = (
  { groupIds },
  state,
) =>
  groupIds
    .filter((groupId) => state.byId.get(groupId)?.status === 'deactivated')
    .map((groupId) => ({ type: 'UserGroupReactivated', data: { groupId } }));
