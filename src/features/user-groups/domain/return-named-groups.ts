import type { UserGroupReactivated } from '../../../events/user-groups/user-groups.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import type { UserGroupsState } from './user-groups.state.js';

/**
 * Reactivates groups that a permission names. Permissions of channels and of the organization are in other streams, so a
 * permission may name a group at the same moment at which the group is deactivated.
 */
export class ReturnNamedGroups extends Command<void> {
  constructor(
    readonly groupIds: readonly number[],
    readonly by: CommandContext,
  ) {
    super();
  }
}

export const decideReturnNamedGroups: Decide<ReturnNamedGroups, UserGroupsState, UserGroupReactivated> = (
  { groupIds },
  state,
) =>
  groupIds
    .filter((groupId) => state.byId.get(groupId)?.status === 'deactivated')
    .map((groupId) => ({ type: 'UserGroupReactivated', data: { groupId } }));
