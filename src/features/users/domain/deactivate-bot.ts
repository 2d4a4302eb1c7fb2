import type { UserDeactivated } from '../../../events/users/users.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { type BotKeeper, botKeptBy } from './bot-access.js';
import type { UsersState } from './users.state.js';

export class DeactivateBot extends Command<void> {
  constructor(
    readonly botId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
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
