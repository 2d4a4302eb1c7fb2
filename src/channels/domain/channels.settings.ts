import {
  type GroupSettingValue,
  type PermissionSetting,
  permissionSetting,
  SYSTEM_GROUP_IDS,
  type SystemGroupName,
} from '../../kernel/group-setting.js';

/** Permissions of one channel (api.md, Other resources; api-coverage §1.1), with the published defaults. */
export const CHANNEL_PERMISSIONS = {
  can_add_subscribers_group: permissionSetting('role:nobody'),
  can_administer_channel_group: permissionSetting('creator'),
  can_delete_any_message_group: permissionSetting('role:nobody'),
  can_delete_own_message_group: permissionSetting('role:nobody', { allowEveryone: true }),
  can_move_messages_out_of_channel_group: permissionSetting('role:nobody'),
  can_move_messages_within_channel_group: permissionSetting('role:nobody', { allowEveryone: true }),
  can_remove_subscribers_group: permissionSetting('role:administrators'),
  can_resolve_topics_group: permissionSetting('role:nobody', { allowEveryone: true }),
  can_send_message_group: permissionSetting('role:everyone', { allowEveryone: true }),
  can_subscribe_group: permissionSetting('role:nobody'),
} as const satisfies Record<string, PermissionSetting>;

export type ChannelPermission = keyof typeof CHANNEL_PERMISSIONS;

export type ChannelPermissions = Readonly<Record<ChannelPermission, GroupSettingValue>>;

export const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const;
export type TopicsPolicy = (typeof TOPICS_POLICIES)[number];

/** Who may know of a channel and who reads what came before them. A private channel has `inviteOnly`. */
export interface ChannelPrivacy {
  readonly inviteOnly: boolean;
  readonly historyPublicToSubscribers: boolean;
}

/** How older clients are told who may post. */
export const POST_POLICIES = {
  'role:everyone': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
} as const satisfies Partial<Record<SystemGroupName, number>>;

/** What they cannot be told is told as open. */
export function postPolicyOf({ can_send_message_group }: Pick<ChannelPermissions, 'can_send_message_group'>): number {
  for (const [name, policy] of Object.entries(POST_POLICIES)) {
    if (can_send_message_group === SYSTEM_GROUP_IDS[name as SystemGroupName]) return policy;
  }
  return POST_POLICIES['role:everyone'];
}
