import type { AccountLinkEnded } from '../../../events/users/account-links.events.js';
import type { ApiKeysRegenerated } from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { allLinksEnded } from './account-links.js';
import { activeBotKeptBy, type BotKeeper } from './bot-access.js';
import type { UsersState } from './users.state.js';

/** Replaces all keys of the caller with a new key. */
export class RegenerateApiKey extends Command<{ userId: number }, string> {}

export interface NewKey {
  /** SHA-256 of the key, hexadecimal. */
  readonly keyHash: string;
}

export const decideRegenerateApiKey: Decide<
  RegenerateApiKey,
  UsersState,
  ApiKeysRegenerated | AccountLinkEnded,
  NewKey
> = ({ userId }, state, { keyHash }) => {
  const user = state.byId.get(userId) ?? refuse('USER_NOT_FOUND');
  if (user.bot) refuse('BOTS_NOT_ALLOWED');
  if (user.status === 'deactivated') refuse('USER_DEACTIVATED');
  return [
    { type: 'ApiKeysRegenerated', data: { userId, keyHash } },
    ...allLinksEnded(state, userId, 'keys regenerated'),
  ];
};

/** Replaces all keys of a bot with a new key. */
export class RegenerateBotApiKey extends Command<{ botId: number }, string> {}

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
