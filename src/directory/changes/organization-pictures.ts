import type { OrganizationPictureEvent } from '../../events/organization-pictures/organization-pictures.events.js';
import { alters, type Rules } from './rule.js';

const organization = (): 'organization' => 'organization';

export const organizationPictureRules: Rules<OrganizationPictureEvent> = {
  OrganizationPictureChanged: alters('organization', organization, ({ data }, { pictures }) => {
    const { picture, version, fileId } = data;
    return { pictures: { ...pictures, [picture]: { version, fileId } } };
  }),
  OrganizationPictureRemoved: alters('organization', organization, ({ data }, { pictures }) => {
    const { picture, version } = data;
    return { pictures: { ...pictures, [picture]: { version, fileId: null } } };
  }),
};
