import type { AccountLinkEnded } from '../../../events/users/account-links.events.js';
import type { UserDeactivated } from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { deactivated } from './deactivate-user.js';
import { isOnlyOwner, type UsersState } from './users.state.js';

/** Deactivates the caller's own account. */
export class DeactivateOwnUser extends Command<{ userId: number }> {}

export const decideDeactivateOwnUser: Decide<DeactivateOwnUser, UsersState, UserDeactivated | AccountLinkEnded> = (
  { userId },
  state,
) => {
  const user = state.byId.get(userId) ?? refuse('USER_NOT_FOUND');
  if (user.bot) refuse('BOTS_NOT_ALLOWED');
  if (user.status === 'deactivated') return [];
  const others = state.byId.some((other, id) => id !== userId && other.bot === null && other.status === 'active');
  if (!others) refuse('CANNOT_DEACTIVATE_LAST_USER', { is_last_owner: false, entity: 'user' });
  if (isOnlyOwner(state, userId))
    refuse('CANNOT_DEACTIVATE_LAST_USER', { is_last_owner: true, entity: 'organization owner' });
  return deactivated(userId, state, null);
};
