import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import type { UserGroupReactivated } from './user-groups.events.js';
import type { UserGroupsState } from './user-groups.state.js';

/**
 * A group that a permission names is in use. Permissions of channels and of the organisation are in other streams: one
 * that was given at the moment at which the group was deactivated brings the group back.
 */
export class ReturnNamedGroups {
  constructor(
    readonly groupIds: readonly number[],
    readonly by: CommandContext,
  ) {}
}

export const decideReturnNamedGroups: Decide<ReturnNamedGroups, UserGroupsState, UserGroupReactivated> = (
  { groupIds },
  state,
) =>
  groupIds
    .filter((groupId) => state.byId.get(groupId)?.status === 'deactivated')
    .map((groupId) => ({ type: 'UserGroupReactivated', data: { groupId } }));
