import type {
  OrganizationPicture,
  OrganizationPictureChanged,
} from '../../../events/organization-pictures/organization-pictures.events.js';
import type { Asker } from '../../../platform/kernel/client-connection.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { Administration } from '../../organization/domain/organization.state.js';
import type { MeasuredFile } from '../../uploads/domain/measured-file.js';
import type { OrganizationPicturesState } from './organization-pictures.state.js';

export class ChangeOrganizationPicture extends Command<{
  kind: 'icon' | 'logo';
  /** The picture as the client sends it. */
  content: AsyncIterable<Uint8Array>;
  asker: Asker;
  /** Tells which picture it becomes. Called when the content has been read: a client may say it after the file. */
  becomes: () => Promise<OrganizationPicture>;
}> {}

export interface ChangePictureFacts extends Administration {
  readonly picture: OrganizationPicture;
  /** The new picture, which is stored. */
  readonly file: MeasuredFile;
}

export const decideChangeOrganizationPicture: Decide<
  ChangeOrganizationPicture,
  OrganizationPicturesState,
  OrganizationPictureChanged,
  ChangePictureFacts
> = (_command, state, { mayAdminister, picture, file: { fileId, measure } }) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const { version, fileId: previousFileId } = state[picture];
  const data = { picture, version: version + 1, fileId, measure, previousFileId };
  return [{ type: 'OrganizationPictureChanged', data }];
};
