import type { UserUnmuted } from '../../../events/personal/personal.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import type { OtherUserFacts } from './mute-user.js';
import type { PersonalState } from './personal.state.js';

export class UnmuteUser extends Command<void> {
  constructor(
    readonly userId: number,
    readonly mutedUserId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
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
