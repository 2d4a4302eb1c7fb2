import { ROLES } from '../../../events/shared/role.js';
import type { AccountLinkEnded } from '../../../events/users/account-links.events.js';
import type { ApiKeyIssued, ApiKeysEnded, ApiKeysRegenerated } from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { allLinksEnded, linksEnded } from './account-links.js';
import { activeBotKeptBy, type BotKeeper, type Rank } from './bots.js';
import type { UsersState } from './users.state.js';

/** Adds a key to an account. Its other keys stay valid. */
export class IssueApiKey extends Command<{
  userId: number;
  /** SHA-256 of the key, hexadecimal. */
  keyHash: string;
}> {}

export const decideIssueApiKey: Decide<
  Pick<IssueApiKey, 'userId' | 'keyHash'>,
  UsersState,
  ApiKeyIssued | AccountLinkEnded
> = ({ userId, keyHash }, state) => {
  const user = state.byId.get(userId) ?? refuse('USER_NOT_FOUND');
  if (user.status === 'deactivated') refuse('USER_DEACTIVATED');
  // Who can log in needs no new password.
  const ended = linksEnded(state, userId, ['password'], 'logged in');
  return [{ type: 'ApiKeyIssued', data: { userId, keyHash } }, ...ended];
};

/** Adds a key to an account that never had one: it is the end of an organization's first start. Answers whether it did. */
export class IssueFirstApiKey extends Command<{ userId: number; keyHash: string }, boolean> {}

/** An account whose keys have ended gets none: the key of an old file would be valid again. */
export const decideIssueFirstApiKey: Decide<IssueFirstApiKey, UsersState, ApiKeyIssued | AccountLinkEnded> = (
  command,
  state,
) => (state.byId.get(command.userId)?.hasHadKeys ? [] : decideIssueApiKey(command, state, undefined));

/** Replaces all keys of the caller with a new key. */
export class RegenerateApiKey extends Command<{ userId: number }, string> {}

interface NewKey {
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

interface NewBotKey extends NewKey {
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

export interface LoginResult {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: number;
}

/** Gives an API key for a password. */
export class LogIn extends Command<{ email: string; password: string }, LoginResult> {}

/** Ends the login of an API key. One that has ended changes nothing. */
export class LogOut extends Command<{ key: string }> {}

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

/**
 * Only owners keep the keys of owners.
 * @param account whose keys they are; undefined: there is no such account
 * @throws DomainError ADMINISTRATOR_REQUIRED, USER_NOT_FOUND, OWNER_REQUIRED
 */
export function keptBy<Account extends { readonly role: number }>(
  { isAdministrator, isOwner }: Rank,
  account: Account | undefined,
): Account {
  if (!isAdministrator) refuse('ADMINISTRATOR_REQUIRED');
  if (!account) refuse('USER_NOT_FOUND');
  if (account.role === ROLES.owner && !isOwner) refuse('OWNER_REQUIRED');
  return account;
}

/** Refuses as `keptBy` and `decideEndApiKey` do. */
export const decideEndOthersApiKey: Decide<EndOthersApiKey, UsersState, ApiKeysEnded | AccountLinkEnded, Rank> = (
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
