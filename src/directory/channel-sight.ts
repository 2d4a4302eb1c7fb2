import type { ChannelPermissions, ChannelPrivacy } from '../channels/domain/channels.settings.js';
import { type GroupSettingValue, SYSTEM_GROUP_IDS } from '../kernel/group-setting.js';
import { ROLES, type Role } from '../kernel/role.js';

/** Who sees a channel without being subscribed, as a rule that can be asked of any moment. */
export interface ChannelSeers {
  readonly roles: readonly Role[];
  /** Groups whose members, unless they are guests, see it too. */
  readonly groups: readonly GroupSettingValue[];
}

const ADMINISTRATORS: readonly Role[] = [ROLES.owner, ROLES.administrator];
const MEMBERS: readonly Role[] = [...ADMINISTRATORS, ROLES.moderator, ROLES.member];

/** The same as `may(user, { channel, to: 'see' }, directory)` says of those who are not subscribed. */
export function seersOf(
  channel: Pick<ChannelPrivacy, 'inviteOnly'> & { permissions: ChannelPermissions },
): ChannelSeers {
  if (!channel.inviteOnly) return { roles: MEMBERS, groups: [] };
  const { can_administer_channel_group, can_add_subscribers_group, can_subscribe_group } = channel.permissions;
  const groups = [can_administer_channel_group, can_add_subscribers_group, can_subscribe_group];
  return { roles: ADMINISTRATORS, groups: groups.filter((group) => group !== SYSTEM_GROUP_IDS['role:nobody']) };
}
