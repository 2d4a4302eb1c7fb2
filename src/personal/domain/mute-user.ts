import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { UserMuted } from './personal.events.js';
import type { PersonalState } from './personal.state.js';

export class MuteUser {
  constructor(
    readonly userId: number,
    readonly mutedUserId: number,
    readonly by: CommandContext,
  ) {}
}

export interface OtherUserFacts {
  /** There is such an account: a bot's and an ended one too. */
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
