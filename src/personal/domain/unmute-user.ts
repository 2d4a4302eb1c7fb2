import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { OtherUserFacts } from './mute-user.js';
import type { UserUnmuted } from './personal.events.js';
import type { PersonalState } from './personal.state.js';

export class UnmuteUser {
  constructor(
    readonly userId: number,
    readonly mutedUserId: number,
    readonly by: CommandContext,
  ) {}
}

export const decideUnmuteUser: Decide<UnmuteUser, PersonalState, UserUnmuted, OtherUserFacts> = (
  { userId, mutedUserId },
  { mutedUserIds },
  { exists },
) => {
  if (!exists) refuse('USER_NOT_FOUND');
  if (!mutedUserIds.has(mutedUserId)) refuse('USER_NOT_MUTED');
  return [{ type: 'UserUnmuted', data: { userId, mutedUserId } }];
};
