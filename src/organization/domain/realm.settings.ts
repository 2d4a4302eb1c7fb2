import {
  defaultGroupSetting,
  type GroupSettingValue,
  type PermissionSetting,
  permissionSetting,
} from '../../kernel/group-setting.js';

/** Who may do what in the organisation (api.md, Realm settings), with the published defaults. */
export const REALM_PERMISSIONS = {
  can_access_all_users_group: permissionSetting('role:everyone', {
    requireSystemGroup: true,
    allowNobody: false,
    allowEveryone: true,
    allowedSystemGroups: ['role:everyone'],
  }),
  can_add_custom_emoji_group: permissionSetting('role:members', { allowNobody: false }),
  can_add_subscribers_group: permissionSetting('role:members'),
  can_create_bots_group: permissionSetting('role:members'),
  can_create_groups: permissionSetting('role:members', { allowNobody: false }),
  can_create_private_channel_group: permissionSetting('role:members', { allowNobody: false }),
  can_create_public_channel_group: permissionSetting('role:members', { allowNobody: false }),
  can_create_web_public_channel_group: permissionSetting('role:owners', {
    requireSystemGroup: true,
    allowedSystemGroups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_create_write_only_bots_group: permissionSetting('role:members'),
  can_delete_any_message_group: permissionSetting('role:administrators'),
  can_delete_own_message_group: permissionSetting('role:everyone', { allowEveryone: true }),
  can_invite_users_group: permissionSetting('role:members'),
  can_manage_all_groups: permissionSetting('role:owners', { allowNobody: false }),
  can_manage_billing_group: permissionSetting('role:administrators', { allowNobody: false }),
  can_mention_many_users_group: permissionSetting('role:administrators', { allowEveryone: true }),
  can_move_messages_between_channels_group: permissionSetting('role:members'),
  can_move_messages_between_topics_group: permissionSetting('role:everyone', { allowEveryone: true }),
  can_resolve_topics_group: permissionSetting('role:everyone', { allowEveryone: true }),
  can_set_delete_message_policy_group: permissionSetting('role:moderators'),
  can_set_topics_policy_group: permissionSetting('role:members', { allowNobody: false }),
  can_summarize_topics_group: permissionSetting('role:everyone', { allowEveryone: true }),
  create_multiuse_invite_group: permissionSetting('role:administrators'),
  direct_message_initiator_group: permissionSetting('role:everyone', { allowEveryone: true }),
  direct_message_permission_group: permissionSetting('role:everyone', { allowEveryone: true }),
} as const satisfies Record<string, PermissionSetting>;

export type RealmPermission = keyof typeof REALM_PERMISSIONS;

/**
 * The other settings that can be changed, and their values until somebody does. Times are seconds, periods days; null
 * in a limit means that there is none (api-coverage §1.1, Realm settings).
 */
export interface PlainRealmSettings {
  readonly allow_message_editing: boolean;
  readonly default_code_block_language: string;
  readonly default_language: string;
  readonly description: string;
  readonly digest_emails_enabled: boolean;
  readonly digest_weekday: number;
  readonly disallow_disposable_email_addresses: boolean;
  readonly email_changes_disabled: boolean;
  readonly emails_restricted_to_domains: boolean;
  readonly enable_guest_user_dm_warning: boolean;
  readonly enable_guest_user_indicator: boolean;
  readonly enable_read_receipts: boolean;
  readonly giphy_rating: number;
  readonly inline_image_preview: boolean;
  readonly inline_url_embed_preview: boolean;
  readonly invite_required: boolean;
  /** null: as the server has it. */
  readonly jitsi_server_url: string | null;
  readonly message_content_allowed_in_email_notifications: boolean;
  readonly message_content_delete_limit_seconds: number | null;
  readonly message_content_edit_limit_seconds: number | null;
  readonly message_edit_history_visibility_policy: 'all' | 'moves' | 'none';
  readonly message_retention_days: number;
  readonly moderation_request_channel_id: number;
  readonly move_messages_between_streams_limit_seconds: number | null;
  readonly move_messages_within_stream_limit_seconds: number | null;
  readonly name: string;
  readonly name_changes_disabled: boolean;
  readonly new_stream_announcements_stream_id: number;
  readonly org_type: number;
  readonly presence_disabled: boolean;
  readonly require_e2ee_push_notifications: boolean;
  readonly require_unique_names: boolean;
  readonly send_welcome_emails: boolean;
  readonly signup_announcements_stream_id: number;
  readonly topics_policy: 'allow_empty_topic' | 'disable_empty_topic';
  readonly video_chat_provider: number;
  readonly waiting_period_threshold: number;
  readonly want_advertise_in_communities_directory: boolean;
  readonly welcome_message_custom_text: string;
  readonly zulip_update_announcements_stream_id: number;
}

const WEEK_SECONDS = 604_800;

/** What an organisation starts with; `name` is given when it is created. */
export const PLAIN_REALM_DEFAULTS: PlainRealmSettings = {
  allow_message_editing: true,
  default_code_block_language: '',
  default_language: 'en',
  description: '',
  digest_emails_enabled: false,
  digest_weekday: 1,
  disallow_disposable_email_addresses: true,
  email_changes_disabled: false,
  emails_restricted_to_domains: false,
  enable_guest_user_dm_warning: true,
  enable_guest_user_indicator: true,
  enable_read_receipts: false,
  giphy_rating: 0,
  inline_image_preview: true,
  inline_url_embed_preview: false,
  invite_required: true,
  jitsi_server_url: null,
  message_content_allowed_in_email_notifications: true,
  message_content_delete_limit_seconds: 600,
  message_content_edit_limit_seconds: 600,
  message_edit_history_visibility_policy: 'all',
  message_retention_days: -1,
  moderation_request_channel_id: -1,
  move_messages_between_streams_limit_seconds: WEEK_SECONDS,
  move_messages_within_stream_limit_seconds: WEEK_SECONDS,
  name: '',
  name_changes_disabled: false,
  new_stream_announcements_stream_id: -1,
  org_type: 0,
  presence_disabled: false,
  require_e2ee_push_notifications: false,
  require_unique_names: false,
  send_welcome_emails: true,
  signup_announcements_stream_id: -1,
  topics_policy: 'allow_empty_topic',
  video_chat_provider: 0,
  waiting_period_threshold: 0,
  want_advertise_in_communities_directory: false,
  welcome_message_custom_text: '',
  zulip_update_announcements_stream_id: -1,
};

export type RealmSettings = PlainRealmSettings & Readonly<Record<RealmPermission, GroupSettingValue>>;

/** By its bare name: `realm_` and it in the register response. */
export type RealmSetting = keyof RealmSettings;

/** Every setting of an organisation whose owner has set none. */
export const REALM_DEFAULTS: RealmSettings = {
  ...PLAIN_REALM_DEFAULTS,
  ...(Object.fromEntries(
    Object.entries(REALM_PERMISSIONS).map(([name, setting]) => [name, defaultGroupSetting(setting)]),
  ) as Record<RealmPermission, GroupSettingValue>),
};

/** Settings that name a channel. */
export const CHANNEL_SETTINGS = [
  'moderation_request_channel_id',
  'new_stream_announcements_stream_id',
  'signup_announcements_stream_id',
  'zulip_update_announcements_stream_id',
] as const satisfies readonly (keyof PlainRealmSettings)[];

/** None, where a setting names a channel. */
export const NO_CHANNEL = -1;
