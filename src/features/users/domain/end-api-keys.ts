import { hash } from 'node:crypto';
import type { AccountLinkEnded } from '../../../events/users/account-links.events.js';
import type { ApiKeysEnded } from '../../../events/users/users.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { linksEnded } from './account-links.js';
import type { UsersState } from './users.state.js';

/** Names a key to clients, and in events. Neither the key nor its stored hash follows from the id. */
export const apiKeyId = (keyHash: string): string => hash('sha256', `api key ${keyHash}`).slice(0, 16);

/** Ends one of the caller's API keys, and so a login. */
export class EndApiKey extends Command<void> {
  constructor(
    readonly userId: number,
    /** SHA-256 of the key, hexadecimal; null if no key has the id that the caller names. */
    readonly keyHash: string | null,
    readonly by: CommandContext,
  ) {
    super();
  }
}

/** Refuses with USER_NOT_FOUND or API_KEY_UNKNOWN. A new address that was asked for with the key does not outlive it. */
export const decideEndApiKey: Decide<EndApiKey, UsersState, ApiKeysEnded | AccountLinkEnded> = (
  { userId, keyHash },
  state,
) => {
  const user = state.byId.get(userId) ?? refuse('USER_NOT_FOUND');
  if (keyHash === null || !user.keyHashes.includes(keyHash)) refuse('API_KEY_UNKNOWN');
  return [
    { type: 'ApiKeysEnded', data: { userId, keyHashes: [keyHash] } },
    ...linksEnded(state, userId, ['email'], 'key ended'),
  ];
};

/** Ends API keys that nobody has used for too long. The server itself sends it. */
export class EndUnusedApiKeys extends Command<void> {
  constructor(
    readonly userId: number,
    readonly keyHashes: readonly string[],
    readonly by: CommandContext,
  ) {
    super();
  }
}

/** Passes over keys that have ended already, and over a deactivated account, which keeps its keys. */
export const decideEndUnusedApiKeys: Decide<EndUnusedApiKeys, UsersState, ApiKeysEnded> = (
  { userId, keyHashes: unused },
  state,
) => {
  const user = state.byId.get(userId);
  if (user?.status !== 'active') return [];
  const keyHashes = user.keyHashes.filter((hash) => unused.includes(hash));
  return keyHashes.length === 0 ? [] : [{ type: 'ApiKeysEnded', data: { userId, keyHashes } }];
};
