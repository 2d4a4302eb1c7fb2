import type { AvatarEvent } from '../../../events/avatars/avatars.events.js';
import type { Decider } from '../../../platform/kernel/deciding.js';

/** The avatar of one account. */
export interface AvatarState {
  readonly version: number;
  /** The names of the uploaded pictures; null: the avatar follows from the address. */
  readonly files: AvatarFiles | null;
}

export interface AvatarFiles {
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
