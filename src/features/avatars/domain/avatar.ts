import type { AvatarChanged, AvatarEvent, AvatarRemoved } from '../../../events/avatars/avatars.events.js';
import type { Asker } from '../../../platform/kernel/client-connection.js';
import { Command, type Decide, type Decider, refuse } from '../../../platform/kernel/deciding.js';
import type { MeasuredFile } from '../../uploads/domain/upload-file.js';

/** The avatar of one account. */
export interface AvatarState {
  readonly version: number;
  /** The names of the uploaded pictures; null: the avatar follows from the address. */
  readonly files: AvatarFiles | null;
}

interface AvatarFiles {
  readonly fileId: string;
  readonly mediumFileId: string;
}

export const avatar: Decider<AvatarState, AvatarEvent> = {
  initialState: { version: 1, files: null },
  evolve: (state, event) => {
    switch (event.type) {
      case 'AvatarChanged': {
        const { version, fileId, mediumFileId } = event.data;
        return { version, files: { fileId, mediumFileId } };
      }
      case 'AvatarRemoved':
        return { version: event.data.version, files: null };
      default:
        event satisfies never;
        return state;
    }
  },
};

export class ChangeAvatar extends Command<{
  userId: number;
  /** The picture as the client sends it. */
  picture: AsyncIterable<Uint8Array>;
  asker: Asker;
}> {}

interface ChangeAvatarFacts {
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
