import type { UserMuted, UserUnmuted } from '../../../events/personal/personal.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { PersonalState } from './personal.state.js';

export class MuteUser extends Command<{ userId: number; mutedUserId: number }> {}

interface OtherUserFacts {
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
