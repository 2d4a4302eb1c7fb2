import { createHash } from 'node:crypto';
import type { OrganizationPicture } from '../events/organization-pictures/organization-pictures.events.js';
import type { OrganizationRecord } from './directory.records.js';

/** The path of uploaded pictures, outside of the API. */
export const ORGANIZATION_PICTURES_PATH = 'user_avatars/1/realm';

/** The paths of the logos of an organization that has uploaded none. */
export const DEFAULT_LOGO_PATHS = {
  logo: 'static/images/logo/default.svg',
  nightLogo: 'static/images/logo/default-night.svg',
} as const;

interface PictureForClients {
  readonly url: string;
  readonly isUploaded: boolean;
}

/** Gives the organization's icon or logo. The URL has no host if the picture is this server's, as clients expect. */
export function organizationPicture(picture: OrganizationPicture, organization: OrganizationRecord): PictureForClients {
  const { fileId, version } = organization.pictures?.[picture] ?? { fileId: null, version: 1 };
  if (fileId === null) return { url: defaultUrl(picture, organization), isUploaded: false };
  return { url: `/${ORGANIZATION_PICTURES_PATH}/${picture}/${fileId}.png?version=${version}`, isUploaded: true };
}

/** The default icon is a pattern: each organization has its own, by the time of its creation. */
function defaultUrl(picture: OrganizationPicture, { createdAt }: OrganizationRecord): string {
  if (picture !== 'icon') return `/${DEFAULT_LOGO_PATHS[picture]}`;
  const digest = createHash('md5').update(`organization ${createdAt}`).digest('hex');
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon`;
}

/** What register calls the fields of the pictures, and client events without `realm_`. */
export const picturesForClients = {
  icon: (organization: OrganizationRecord) => {
    const { url, isUploaded } = organizationPicture('icon', organization);
    return { icon_url: url, icon_source: isUploaded ? 'U' : 'G' } as const;
  },
  logo: (organization: OrganizationRecord) => {
    const { url, isUploaded } = organizationPicture('logo', organization);
    return { logo_url: url, logo_source: isUploaded ? 'U' : 'D' } as const;
  },
  nightLogo: (organization: OrganizationRecord) => {
    const { url, isUploaded } = organizationPicture('nightLogo', organization);
    return { night_logo_url: url, night_logo_source: isUploaded ? 'U' : 'D' } as const;
  },
} as const;
