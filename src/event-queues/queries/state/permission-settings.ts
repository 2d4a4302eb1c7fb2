import { SYSTEM_GROUP_IDS } from '../../../directory/system-groups.js';

type GroupName = keyof typeof SYSTEM_GROUP_IDS;

/** Who may do what in the organisation. Nobody may do what cannot be done yet. */
const REALM: Readonly<Record<string, GroupName>> = {
  can_access_all_users_group: 'everyone',
  can_add_custom_emoji_group: 'nobody',
  can_add_subscribers_group: 'members',
  can_create_bots_group: 'nobody',
  can_create_groups: 'nobody',
  can_create_private_channel_group: 'members',
  can_create_public_channel_group: 'members',
  can_create_web_public_channel_group: 'nobody',
  can_create_write_only_bots_group: 'nobody',
  can_delete_any_message_group: 'nobody',
  can_delete_own_message_group: 'nobody',
  can_invite_users_group: 'nobody',
  can_manage_all_groups: 'nobody',
  can_manage_billing_group: 'nobody',
  can_mention_many_users_group: 'nobody',
  can_move_messages_between_channels_group: 'nobody',
  can_move_messages_between_topics_group: 'nobody',
  can_resolve_topics_group: 'nobody',
  can_set_delete_message_policy_group: 'nobody',
  can_set_topics_policy_group: 'nobody',
  can_summarize_topics_group: 'nobody',
  create_multiuse_invite_group: 'nobody',
  direct_message_initiator_group: 'everyone',
  direct_message_permission_group: 'everyone',
};

/** The same within a channel, as records-for-clients tells it. */
const CHANNEL: Readonly<Record<string, GroupName>> = {
  can_add_subscribers_group: 'nobody',
  can_administer_channel_group: 'nobody',
  can_delete_any_message_group: 'nobody',
  can_delete_own_message_group: 'nobody',
  can_move_messages_out_of_channel_group: 'nobody',
  can_move_messages_within_channel_group: 'nobody',
  can_remove_subscribers_group: 'administrators',
  can_resolve_topics_group: 'nobody',
  can_send_message_group: 'everyone',
  can_subscribe_group: 'nobody',
};

/** The same within a user group, as system-groups tells it. */
const USER_GROUP: Readonly<Record<string, GroupName>> = {
  can_add_members_group: 'nobody',
  can_join_group: 'nobody',
  can_leave_group: 'nobody',
  can_manage_group: 'nobody',
  can_mention_group: 'nobody',
  can_remove_members_group: 'nobody',
};

/** `realm_can_…_group` and the like. */
export const realmPermissionSettings: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(REALM).map(([name, group]) => [`realm_${name}`, SYSTEM_GROUP_IDS[group]]),
);

/** What values the settings may take: those that they have. */
export const supportedPermissionSettings = {
  realm: supported(REALM),
  stream: supported(CHANNEL),
  group: supported(USER_GROUP),
};

function supported(settings: Readonly<Record<string, GroupName>>): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(settings).map(([name, group]) => [name, configuration(group)]));
}

function configuration(group: GroupName): object {
  return {
    require_system_group: true,
    allow_internet_group: false,
    allow_nobody_group: group === 'nobody',
    allow_everyone_group: group === 'everyone',
    default_group_name: `role:${group.toLowerCase()}`,
    default_for_system_groups: group === 'nobody' ? 'role:nobody' : null,
    allowed_system_groups: [`role:${group.toLowerCase()}`],
  };
}
