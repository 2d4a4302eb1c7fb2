import { type SettingGroup, whoMay } from '../../platform/setting-rows.js';
import type { OrganizationSetting } from './organization-rows.js';

/** Permissions of the organization that the server asks for. */
export const ORGANIZATION_PERMISSIONS: readonly SettingGroup<OrganizationSetting>[] = [
  {
    id: 'who-messages',
    title: 'Who may do what with messages',
    rows: [
      whoMay('can_delete_own_message_group', 'Delete their own messages'),
      whoMay('can_delete_any_message_group', 'Delete messages of others'),
      whoMay('can_set_delete_message_policy_group', 'Choose who deletes messages in channels that they administer'),
      whoMay('can_move_messages_between_topics_group', 'Move messages to another topic'),
      whoMay('can_move_messages_between_channels_group', 'Move messages to another channel'),
      whoMay('can_resolve_topics_group', 'Mark topics as resolved'),
      whoMay('can_mention_many_users_group', 'Mention all at once where they are many'),
      whoMay('direct_message_initiator_group', 'Begin direct conversations'),
      whoMay('direct_message_permission_group', 'One of these is in each direct conversation'),
    ],
  },
  {
    id: 'who-channels',
    title: 'Who may do what with channels',
    rows: [
      whoMay('can_create_public_channel_group', 'Make public channels'),
      whoMay('can_create_private_channel_group', 'Make private channels'),
      whoMay('can_add_subscribers_group', 'Add others to channels'),
      whoMay(
        'can_set_topics_policy_group',
        'Choose whether channels that they administer have messages without a topic',
      ),
    ],
  },
  {
    id: 'who-people',
    title: 'Who may do what with people and groups',
    rows: [
      whoMay('can_invite_users_group', 'Invite by mail'),
      whoMay('create_multiuse_invite_group', 'Make invitation links'),
      whoMay('can_create_groups', 'Make groups'),
      whoMay('can_manage_all_groups', 'Change all groups'),
      whoMay('can_create_bots_group', 'Make bots of every kind'),
      whoMay('can_create_write_only_bots_group', 'Make bots that only send messages'),
      whoMay('can_add_custom_emoji_group', 'Add emoji'),
    ],
  },
];
