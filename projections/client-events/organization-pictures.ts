import { picturesForClients } from '../../src/directory/organization-pictures.js';
import type {
  OrganizationPicture,
  OrganizationPictureEvent,
} from '../../src/events/organization-pictures/organization-pictures.events.js';
import { EVERYONE } from './client-event.js';
import type { ClientEventRule, ClientEventRules } from './directory-rules.js';
import { realmUpdateDict } from './organization.js';

/** The properties of `realm/update_dict` that name the pictures. */
const PROPERTIES = {
  icon: 'icon',
  logo: 'logo',
  nightLogo: 'night_logo',
} as const satisfies Readonly<Record<OrganizationPicture, string>>;

const pictureChanged: ClientEventRule<OrganizationPictureEvent> = (event, after) => {
  const { picture } = event.data;
  const data = picturesForClients[picture](after('organization', 'organization'));
  return [realmUpdateDict.of(event, EVERYONE, { property: PROPERTIES[picture], data })];
};

export const organizationPictureRules: ClientEventRules<OrganizationPictureEvent> = {
  OrganizationPictureChanged: pictureChanged,
  OrganizationPictureRemoved: pictureChanged,
};
