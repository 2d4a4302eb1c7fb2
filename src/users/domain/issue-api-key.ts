import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { ApiKeyIssued } from './users.events.js';
import type { UsersState } from './users.state.js';

/** One more key for an account; those it has stay valid. */
export class IssueApiKey {
  constructor(
    readonly userId: number,
    /** SHA-256 of the key, hexadecimal. */
    readonly keyHash: string,
    readonly by: CommandContext,
  ) {}
}

export const decideIssueApiKey: Decide<IssueApiKey, UsersState, ApiKeyIssued> = ({ userId, keyHash }, state) => {
  const user = state.byId.get(userId) ?? refuse('USER_NOT_FOUND');
  if (user.status === 'deactivated') refuse('USER_DEACTIVATED');
  return [{ type: 'ApiKeyIssued', data: { userId, keyHash } }];
};
