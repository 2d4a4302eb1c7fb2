import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { organizationPicture } from '../../../directory/organization-pictures.js';
import {
  ORGANIZATION_PICTURES_STREAM,
  type OrganizationPicture,
} from '../../../events/organization-pictures/organization-pictures.events.js';
import type { StoredFile } from '../../../platform/file-store/file-store.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { RecordedFiles } from '../../uploads/log/recorded-files.js';

export class GetOrganizationPictureUrl extends Query<{ picture: OrganizationPicture }, string> {}

export const organizationPictureQueries = [
  answersFrom(
    GetOrganizationPictureUrl,
    Directory,
    ({ picture }, { organization }) =>
      organizationPicture(picture, organization ?? refuse('SHOWN_PICTURE_NOT_FOUND')).url,
  ),
];

/** Opens the present icon or logo. null: it has another name. Other files are not served this way. */
export class ReadOrganizationPicture extends Query<{ picture: string; fileId: string }, StoredFile | null> {}

@QueryHandler(ReadOrganizationPicture)
export class ReadOrganizationPictureHandler implements IQueryHandler<ReadOrganizationPicture> {
  constructor(
    private readonly directory: Directory,
    private readonly files: RecordedFiles,
  ) {}

  /** @throws as `RecordedFiles.read` */
  async execute({ picture, fileId }: ReadOrganizationPicture): Promise<StoredFile | null> {
    const present = Object.entries(this.directory.organization?.pictures ?? {}).find(([name]) => name === picture);
    return present?.[1].fileId === fileId ? this.files.read(fileId, { stream: ORGANIZATION_PICTURES_STREAM }) : null;
  }
}
