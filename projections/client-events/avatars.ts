import { avatarOf } from '../../src/directory/avatars.js';
import type { AvatarEvent } from '../../src/events/avatars/avatars.events.js';
import { EVERYONE } from './client-event.js';
import type { ClientEventRule, ClientEventRules } from './directory-rules.js';
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
