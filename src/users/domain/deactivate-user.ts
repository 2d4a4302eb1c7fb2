import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { UserDeactivated } from './users.events.js';
import { isOnlyOwner, type UsersState } from './users.state.js';

export class DeactivateUser {
  constructor(
    readonly userId: number,
    readonly by: CommandContext,
  ) {}
}

export interface DeactivateUserFacts {
  readonly callerIsAdministrator: boolean;
}

/** api.md, endpoint 13: administrators only, never the only owner. */
export const decideDeactivateUser: Decide<DeactivateUser, UsersState, UserDeactivated, DeactivateUserFacts> = (
  { userId },
  state,
  { callerIsAdministrator },
) => {
  if (!callerIsAdministrator) refuse('ADMINISTRATOR_REQUIRED');
  const user = state.byId.get(userId) ?? refuse('USER_NOT_FOUND');
  if (user.status === 'deactivated') return [];
  if (isOnlyOwner(state, userId)) refuse('ONLY_OWNER');
  return [{ type: 'UserDeactivated', data: { userId, notice: null } }];
};
