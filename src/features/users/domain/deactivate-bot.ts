import type { UserDeactivated } from '../../../events/users/users.events.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';
import { type BotKeeper, botKeptBy } from './bot-access.js';
import type { UsersState } from './users.state.js';

export class DeactivateBot extends Command<{ botId: number }> {}

export const decideDeactivateBot: Decide<DeactivateBot, UsersState, UserDeactivated, BotKeeper> = (
  { botId },
  state,
  keeper,
) => {
  const bot = botKeptBy(keeper, botId, state);
  if (bot.status === 'deactivated') return [];
  return [{ type: 'UserDeactivated', data: { userId: botId, notice: null } }];
};
