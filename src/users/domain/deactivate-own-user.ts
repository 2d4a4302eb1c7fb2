import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { deactivated } from './deactivate-user.js';
import type { UserDeactivated } from './users.events.js';
import { isOnlyOwner, type UsersState } from './users.state.js';

/** Of whoever asks. */
export class DeactivateOwnUser {
  constructor(
    readonly userId: number,
    readonly by: CommandContext,
  ) {}
}

export const decideDeactivateOwnUser: Decide<DeactivateOwnUser, UsersState, UserDeactivated> = ({ userId }, state) => {
  const user = state.byId.get(userId) ?? refuse('USER_NOT_FOUND');
  if (user.bot) refuse('BOTS_NOT_ALLOWED');
  if (user.status === 'deactivated') return [];
  const others = state.byId.some((other, id) => id !== userId && other.bot === null && other.status === 'active');
  if (!others) refuse('CANNOT_DEACTIVATE_LAST_USER', { is_last_owner: false, entity: 'user' });
  if (isOnlyOwner(state, userId))
    refuse('CANNOT_DEACTIVATE_LAST_USER', { is_last_owner: true, entity: 'organization owner' });
  return deactivated(userId, state, null);
};
