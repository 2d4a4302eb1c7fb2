import type { UserEvent } from '../../src/users/domain/users.events.js';
import { silent, type TellingRules } from './directory-rules.js';
import { EVERYONE, entry, told } from './entries.js';

export const userTelling: TellingRules<UserEvent> = {
  UserCreated: (event) => {
    const { userId: _id, email, fullName, role } = event.data;
    return [entry(event, 'realm_user/add', EVERYONE, { user: { _id, email, fullName, role, bot: null } })];
  },
  BotCreated: (event) => {
    const { userId: _id, email, fullName, role, botType: type, ownerId } = event.data;
    const bot = { type, ownerId };
    return [entry(event, 'realm_user/add', EVERYONE, { user: { _id, email, fullName, role, bot } })];
  },
  BotOwnerChanged: silent,
  UserRenamed: silent,
  UserRoleChanged: silent,
  UserEmailChanged: silent,
  UserProfileChanged: silent,
  ApiKeyIssued: silent,
  ApiKeysRegenerated: silent,
  UserDeactivated: (event) => {
    const person = { user_id: event.data.userId, is_active: false };
    return [told(event, 'realm_user/update', EVERYONE, { person })];
  },
  UserReactivated: silent,
  PermissionGranted: silent,
  PermissionRevoked: silent,
};
