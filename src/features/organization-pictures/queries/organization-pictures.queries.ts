import { Directory } from '../../../directory/directory.js';
import { organizationPicture, picturesForClients } from '../../../directory/organization-pictures.js';
import {
  ORGANIZATION_PICTURES_STREAM,
  type OrganizationPicture,
} from '../../../events/organization-pictures/organization-pictures.events.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { ReadsState, type StateParts, type StateReader } from '../../event-queues/state-reader.js';
import { LARGEST_PICTURE_MIB } from '../../uploads/domain/upload-settings.js';
import type { ShownPicture } from '../../uploads/queries/shown-pictures.queries.js';

export class GetOrganizationPictureUrl extends Query<{ picture: OrganizationPicture }, string> {}

/** Finds the present icon or logo. null: it has another name. */
export class GetOrganizationPicture extends Query<{ picture: string; fileId: string }, ShownPicture | null> {}

export const organizationPictureQueries = [
  answersFrom(
    GetOrganizationPictureUrl,
    Directory,
    ({ picture }, { organization }) =>
      organizationPicture(picture, organization ?? refuse('SHOWN_PICTURE_NOT_FOUND')).url,
  ),
  answersFrom(GetOrganizationPicture, Directory, ({ picture, fileId }, { organization }): ShownPicture | null => {
    const present = Object.entries(organization?.pictures ?? {}).find(([name]) => name === picture);
    return present?.[1].fileId === fileId ? { fileId, stream: ORGANIZATION_PICTURES_STREAM, format: 'png' } : null;
  }),
];

const LIMITS = { max_icon_file_size_mib: LARGEST_PICTURE_MIB, max_logo_file_size_mib: LARGEST_PICTURE_MIB };

@ReadsState()
export class OrganizationPicturesStateReader implements StateReader {
  constructor(private readonly directory: Directory) {}

  parts(): StateParts {
    return { organization: { realm: () => ({ ...LIMITS, ...this.pictures() }) } };
  }

  private pictures(): Readonly<Record<string, string>> {
    const { organization } = this.directory;
    const fields = organization ? Object.values(picturesForClients).map((forClients) => forClients(organization)) : [];
    return Object.fromEntries(
      fields.flatMap((of) => Object.entries(of)).map(([name, value]) => [`realm_${name}`, value]),
    );
  }
}
