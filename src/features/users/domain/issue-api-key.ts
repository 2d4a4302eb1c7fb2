import type { AccountLinkEnded } from '../../../events/users/account-links.events.js';
import type { ApiKeyIssued } from '../../../events/users/users.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { linksEnded } from './account-links.js';
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
