import type {
  OrganizationPicture,
  OrganizationPictureRemoved,
} from '../../../events/organization-pictures/organization-pictures.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { Administration } from '../../organization/domain/organization.state.js';
import type { OrganizationPicturesState } from './organization-pictures.state.js';

/** Gives the organization the default picture again. */
export class RemoveOrganizationPicture extends Command<{ picture: OrganizationPicture }> {}

export const decideRemoveOrganizationPicture: Decide<
  RemoveOrganizationPicture,
  OrganizationPicturesState,
  OrganizationPictureRemoved,
  Administration
> = ({ picture }, state, { mayAdminister }) => {
  if (!mayAdminister) refuse('ADMINISTRATOR_REQUIRED');
  const { version, fileId: previousFileId } = state[picture];
  if (previousFileId === null) return [];
  return [{ type: 'OrganizationPictureRemoved', data: { picture, version: version + 1, previousFileId } }];
};
