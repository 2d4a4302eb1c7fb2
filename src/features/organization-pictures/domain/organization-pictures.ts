import type {
  OrganizationPicture,
  OrganizationPictureChanged,
  OrganizationPictureEvent,
  OrganizationPictureRemoved,
} from '../../../events/organization-pictures/organization-pictures.events.js';
import type { Asker } from '../../../platform/kernel/client-connection.js';
import { Command, type Decide, type Decider, refuse } from '../../../platform/kernel/deciding.js';
import type { Administration } from '../../organization/domain/organization.js';
import type { MeasuredFile } from '../../uploads/domain/upload-file.js';

interface Picture {
  readonly version: number;
  /** The name of the uploaded picture; null: the organization has the default. */
  readonly fileId: string | null;
}

export type OrganizationPicturesState = Readonly<Record<OrganizationPicture, Picture>>;

const DEFAULT: Picture = { version: 1, fileId: null };

export const organizationPictures: Decider<OrganizationPicturesState, OrganizationPictureEvent> = {
  initialState: { icon: DEFAULT, logo: DEFAULT, nightLogo: DEFAULT },
  evolve: (state, event) => {
    switch (event.type) {
      case 'OrganizationPictureChanged': {
        const { picture, version, fileId } = event.data;
        return { ...state, [picture]: { version, fileId } };
      }
      case 'OrganizationPictureRemoved': {
        const { picture, version } = event.data;
        return { ...state, [picture]: { version, fileId: null } };
      }
      default:
        event satisfies never;
        return state;
    }
  },
};

export class ChangeOrganizationPicture extends Command<{
  kind: 'icon' | 'logo';
  /** The picture as the client sends it. */
  content: AsyncIterable<Uint8Array>;
  asker: Asker;
  /** Tells which picture it becomes. Called when the content has been read: a client may say it after the file. */
  becomes: () => Promise<OrganizationPicture>;
}> {}

interface ChangePictureFacts extends Administration {
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
