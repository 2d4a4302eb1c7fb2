import type { UserEvent } from '../../src/users/domain/users.events.js';
import { botCreated, botDiffers, botHandedOver, botsWithRole } from './bots.js';
import { defaultChannelsWithRole } from './default-channels.js';
import { silent, type TellingRules } from './directory-rules.js';
import { EVERYONE, entry, told } from './entries.js';
import { memberAgain } from './member-again.js';
import { changedSystemGroups, joinedSystemGroups } from './system-groups.js';

/** Of accounts. Each change of one is an event of its own (api-coverage §1.2, endpoint 8). */
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
      botCreated(event, after('users', _id)),
      ...(await joinedSystemGroups(event, after('users', _id), documents)),
    ];
  },
  BotOwnerChanged: (event, after) => {
    const { userId: user_id, from, to: bot_owner_id } = event.data;
    return [
      told(event, 'realm_user/update', EVERYONE, { person: { user_id, bot_owner_id } }),
      ...botHandedOver(event, after('users', user_id), from),
    ];
  },
  UserRenamed: (event, after) => {
    const { userId: user_id, to: full_name } = event.data;
    return [
      told(event, 'realm_user/update', EVERYONE, { person: { user_id, full_name } }),
      ...botDiffers(event, after('users', user_id), { full_name }),
    ];
  },
  UserRoleChanged: async (event, after, documents) => {
    const { userId: user_id, to } = event.data;
    const own = { userIds: [user_id] };
    return [
      entry(event, 'stream/gained', own, {}),
      told(event, 'realm_user/update', EVERYONE, { person: { user_id, role: to } }),
      ...(await defaultChannelsWithRole(event, documents)),
      ...(await botsWithRole(event, documents)),
      ...(await changedSystemGroups(event, after('users', user_id), documents)),
      entry(event, 'subscription/gained', own, {}),
      entry(event, 'stream/lost', own, {}),
    ];
  },
  UserEmailChanged: (event) => {
    const { userId: user_id, to: email } = event.data;
    return [
      told(event, 'realm_user/update', EVERYONE, { person: { user_id, delivery_email: email } }),
      told(event, 'realm_user/update', EVERYONE, { person: { user_id, new_email: email } }, { nth: 1 }),
      entry(event, 'realm_user/avatar', EVERYONE, { userId: user_id, email }),
    ];
  },
  UserProfileChanged: (event) => {
    const { userId: user_id, fieldId: id, to: value, rendered } = event.data;
    const html = rendered === null ? {} : { rendered_value: rendered };
    const person = { user_id, custom_profile_field: { id, value, ...html } };
    return [told(event, 'realm_user/update', EVERYONE, { person })];
  },
  PasswordChanged: silent,
  ApiKeyIssued: silent,
  ApiKeysRegenerated: silent,
  // Clients take the account out of groups and permissions by themselves.
  UserDeactivated: (event, after) => {
    const { userId } = event.data;
    return [
      entry(event, 'subscription/gone', EVERYONE, { userId }),
      told(event, 'realm_user/update', EVERYONE, { person: { user_id: userId, is_active: false } }),
      ...botDiffers(event, after('users', userId), { is_active: false }),
    ];
  },
  UserReactivated: async (event, after, documents) => {
    const { userId } = event.data;
    return [
      told(event, 'realm_user/update', EVERYONE, { person: { user_id: userId, is_active: true } }),
      ...botDiffers(event, after('users', userId), { is_active: true }),
      entry(event, 'subscription/back', EVERYONE, { userId }),
      ...(await memberAgain(event, after('users', userId), documents)),
    ];
  },
  PermissionGranted: silent,
  PermissionRevoked: silent,
};
