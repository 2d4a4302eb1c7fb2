import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../events/channels/channels.settings.js';
import { REALM_PERMISSIONS, type RealmPermission } from '../events/organization/realm.settings.js';
import { SYSTEM_GROUP_IDS } from '../events/shared/group-setting.js';
import { ROLES } from '../events/shared/role.js';
import { USER_GROUP_PERMISSIONS, type UserGroupPermission } from '../events/user-groups/user-groups.settings.js';
import type { SpecialPermission } from '../events/users/users.settings.js';
import { refuse } from '../platform/kernel/deciding.js';
import type { Directory } from './directory.js';
import type { ChannelRecord, UserGroupRecord, UserRecord } from './directory.records.js';

/** An action on the organization, a channel or a user group that needs a permission. */
export type Action =
  | RealmPermission
  | SpecialPermission
  /** Allowed to owners and administrators. */
  | 'administer'
  | 'own'
  | { readonly channel: ChannelRecord; readonly to: ChannelAction }
  | { readonly group: UserGroupRecord; readonly to: UserGroupAction };

export type ChannelAction =
  /** Knows of the channel, its name and its subscribers. */
  | 'see'
  /** Reads the channel's messages. */
  | 'read'
  | 'join'
  | 'post'
  | 'add subscribers'
  | 'remove subscribers'
  /** Renames, describes and archives the channel, and sets its permissions. */
  | 'administer'
  /** What the permission allows. Some may do it without the permission, administrators for instance. */
  | ChannelPermission;

export type UserGroupAction = 'manage' | 'add members' | 'remove members' | 'join' | 'leave' | UserGroupPermission;

/**
 * Whether a user may do something, by the directory alone (D8). Every permission setting of the API is decided here. A
 * deactivated account may do nothing; null is the server itself, which may do everything.
 */
export function may(user: UserRecord | null, action: Action, directory: Directory): boolean {
  if (user === null) return true;
  if (!user.isActive) return false;
  if (typeof action === 'object')
    return 'channel' in action
      ? mayInChannel(user, action.to, action.channel, directory)
      : mayInGroup(user, action.to, action.group, directory);
  switch (action) {
    case 'own':
      return user.role === ROLES.owner;
    case 'administer':
      return isAdministrator(user);
    case 'can_audit_group':
      return user.role === ROLES.owner || isGiven(user, directory.settings[action], false, directory);
    case 'can_change_user_emails':
    case 'can_create_users':
      return user.specialPermissions.includes(action);
    default:
      return isGiven(user, directory.settings[action], REALM_PERMISSIONS[action].allowEveryone, directory);
  }
}

/**
 * Refuses guests (GUESTS_NOT_ALLOWED) and bots (BOTS_NOT_ALLOWED). Checked before any permission setting, so that the
 * refusal names the reason that no setting can change.
 */
export function requireMember({ role, bot }: UserRecord): void {
  if (role === ROLES.guest) refuse('GUESTS_NOT_ALLOWED');
  if (bot !== null) refuse('BOTS_NOT_ALLOWED');
}

/** Owners are administrators too. */
export const isAdministrator = ({ role }: Pick<UserRecord, 'role'>): boolean =>
  role === ROLES.owner || role === ROLES.administrator;

function mayInChannel(user: UserRecord, action: ChannelAction, channel: ChannelRecord, directory: Directory): boolean {
  const also = (other: ChannelAction): boolean => mayInChannel(user, other, channel, directory);
  const everywhere = (permission: RealmPermission): boolean => may(user, permission, directory);
  const given = (permission: ChannelPermission): boolean =>
    isGiven(user, channel.permissions[permission], CHANNEL_PERMISSIONS[permission].allowEveryone, directory);
  const isIn = (): boolean => directory.isSubscribed(user._id, channel._id);
  const isGuest = user.role === ROLES.guest;
  switch (action) {
    case 'see':
      return also('read') || also('administer');
    case 'read':
      if (isIn()) return true;
      return channel.inviteOnly ? given('can_subscribe_group') || given('can_add_subscribers_group') : !isGuest;
    case 'join':
    case 'can_subscribe_group':
      // Archived channels included: their subscriptions can change.
      return !isGuest && also('read');
    case 'post':
    case 'can_send_message_group':
      if (channel.isArchived || !given('can_send_message_group')) return false;
      // Users may not write where they could not read their own message.
      return isIn() || ((channel.historyPublicToSubscribers || !channel.inviteOnly) && also('read'));
    case 'add subscribers':
    case 'can_add_subscribers_group':
      if (isGuest || !also('read')) return false;
      return given('can_add_subscribers_group') || everywhere('can_add_subscribers_group') || also('administer');
    case 'remove subscribers':
    case 'can_remove_subscribers_group':
      return also('administer') || (given('can_remove_subscribers_group') && also('see'));
    case 'administer':
    case 'can_administer_channel_group':
      return isAdministrator(user) || given('can_administer_channel_group');
    case 'can_delete_any_message_group':
      return (given(action) || everywhere(action)) && also('read');
    case 'can_delete_own_message_group':
      if (also('can_delete_any_message_group')) return true;
      return (given(action) || everywhere(action)) && also('read');
    case 'can_move_messages_out_of_channel_group':
      if (!also('read')) return false;
      return given(action) || everywhere('can_move_messages_between_channels_group') || also('administer');
    case 'can_move_messages_within_channel_group':
      if (!also('read')) return false;
      return given(action) || everywhere('can_move_messages_between_topics_group') || also('administer');
    case 'can_resolve_topics_group':
      return (given(action) || everywhere(action)) && also('read');
    default:
      return action satisfies never;
  }
}

function mayInGroup(user: UserRecord, action: UserGroupAction, group: UserGroupRecord, directory: Directory): boolean {
  const also = (other: UserGroupAction): boolean => mayInGroup(user, other, group, directory);
  const given = (permission: UserGroupPermission): boolean =>
    isGiven(user, group.permissions[permission], USER_GROUP_PERMISSIONS[permission].allowEveryone, directory);
  switch (action) {
    case 'manage':
    case 'can_manage_group':
      return may(user, 'can_manage_all_groups', directory) || given('can_manage_group');
    case 'add members':
    case 'can_add_members_group':
      return given('can_add_members_group') || also('manage');
    case 'remove members':
    case 'can_remove_members_group':
      return given('can_remove_members_group') || also('manage');
    case 'join':
    case 'can_join_group':
      return given('can_join_group') || also('add members');
    case 'leave':
    case 'can_leave_group':
      return given('can_leave_group') || also('remove members');
    case 'can_mention_group':
      return !group.isDeactivated && given(action);
    default:
      return action satisfies never;
  }
}

/** @param guests whether the permission may be given to guests */
function isGiven(
  user: UserRecord,
  value: ChannelRecord['permissions'][ChannelPermission],
  guests: boolean,
  directory: Directory,
): boolean {
  if (user.role === ROLES.guest && !guests) return false;
  return value !== SYSTEM_GROUP_IDS['role:nobody'] && directory.isInGroup(user, value);
}
