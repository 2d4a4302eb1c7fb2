import type { UserMuted } from '../../../events/personal/personal.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import type { PersonalState } from './personal.state.js';

export class MuteUser extends Command<void> {
  constructor(
    readonly userId: number,
    readonly mutedUserId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}

export interface OtherUserFacts {
  /** Whether the account exists; bots and deactivated accounts count. */
  readonly exists: boolean;
}

export const decideMuteUser: Decide<MuteUser, PersonalState, UserMuted, OtherUserFacts> = (
  { userId, mutedUserId },
  { mutedUserIds },
  { exists },
) => {
  if (mutedUserId === userId) refuse('CANNOT_MUTE_SELF');
  if (!exists) refuse('USER_NOT_FOUND');
  if (mutedUserIds.has(mutedUserId)) refuse('USER_ALREADY_MUTED');
  return [{ type: 'UserMuted', data: { userId, mutedUserId } }];
};
