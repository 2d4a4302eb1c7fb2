import { checkedBy, oneOf, type ValueType } from '../../platform/kernel/value-type.js';
import {
  type GroupSettingValue,
  type OlderPolicies,
  olderPolicyOf,
  type PermissionDefault,
  type PermissionRules,
  type PermissionSetting,
  permissionSetting,
} from '../shared/group-setting.js';

interface ChannelPermissionSetting extends PermissionSetting {
  /** Another right that a change needs: reading the channel (`content`), or a permission of the organization. */
  readonly needs?: 'content' | 'can_set_delete_message_policy_group';
}

const permission = (
  defaultsTo: PermissionDefault,
  more: Partial<PermissionRules> & Pick<ChannelPermissionSetting, 'needs'> = {},
): ChannelPermissionSetting => ({ ...permissionSetting(defaultsTo, more), ...more });

/** The permissions of a channel, with the API's defaults. */
export const CHANNEL_PERMISSIONS = {
  can_add_subscribers_group: permission('role:nobody', { needs: 'content' }),
  can_administer_channel_group: permission('creator'),
  can_delete_any_message_group: permission('role:nobody', { needs: 'can_set_delete_message_policy_group' }),
  can_delete_own_message_group: permission('role:nobody', {
    allowEveryone: true,
    needs: 'can_set_delete_message_policy_group',
  }),
  can_move_messages_out_of_channel_group: permission('role:nobody'),
  can_move_messages_within_channel_group: permission('role:nobody', { allowEveryone: true }),
  can_remove_subscribers_group: permission('role:administrators'),
  can_resolve_topics_group: permission('role:nobody', { allowEveryone: true }),
  can_send_message_group: permission('role:everyone', { allowEveryone: true }),
  can_subscribe_group: permission('role:nobody', { needs: 'content' }),
} satisfies Record<string, ChannelPermissionSetting>;

export type ChannelPermission = keyof typeof CHANNEL_PERMISSIONS;

/** Permissions whose holders see a private channel without a subscription. Client events store groups in this order. */
export const VISIBILITY_PERMISSIONS = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const satisfies readonly ChannelPermission[];

export type ChannelPermissions = Readonly<Record<ChannelPermission, GroupSettingValue>>;

const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const;
export type TopicsPolicy = (typeof TOPICS_POLICIES)[number];

/** Sent as bare text, or by some clients as a JSON string. */
export const topicsPolicy: ValueType<TopicsPolicy> = { ...oneOf(TOPICS_POLICIES), form: 'json-or-text' };

/** Days of a channel whose messages are kept for ever. */
const FOR_EVER = -1;

/** The retention that a channel has: the days in older logs do not count, because no message is deleted for its age. */
export const retentionInForce = (days: number | null): number | null => (days === FOR_EVER ? FOR_EVER : null);

/** Days as JSON or text, or a word; -1: for ever, null: the organization's setting. */
export const retention = checkedBy<number | null>(
  {
    name: 'isTextOrInteger',
    test: (value) => typeof value === 'string' || Number.isSafeInteger(value),
    complaint: 'a number of days',
  },
  { form: 'json-or-text', words: { unlimited: FOR_EVER, realm_default: null } },
);

/** Whether a channel is private (`inviteOnly`), and whether new subscribers read earlier messages. */
export interface ChannelPrivacy {
  readonly inviteOnly: boolean;
  readonly historyPublicToSubscribers: boolean;
}

/** The numbers by which older clients know who may post. */
export const POST_POLICIES = {
  'role:everyone': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
} as const satisfies OlderPolicies;

export const postPolicyOf = ({ can_send_message_group }: Pick<ChannelPermissions, 'can_send_message_group'>): number =>
  olderPolicyOf(can_send_message_group, POST_POLICIES);
