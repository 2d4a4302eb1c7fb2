import { ROLES } from '../../../events/shared/role.js';
import type { AccountLinkEnded } from '../../../events/users/account-links.events.js';
import type { UserDeactivated } from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { allLinksEnded } from './account-links.js';
import { activeBotsOf, isOnlyOwner, type UsersState } from './users.state.js';

export class DeactivateUser extends Command<{
  userId: number;
  /** Comment in the mailed notice; null: no notice is mailed. */
  notice: UserDeactivated['data']['notice'];
}> {}

export interface DeactivateUserFacts {
  readonly isAdministrator: boolean;
  readonly isOwner: boolean;
}

/** Decides `DELETE /users/{user_id}`: only administrators may deactivate, and never the only owner. */
export const decideDeactivateUser: Decide<
  DeactivateUser,
  UsersState,
  UserDeactivated | AccountLinkEnded,
  DeactivateUserFacts
> = ({ userId, notice }, state, { isAdministrator, isOwner }) => {
  if (!isAdministrator) refuse('ADMINISTRATOR_REQUIRED');
  const user = state.byId.get(userId);
  if (!user || user.bot) refuse('USER_NOT_FOUND');
  if (user.status === 'deactivated') return [];
  if (user.role === ROLES.owner && !isOwner) refuse('OWNER_REQUIRED');
  if (isOnlyOwner(state, userId)) refuse('ONLY_OWNER');
  return deactivated(userId, state, notice);
};

/** Deactivates a person and the person's bots, for which nobody would be responsible. The person's links end. */
export const deactivated = (
  userId: number,
  state: UsersState,
  notice: UserDeactivated['data']['notice'],
): (UserDeactivated | AccountLinkEnded)[] => [
  { type: 'UserDeactivated', data: { userId, notice } },
  ...activeBotsOf(state, userId).map(
    (botId): UserDeactivated => ({ type: 'UserDeactivated', data: { userId: botId, notice: null } }),
  ),
  ...allLinksEnded(state, userId, 'deactivated'),
];
