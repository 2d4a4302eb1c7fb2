import type { UserUnmuted } from '../../../events/personal/personal.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { OtherUserFacts } from './mute-user.js';
import type { PersonalState } from './personal.state.js';

export class UnmuteUser extends Command<{ userId: number; mutedUserId: number }> {}

export const decideUnmuteUser: Decide<UnmuteUser, PersonalState, UserUnmuted, OtherUserFacts> = (
  { userId, mutedUserId },
  { mutedUserIds },
  { exists },
) => {
  if (!exists) refuse('USER_NOT_FOUND');
  if (!mutedUserIds.has(mutedUserId)) refuse('USER_NOT_MUTED');
  return [{ type: 'UserUnmuted', data: { userId, mutedUserId } }];
};
