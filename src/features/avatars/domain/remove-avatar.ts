import type { AvatarRemoved } from '../../../events/avatars/avatars.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { AvatarState } from './avatar.state.js';

/** Gives an account the avatar again that follows from its address. */
export class RemoveAvatar extends Command<{ userId: number }> {}

export const decideRemoveAvatar: Decide<RemoveAvatar, AvatarState, AvatarRemoved, { readonly mayChange: boolean }> = (
  { userId },
  { version, files: previous },
  { mayChange },
) => {
  if (!mayChange) refuse('AVATAR_CHANGES_DISABLED');
  if (previous === null) return [];
  const { fileId: previousFileId, mediumFileId: previousMediumFileId } = previous;
  return [{ type: 'AvatarRemoved', data: { userId, version: version + 1, previousFileId, previousMediumFileId } }];
};
