import type { ChannelPermission } from '../../../events/channels/channels.settings.js';

type Words = Readonly<Record<string, string>>;

const ELSEWHERE = ', besides those who may in all channels';

/** By the names of the permissions, what their holders may do. */
export const PERMISSIONS: Readonly<Record<ChannelPermission, string>> = {
  can_add_subscribers_group: `Who may subscribe others${ELSEWHERE}`,
  can_administer_channel_group: 'Who may change and archive the channel, as administrators may',
  can_delete_any_message_group: `Who may delete any message of the channel${ELSEWHERE}`,
  can_delete_own_message_group: `Who may delete their own messages in the channel${ELSEWHERE}`,
  can_move_messages_out_of_channel_group: `Who may move messages to other channels${ELSEWHERE}`,
  can_move_messages_within_channel_group: `Who may move messages to other topics of the channel${ELSEWHERE}`,
  can_remove_subscribers_group: 'Who may unsubscribe others',
  can_resolve_topics_group: `Who may resolve topics, and unresolve them${ELSEWHERE}`,
  can_send_message_group: 'Who may send messages to the channel',
  can_subscribe_group: 'Who may read the channel and subscribe themselves, though it is private',
};

const DEFAULTS: Words = {
  can_administer_channel_group: 'the creator',
  can_remove_subscribers_group: 'administrators',
  can_send_message_group: 'everyone',
};

const withDefaults = (words: Words): Words =>
  Object.fromEntries(
    Object.entries(words).map(([name, said]) => [name, `${said}. Default: ${DEFAULTS[name] ?? 'nobody'}`]),
  );

export const RETENTION =
  '`realm_default` or `unlimited`. A number of days is refused: no message is deleted for its age. For owners';
export const TOPICS =
  'Whether messages may be in the topic with the empty name, and in others. `inherit`: as in the organization. For those in `can_set_topics_policy_group`';

/** Options of new channels, for every operation that creates channels. */
export const NEW_CHANNEL: Words = {
  invite_only: 'Whether the channel is private. Default false',
  is_web_public: 'true is refused: no channel can be read without an account',
  is_default_stream:
    'Whether new accounts are subscribed to the channel, which is public then. For administrators. Default false',
  history_public_to_subscribers:
    'Whether new subscribers read the messages from before. Default: true for a public channel, which has no other value, and false for a private one',
  message_retention_days: `${RETENTION}. Default: \`realm_default\``,
  topics_policy: `${TOPICS}. Default: \`inherit\``,
  folder_id: 'The id of the folder of the channel. Default null: none',
  ...withDefaults(PERMISSIONS),
};

/** The form of the permissions of a new channel. */
export const PERMISSION_FORM =
  'A permission is the id of a group, or an object with `direct_members`, ids of accounts, and `direct_subgroups`, ids of groups.';
