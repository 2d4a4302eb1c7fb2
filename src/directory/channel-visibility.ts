import {
  type ChannelPermissions,
  type ChannelPrivacy,
  VISIBILITY_PERMISSIONS,
} from '../events/channels/channels.settings.js';
import { type GroupSettingValue, SYSTEM_GROUP_IDS } from '../events/shared/group-setting.js';
import { ADMINISTRATORS, ROLES, type Role } from '../events/shared/role.js';

/** The users who see a channel without being subscribed, as a rule that holds at any position of the log. */
export interface ChannelSeers {
  readonly roles: readonly Role[];
  /** Groups whose members, except guests, see the channel too. */
  readonly groups: readonly GroupSettingValue[];
}

const MEMBERS: readonly Role[] = [...ADMINISTRATORS, ROLES.moderator, ROLES.member];

/** Agrees with `may(user, { channel, to: 'see' }, directory)` for users who are not subscribed. */
export function seersOf(
  channel: Pick<ChannelPrivacy, 'inviteOnly'> & { permissions: ChannelPermissions },
): ChannelSeers {
  if (!channel.inviteOnly) return { roles: MEMBERS, groups: [] };
  const groups = VISIBILITY_PERMISSIONS.map((permission) => channel.permissions[permission]);
  return { roles: ADMINISTRATORS, groups: groups.filter((group) => group !== SYSTEM_GROUP_IDS['role:nobody']) };
}
