import type { AvatarEvent } from '../../events/avatars/avatars.events.js';
import type { OrganizationPictureEvent } from '../../events/organization-pictures/organization-pictures.events.js';
import { alters, ofUser, organization, type Rules } from './rule.js';

export const avatarRules: Rules<AvatarEvent> = {
  AvatarChanged: alters('users', ofUser, ({ data: { version, fileId, mediumFileId } }) => ({
    avatar: { version, files: { fileId, mediumFileId } },
  })),
  AvatarRemoved: alters('users', ofUser, ({ data: { version } }) => ({ avatar: { version, files: null } })),
};

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
