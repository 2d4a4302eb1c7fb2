import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type AvatarForClients, avatarOf } from '../../../directory/avatars.js';
import { Directory } from '../../../directory/directory.js';
import { namedAccount } from '../../../directory/named-account.js';
import { avatarStream } from '../../../events/avatars/avatars.events.js';
import type { StoredFile } from '../../../platform/file-store/file-store.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { SITE } from '../../../platform/kernel/site.js';
import { RecordedFiles } from '../../uploads/log/recorded-files.js';

/** @param user an id, or an address in any case */
export class GetAvatar extends Query<{ user: string }, AvatarForClients> {}

@QueryHandler(GetAvatar)
export class GetAvatarHandler implements IQueryHandler<GetAvatar> {
  constructor(
    private readonly directory: Directory,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute({ user }: GetAvatar): Promise<AvatarForClients> {
    return avatarOf(namedAccount(user, this.directory, this.site()) ?? refuse('USER_NOT_FOUND'));
  }
}

/**
 * Opens a picture of an account's present avatar. null: there is none of this name. Other files are not served this way,
 * because their readers need rights.
 */
export class ReadAvatarPicture extends Query<
  { userId: number; fileId: string; isMedium: boolean },
  StoredFile | null
> {}

@QueryHandler(ReadAvatarPicture)
export class ReadAvatarPictureHandler implements IQueryHandler<ReadAvatarPicture> {
  constructor(
    private readonly directory: Directory,
    private readonly files: RecordedFiles,
  ) {}

  /** @throws as `RecordedFiles.read` */
  async execute({ userId, fileId, isMedium }: ReadAvatarPicture): Promise<StoredFile | null> {
    const files = this.directory.user(userId)?.avatar?.files;
    if (files?.fileId !== fileId) return null;
    return this.files.read(isMedium ? files.mediumFileId : fileId, { stream: avatarStream(userId) });
  }
}
