import type { UserEvent } from '../../src/users/domain/users.events.js';
import { silent, type TellingRules } from './directory-rules.js';
import { EVERYONE, entry, told } from './entries.js';
import { memberAgain } from './member-again.js';
import { changedSystemGroups, joinedSystemGroups } from './system-groups.js';

export const userTelling: TellingRules<UserEvent> = {
  UserCreated: async (event, after, documents) => {
    const { userId: _id, email, fullName, role } = event.data;
    return [
      entry(event, 'realm_user/add', EVERYONE, { user: { _id, email, fullName, role, bot: null } }),
      ...(await joinedSystemGroups(event, after('users', _id), documents)),
    ];
  },
  BotCreated: async (event, after, documents) => {
    const { userId: _id, email, fullName, role, botType: type, ownerId } = event.data;
    const bot = { type, ownerId };
    return [
      entry(event, 'realm_user/add', EVERYONE, { user: { _id, email, fullName, role, bot } }),
      ...(await joinedSystemGroups(event, after('users', _id), documents)),
    ];
  },
  BotOwnerChanged: silent,
  UserRenamed: silent,
  UserRoleChanged: (event, after, documents) =>
    changedSystemGroups(event, after('users', event.data.userId), documents),
  UserEmailChanged: silent,
  UserProfileChanged: silent,
  ApiKeyIssued: silent,
  ApiKeysRegenerated: silent,
  UserDeactivated: (event) => {
    const person = { user_id: event.data.userId, is_active: false };
    return [told(event, 'realm_user/update', EVERYONE, { person })];
  },
  UserReactivated: (event, after, documents) => memberAgain(event, after('users', event.data.userId), documents),
  PermissionGranted: silent,
  PermissionRevoked: silent,
};
