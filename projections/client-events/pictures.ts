import { avatarOf } from '../../src/directory/avatars.js';
import { picturesForClients } from '../../src/directory/organization-pictures.js';
import type { AvatarEvent } from '../../src/events/avatars/avatars.events.js';
import type { CustomEmojiEvent } from '../../src/events/custom-emoji/custom-emoji.events.js';
import type {
  OrganizationPicture,
  OrganizationPictureEvent,
} from '../../src/events/organization-pictures/organization-pictures.events.js';
import { clientEvent, EVERYONE } from './client-event.js';
import type { ClientEventRule, ClientEventRules } from './directory-rules.js';
import { realmUpdateDict } from './organization.js';
import { avatarUpdate, botDiffers } from './users.js';

const avatarChanged: ClientEventRule<AvatarEvent> = (event, after) => {
  const user = after('users', event.data.userId);
  const { _id: userId, email, avatar } = user;
  return [
    avatarUpdate.of(event, EVERYONE, { userId, email, ...(avatar && { avatar }) }),
    ...botDiffers(event, user, { avatar_url: avatarOf(user).url }),
  ];
};

export const avatarRules: ClientEventRules<AvatarEvent> = {
  AvatarChanged: avatarChanged,
  AvatarRemoved: avatarChanged,
};

/** Tells all custom emoji, as they are when the client event is sent. */
export const realmEmojiUpdate = clientEvent<Record<string, never>>()({ kind: 'realm_emoji/update', rank: 1024 });

const emojiChanged: ClientEventRule<CustomEmojiEvent> = (event) => [realmEmojiUpdate.of(event, EVERYONE, {})];

export const customEmojiRules: ClientEventRules<CustomEmojiEvent> = {
  CustomEmojiAdded: emojiChanged,
  CustomEmojiDeactivated: emojiChanged,
};

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
