import type { ApiKeyIssued } from '../../../events/users/users.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import type { UsersState } from './users.state.js';

/** Adds a key to an account. Its other keys stay valid. */
export class IssueApiKey extends Command<void> {
  constructor(
    readonly userId: number,
    /** SHA-256 of the key, hexadecimal. */
    readonly keyHash: string,
    readonly by: CommandContext,
  ) {
    super();
  }
}

export const decideIssueApiKey: Decide<IssueApiKey, UsersState, ApiKeyIssued> = ({ userId, keyHash }, state) => {
  const user = state.byId.get(userId) ?? refuse('USER_NOT_FOUND');
  if (user.status === 'deactivated') refuse('USER_DEACTIVATED');
  return [{ type: 'ApiKeyIssued', data: { userId, keyHash } }];
};
