import type { AvatarEvent } from '../../events/avatars/avatars.events.js';
import { alters, type Rules } from './rule.js';

const ofUser = ({ data }: { readonly data: { readonly userId: number } }): number => data.userId;

export const avatarRules: Rules<AvatarEvent> = {
  AvatarChanged: alters('users', ofUser, ({ data: { version, fileId, mediumFileId } }) => ({
    avatar: { version, files: { fileId, mediumFileId } },
  })),
  AvatarRemoved: alters('users', ofUser, ({ data: { version } }) => ({ avatar: { version, files: null } })),
};
