import { CHANNEL_PERMISSIONS, type ChannelPermission } from '../events/channels/channels.settings.js';
import { REALM_PERMISSIONS, type RealmPermission } from '../events/organization/realm.settings.js';
import { type GroupSettingValue, type PermissionRules, SYSTEM_GROUP_IDS } from '../events/shared/group-setting.js';
import { ROLES } from '../events/shared/role.js';
import { USER_GROUP_PERMISSIONS, type UserGroupPermission } from '../events/user-groups/user-groups.settings.js';
import type { SpecialPermission } from '../events/users/users.settings.js';
import { type CommandContext, refuse } from '../platform/kernel/deciding.js';
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

/** A permission setting or a fact that a decision asked for. */
export type PermissionCheck = {
  readonly holds: boolean;
} & (
  | {
      readonly asks: 'setting';
      readonly setting: RealmPermission | ChannelPermission | UserGroupPermission;
      readonly of: 'organization' | 'channel' | 'group';
      readonly value: GroupSettingValue;
      /** Whether guests may have the permission. */
      readonly guests: boolean;
    }
  | { readonly asks: 'fact'; readonly fact: Fact }
);

export const FACTS = [
  'account is active',
  'account is no guest',
  'account is a person',
  'account is an owner',
  'account is an administrator',
  'account was granted the permission',
  'account is subscribed',
  'channel is public',
  'channel is not archived',
  'subscribers read earlier messages',
  'group is active',
] as const;
type Fact = (typeof FACTS)[number];

/** Permissions that no bot has, whatever the setting says. */
const FOR_PEOPLE: ReadonlySet<RealmPermission> = new Set([
  'can_add_custom_emoji_group',
  'can_create_groups',
  'can_invite_users_group',
  'create_multiuse_invite_group',
]);

interface Judging {
  readonly user: UserRecord;
  readonly directory: Directory;
  /** Is told of each check, in order. The last one settles the decision. */
  readonly tell?: (check: PermissionCheck) => void;
}

/**
 * Whether a user may do something, by the directory alone (D8). Every permission setting of the API is decided here. A
 * deactivated account may do nothing; null is the server itself, which may do everything.
 */
export const may = (user: UserRecord | null, action: Action, directory: Directory): boolean =>
  user === null || decided(action, { user, directory });

/** The same decision, with all that it asked for until it was made. */
export function why(
  user: UserRecord,
  action: Action,
  directory: Directory,
): { readonly allowed: boolean; readonly checks: readonly PermissionCheck[] } {
  const checks: PermissionCheck[] = [];
  return { allowed: decided(action, { user, directory, tell: (check) => checks.push(check) }), checks };
}

function decided(action: Action, judging: Judging): boolean {
  const { user } = judging;
  if (!isTrue('account is active', user.isActive, judging)) return false;
  if (typeof action === 'object')
    return 'channel' in action
      ? mayInChannel(action.to, action.channel, judging)
      : mayInGroup(action.to, action.group, judging);
  switch (action) {
    case 'own':
      return isOwner(judging);
    case 'administer':
      return administers(judging);
    case 'can_audit_group':
      return isOwner(judging) || isGivenEverywhere(action, judging);
    case 'can_change_user_emails':
    case 'can_create_users':
      return isTrue('account was granted the permission', user.specialPermissions.includes(action), judging);
    default:
      if (FOR_PEOPLE.has(action) && !isTrue('account is a person', user.bot === null, judging)) return false;
      return isGivenEverywhere(action, judging);
  }
}

function isTrue(fact: Fact, holds: boolean, { tell }: Judging): boolean {
  tell?.({ asks: 'fact', fact, holds });
  return holds;
}

const isOwner = (judging: Judging): boolean =>
  isTrue('account is an owner', judging.user.role === ROLES.owner, judging);

const administers = (judging: Judging): boolean =>
  isTrue('account is an administrator', isAdministrator(judging.user), judging);

/**
 * Refuses guests (GUESTS_NOT_ALLOWED) and bots (BOTS_NOT_ALLOWED). Checked before any permission setting, so that the
 * refusal names the reason that no setting can change.
 */
export function requireMember({ role, bot }: UserRecord): void {
  if (role === ROLES.guest) refuse('GUESTS_NOT_ALLOWED');
  if (bot !== null) refuse('BOTS_NOT_ALLOWED');
}

