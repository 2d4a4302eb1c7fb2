import { type AvatarForClients, avatarOf } from '../../../directory/avatars.js';
import { Directory } from '../../../directory/directory.js';
import { namedAccount } from '../../../directory/named-account.js';
import { avatarStream } from '../../../events/avatars/avatars.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { SITE } from '../../../platform/kernel/site.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { ReadsState, type StateParts, type StateReader } from '../../event-queues/state-reader.js';
import { LARGEST_PICTURE_MIB } from '../../uploads/domain/upload-settings.js';
import type { ShownPicture } from '../../uploads/queries/shown-pictures.queries.js';

/** @param user an id, or an address in any case */
export class GetAvatar extends Query<{ user: string }, AvatarForClients> {}

/** Finds a picture of an account's present avatar. null: there is none of this name. */
export class GetAvatarPicture extends Query<
  { userId: number; fileId: string; isMedium: boolean },
  ShownPicture | null
> {}

export const avatarQueries = [
  answersFrom(GetAvatar, [Directory, SITE], ({ user }, directory, site: () => string) =>
    avatarOf(namedAccount(user, directory, site()) ?? refuse('USER_NOT_FOUND')),
  ),
  answersFrom(GetAvatarPicture, Directory, ({ userId, fileId, isMedium }, directory): ShownPicture | null => {
    const files = directory.user(userId)?.avatar?.files;
    if (files?.fileId !== fileId) return null;
    return { fileId: isMedium ? files.mediumFileId : fileId, stream: avatarStream(userId), format: 'png' };
  }),
];

@ReadsState()
export class AvatarStateReader implements StateReader {
  parts(): StateParts {
    return { organization: { realm: () => ({ max_avatar_file_size_mib: LARGEST_PICTURE_MIB }) } };
  }
}
