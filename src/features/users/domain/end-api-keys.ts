import { ROLES } from '../../../events/shared/role.js';
import type { AccountLinkEnded } from '../../../events/users/account-links.events.js';
import type { ApiKeysEnded } from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { linksEnded } from './account-links.js';
import type { UsersState } from './users.state.js';

/** Ends one of the caller's API keys, and so a login. */
export class EndApiKey extends Command<{
  userId: number;
  /** SHA-256 of the key, hexadecimal; null if no key has the id that the caller names. */
  keyHash: string | null;
}> {}

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

/** Ends an API key of another account, and so a login of it. */
export class EndOthersApiKey extends Command<{
  userId: number;
  /** As `EndApiKey` has it. */
  keyHash: string | null;
}> {}

/** Whoever may see and end the keys of others. */
export interface KeyKeeper {
  readonly isAdministrator: boolean;
  readonly isOwner: boolean;
}

/**
 * Only owners keep the keys of owners.
 * @param account whose keys they are; undefined: there is no such account
 * @throws DomainError ADMINISTRATOR_REQUIRED, USER_NOT_FOUND, OWNER_REQUIRED
 */
export function keptBy<Account extends { readonly role: number }>(
  { isAdministrator, isOwner }: KeyKeeper,
  account: Account | undefined,
): Account {
  if (!isAdministrator) refuse('ADMINISTRATOR_REQUIRED');
  if (!account) refuse('USER_NOT_FOUND');
  if (account.role === ROLES.owner && !isOwner) refuse('OWNER_REQUIRED');
  return account;
}

/** Refuses as `keptBy` and `decideEndApiKey` do. */
export const decideEndOthersApiKey: Decide<EndOthersApiKey, UsersState, ApiKeysEnded | AccountLinkEnded, KeyKeeper> = (
  command,
  state,
  keeper,
) => {
  keptBy(keeper, state.byId.get(command.userId));
  return decideEndApiKey(command, state, undefined);
};

/** Ends one of the caller's API keys, if it has not ended already. */
export class EndLogin extends Command<{ userId: number; keyHash: string }> {}

export const decideEndLogin: Decide<EndLogin, UsersState, ApiKeysEnded | AccountLinkEnded> = (command, state) => {
  const hasEnded = !state.byId.get(command.userId)?.keyHashes.includes(command.keyHash);
  return hasEnded ? [] : decideEndApiKey(command, state, undefined);
};

/** Ends API keys that nobody has used for too long. The server itself sends it. */
export class EndUnusedApiKeys extends Command<{ userId: number; keyHashes: readonly string[] }> {}

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
