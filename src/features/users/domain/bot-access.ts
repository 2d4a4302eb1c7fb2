import { ROLES } from '../../../events/shared/role.js';
import type { BotType } from '../../../events/users/users.settings.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { UserState, UsersState } from './users.state.js';

/** The actor of a command on bots: a person who is not a guest. */
export interface BotKeeper {
  /** null: the server itself. */
  readonly id: number | null;
  readonly isAdministrator: boolean;
  readonly isOwner: boolean;
}

/** The kinds of bots that the actor may create and reactivate. */
export interface BotCreation {
  /** `can_create_bots_group` */
  readonly mayCreateBots: boolean;
  /** `can_create_write_only_bots_group` */
  readonly mayCreateWriteOnlyBots: boolean;
}

const INCOMING_WEBHOOK: BotType = 2;

export const mayCreateBot = (type: BotType, facts: BotCreation): boolean =>
  facts.mayCreateBots || (type === INCOMING_WEBHOOK && facts.mayCreateWriteOnlyBots);

/** Finds a bot that the keeper owns or administers. @throws DomainError for every other account */
export function botKeptBy(keeper: BotKeeper, botId: number, state: UsersState): UserState {
  const user = state.byId.get(botId);
  if (!user?.bot) refuse('BOT_NOT_FOUND');
  if (!keeper.isAdministrator && user.bot.ownerId !== keeper.id) refuse('NOT_AUTHORIZED');
  // The keeper of such a bot could give rights that only owners may give.
  if ((user.role === ROLES.owner || user.specialPermissions.length > 0) && !keeper.isOwner) refuse('OWNER_REQUIRED');
  return user;
}

/** Finds an active bot that the keeper owns or administers. @throws DomainError for every other account */
export function activeBotKeptBy(keeper: BotKeeper, botId: number, state: UsersState): UserState {
  const bot = botKeptBy(keeper, botId, state);
  return bot.status === 'active' ? bot : refuse('BOT_NOT_FOUND');
}
