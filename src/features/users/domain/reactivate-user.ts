import { ROLES } from '../../../events/shared/role.js';
import type { BotOwnerChanged, UserReactivated } from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { type BotCreation, type BotKeeper, mayCreateBot } from './bot-access.js';
import { isBotNameTaken } from './names.js';
import type { UserState, UsersState } from './users.state.js';

/** Reactivates the account of a person or a bot. Its keys are valid again. */
export class ReactivateUser extends Command<{ userId: number }> {}

export interface ReactivateUserFacts extends BotCreation {
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