/**
 * The account that acts; null is the server itself.
 * @throws DomainError USER_NOT_FOUND
 */
export const actorOf = ({ actorId }: Pick<CommandContext, 'actorId'>, directory: Directory): UserRecord | null =>
  actorId === null ? null : directory.existingUser(actorId);

/** @throws DomainError INVALID_CHANNEL_ID also if the reader may not do that in the channel */
export function channelFor(
  reader: UserRecord,
  channelId: number,
  to: 'see' | 'read',
  directory: Directory,
): ChannelRecord {
  const channel = directory.channel(channelId);
  return channel && may(reader, { channel, to }, directory) ? channel : refuse('INVALID_CHANNEL_ID');
}

/** Owners are administrators too. */
export const isAdministrator = ({ role }: Pick<UserRecord, 'role'>): boolean =>
  role === ROLES.owner || role === ROLES.administrator;

function mayInChannel(action: ChannelAction, channel: ChannelRecord, judging: Judging): boolean {
  const also = (other: ChannelAction): boolean => mayInChannel(other, channel, judging);
  const everywhere = (permission: RealmPermission): boolean => isGivenEverywhere(permission, judging);
  const given = (permission: ChannelPermission): boolean =>
    isGiven(permission, 'channel', channel.permissions[permission], CHANNEL_PERMISSIONS[permission], judging);
  const isIn = (): boolean =>
    isTrue('account is subscribed', judging.directory.isSubscribed(judging.user._id, channel._id), judging);
  const isNoGuest = (): boolean => isTrue('account is no guest', judging.user.role !== ROLES.guest, judging);
  const isPublic = (): boolean => isTrue('channel is public', !channel.inviteOnly, judging);
  const hasOpenHistory = (): boolean =>
    isTrue('subscribers read earlier messages', channel.historyPublicToSubscribers, judging);
  switch (action) {
    case 'see':
      return also('read') || also('administer');
    case 'read':
      if (isIn()) return true;
      return isPublic() ? isNoGuest() : given('can_subscribe_group') || given('can_add_subscribers_group');
    case 'join':
    case 'can_subscribe_group':
      // Archived channels included: their subscriptions can change.
      return isNoGuest() && also('read');
    case 'post':
    case 'can_send_message_group':
      if (!isTrue('channel is not archived', !channel.isArchived, judging) || !given('can_send_message_group'))
        return false;
      // Users may not write where they could not read their own message.
      return isIn() || ((hasOpenHistory() || isPublic()) && also('read'));
    case 'add subscribers':
    case 'can_add_subscribers_group':
      if (!isNoGuest() || !also('read')) return false;
      return given('can_add_subscribers_group') || everywhere('can_add_subscribers_group') || also('administer');
    case 'remove subscribers':
    case 'can_remove_subscribers_group':
      return also('administer') || (given('can_remove_subscribers_group') && also('see'));
    case 'administer':
    case 'can_administer_channel_group':
      return administers(judging) || given('can_administer_channel_group');
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

function mayInGroup(action: UserGroupAction, group: UserGroupRecord, judging: Judging): boolean {
  const also = (other: UserGroupAction): boolean => mayInGroup(other, group, judging);
  const given = (permission: UserGroupPermission): boolean =>
    isGiven(permission, 'group', group.permissions[permission], USER_GROUP_PERMISSIONS[permission], judging);
  switch (action) {
    case 'manage':
    case 'can_manage_group':
      return isGivenEverywhere('can_manage_all_groups', judging) || given('can_manage_group');
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
      return isTrue('group is active', !group.isDeactivated, judging) && given(action);
    default:
      return action satisfies never;
  }
}

const isGivenEverywhere = (permission: RealmPermission, judging: Judging): boolean =>
  isGiven(permission, 'organization', judging.directory.settings[permission], REALM_PERMISSIONS[permission], judging);

function isGiven(
  setting: RealmPermission | ChannelPermission | UserGroupPermission,
  of: 'organization' | 'channel' | 'group',
  value: GroupSettingValue,
  { allowEveryone: guests }: PermissionRules,
  { user, directory, tell }: Judging,
): boolean {
  const mayHave = guests || user.role !== ROLES.guest;
  const holds = mayHave && value !== SYSTEM_GROUP_IDS['role:nobody'] && directory.isInGroup(user, value);
  tell?.({ asks: 'setting', setting, of, value, guests, holds });
  return holds;
}
