import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { type BotKeeper, botKeptBy } from './bot-access.js';
import type { UserDeactivated } from './users.events.js';
import type { UsersState } from './users.state.js';

export class DeactivateBot {
  constructor(
    readonly botId: number,
    readonly by: CommandContext,
  ) {}
}

export const decideDeactivateBot: Decide<DeactivateBot, UsersState, UserDeactivated, BotKeeper> = (
  { botId },
  state,
  keeper,
) => {
  const bot = botKeptBy(keeper, botId, state);
  if (bot.status === 'deactivated') return [];
  return [{ type: 'UserDeactivated', data: { userId: botId, notice: null } }];
};
