import type {
  OrganizationPicture,
  OrganizationPictureEvent,
} from '../../../events/organization-pictures/organization-pictures.events.js';
import type { Decider } from '../../../platform/kernel/deciding.js';

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
