import { ROLES } from '../../../events/shared/role.js';
import type { AccountLinkEnded } from '../../../events/users/account-links.events.js';
import type { BotOwnerChanged, UserDeactivated, UserReactivated } from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { allLinksEnded } from './account-links.js';
import { type BotCreation, type BotKeeper, mayCreateBot, type Rank } from './bots.js';
import { isBotNameTaken } from './names.js';
import { activeBotsOf, isOnlyOwner, type UserState, type UsersState } from './users.state.js';

export class DeactivateUser extends Command<{
  userId: number;
  /** Comment in the mailed notice; null: no notice is mailed. */
  notice: UserDeactivated['data']['notice'];
}> {}

/** Decides `DELETE /users/{user_id}`: only administrators may deactivate, and never the only owner. */
export const decideDeactivateUser: Decide<DeactivateUser, UsersState, UserDeactivated | AccountLinkEnded, Rank> = (
  { userId, notice },
  state,
  { isAdministrator, isOwner },
) => {
  if (!isAdministrator) refuse('ADMINISTRATOR_REQUIRED');
  const user = state.byId.get(userId);
  if (!user || user.bot) refuse('USER_NOT_FOUND');
  if (user.status === 'deactivated') return [];
  if (user.role === ROLES.owner && !isOwner) refuse('OWNER_REQUIRED');
  if (isOnlyOwner(state, userId)) refuse('ONLY_OWNER');
  return deactivated(userId, state, notice);
};

/** Deactivates a person and the person's bots, for which nobody would be responsible. The person's links end. */
const deactivated = (
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

/** Reactivates the account of a person or a bot. Its keys are valid again. */
export class ReactivateUser extends Command<{ userId: number }> {}

interface ReactivateUserFacts extends BotCreation {
  readonly keeper: BotKeeper;
}

/**
 * Administrators may reactivate accounts. A bot's owner may reactivate the bot, unless the bot is an administrator. Only
 * owners may reactivate owners. If a bot's owner is deactivated, the actor becomes its owner.
 */
export const decideReactivateUser: Decide<
  ReactivateUser,
  UsersState,
  UserReactivated | BotOwnerChanged,
  ReactivateUserFacts
> = ({ userId }, state, facts) => {
  const { keeper } = facts;
  const user = state.byId.get(userId);
  if (!keeper.isAdministrator && user?.bot?.ownerId !== keeper.id) refuse('ADMINISTRATOR_REQUIRED');
  if (!user) refuse('USER_NOT_FOUND');
  if (user.status === 'active') return [];
  if (user.role === ROLES.owner && !keeper.isOwner) refuse('OWNER_REQUIRED');
  if (user.role === ROLES.administrator && !keeper.isAdministrator) refuse('ADMINISTRATOR_REQUIRED');
  if (user.bot && !mayCreateBot(user.bot.type, facts)) refuse('NOT_AUTHORIZED');
  if (user.bot && isBotNameTaken(state, user.fullName)) refuse('BOT_NAME_TAKEN');
  return [{ type: 'UserReactivated', data: { userId } }, ...adopted(userId, user, keeper, state)];
};

function adopted(userId: number, { bot }: UserState, keeper: BotKeeper, state: UsersState): BotOwnerChanged[] {
  if (!bot || keeper.id === null || state.byId.get(bot.ownerId)?.status === 'active') return [];
  if (state.byId.get(keeper.id)?.bot !== null) return [];
  return [{ type: 'BotOwnerChanged', data: { userId, from: bot.ownerId, to: keeper.id } }];
}
