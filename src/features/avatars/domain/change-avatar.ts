import type { AvatarChanged } from '../../../events/avatars/avatars.events.js';
import type { Asker } from '../../../platform/kernel/client-connection.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { MeasuredFile } from '../../uploads/domain/measured-file.js';
import type { AvatarState } from './avatar.state.js';

export class ChangeAvatar extends Command<{
  userId: number;
  /** The picture as the client sends it. */
  picture: AsyncIterable<Uint8Array>;
  asker: Asker;
}> {}

export interface ChangeAvatarFacts {
  readonly mayChange: boolean;
  /** The new pictures, which are stored. */
  readonly small: MeasuredFile;
  readonly medium: MeasuredFile;
}

export const decideChangeAvatar: Decide<ChangeAvatar, AvatarState, AvatarChanged, ChangeAvatarFacts> = (
  { userId },
  { version, files: previous },
  { mayChange, small, medium },
) => {
  if (!mayChange) refuse('AVATAR_CHANGES_DISABLED');
  const data = {
    userId,
    version: version + 1,
    fileId: small.fileId,
    measure: small.measure,
    mediumFileId: medium.fileId,
    mediumMeasure: medium.measure,
    previousFileId: previous?.fileId ?? null,
    previousMediumFileId: previous?.mediumFileId ?? null,
  };
  return [{ type: 'AvatarChanged', data }];
};
