import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import { activeBotKeptBy, type BotKeeper } from './bot-access.js';
import type { ApiKeysRegenerated } from './users.events.js';
import type { UsersState } from './users.state.js';

/** All keys of whoever asks end, and one begins. */
export class RegenerateApiKey {
  constructor(
    readonly userId: number,
    readonly by: CommandContext,
  ) {}
}

export interface NewKey {
  /** SHA-256 of the key, hexadecimal. */
  readonly keyHash: string;
}

export const decideRegenerateApiKey: Decide<RegenerateApiKey, UsersState, ApiKeysRegenerated, NewKey> = (
  { userId },
  state,
  { keyHash },
) => {
  const user = state.byId.get(userId) ?? refuse('USER_NOT_FOUND');
  if (user.bot) refuse('BOTS_NOT_ALLOWED');
  if (user.status === 'deactivated') refuse('USER_DEACTIVATED');
  return [{ type: 'ApiKeysRegenerated', data: { userId, keyHash } }];
};

/** The same for a bot, by who keeps it. */
export class RegenerateBotApiKey {
  constructor(
    readonly botId: number,
    readonly by: CommandContext,
  ) {}
}

export interface NewBotKey extends NewKey {
  readonly keeper: BotKeeper;
}

export const decideRegenerateBotApiKey: Decide<RegenerateBotApiKey, UsersState, ApiKeysRegenerated, NewBotKey> = (
  { botId },
  state,
  { keeper, keyHash },
) => {
  activeBotKeptBy(keeper, botId, state);
  return [{ type: 'ApiKeysRegenerated', data: { userId: botId, keyHash } }];
};
