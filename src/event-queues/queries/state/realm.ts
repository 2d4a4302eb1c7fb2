import { MAX_CHANNEL_DESCRIPTION, MAX_CHANNEL_NAME } from '../../../channels/domain/create-channel.js';
import type { OrganizationRecord } from '../../../directory/directory.records.js';
import {
  EMPTY_TOPIC_DISPLAY_NAME,
  MAX_MESSAGE_LENGTH,
  MAX_TOPIC_LENGTH,
} from '../../../messages/domain/send-message.js';
import { realmPermissionSettings, supportedPermissionSettings } from './permission-settings.js';

/** What of `realm` the organisation's record does not say. */
export interface RealmFacts {
  /** Public URL of the server. */
  readonly site: string;
  readonly heartbeatAfterMs: number;
  /** Unix seconds. */
  readonly startedAt: number;
}

/** How much longer than a heartbeat clients wait for an answer, at least. */
const PATIENCE_SECONDS = 40;
const LEAST_LONGPOLL_SECONDS = 90;

/** Everything that `fetch_event_types` calls `realm`. What does not exist yet is told as switched off. */
export function realmState(organization: OrganizationRecord | null, facts: RealmFacts): object {
  const { site, heartbeatAfterMs, startedAt } = facts;
  const longpoll = Math.max(LEAST_LONGPOLL_SECONDS, Math.ceil(heartbeatAfterMs / 1000) + PATIENCE_SECONDS);
  return {
    ...LIMITS,
    ...SERVER,
    ...REALM,
    ...realmPermissionSettings,
    realm_name: organization?.name ?? '',
    realm_date_created: Math.floor((organization?.createdAt ?? 0) / 1000),
    realm_url: site,
    realm_uri: site,
    realm_bot_domain: site === '' ? '' : new URL(site).hostname,
    server_generation: startedAt,
    event_queue_longpoll_timeout_seconds: longpoll,
    server_supported_permission_settings: supportedPermissionSettings,
  };
}

const LIMITS = {
  max_message_length: MAX_MESSAGE_LENGTH,
  max_topic_length: MAX_TOPIC_LENGTH,
  max_stream_name_length: MAX_CHANNEL_NAME,
  max_stream_description_length: MAX_CHANNEL_DESCRIPTION,
  max_channel_folder_name_length: 60,
  max_channel_folder_description_length: 1024,
  max_reminder_note_length: 100,
  max_bulk_new_subscription_messages: 0,
  max_file_upload_size_mib: 0,
  max_avatar_file_size_mib: 0,
  max_icon_file_size_mib: 0,
  max_logo_file_size_mib: 0,
  password_min_length: 8,
  password_max_length: 100,
  password_min_guesses: 0,
} as const;

const SERVER = {
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 140,
  server_typing_started_wait_period_milliseconds: 10_000,
  server_typing_stopped_wait_period_milliseconds: 5_000,
  server_typing_started_expiry_period_milliseconds: 15_000,
  server_min_deactivated_realm_deletion_days: null,
  server_max_deactivated_realm_deletion_days: null,
  server_inline_image_preview: false,
  server_inline_url_embed_preview: false,
  server_thumbnail_formats: [],
  server_avatar_changes_disabled: true,
  server_name_changes_disabled: true,
  server_needs_upgrade: false,
  server_web_public_streams_enabled: false,
  server_jitsi_server_url: null,
  server_can_summarize_topics: false,
  development_environment: false,
  settings_send_digest_emails: false,
  zulip_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: '',
  giphy_rating_options: { disabled: { id: 0, name: 'No GIFs' } },
  jitsi_server_url: '',
} as const;

const REALM = {
  realm_description: '',
  realm_icon_url: '',
  realm_icon_source: 'G',
  realm_logo_url: '',
  realm_logo_source: 'D',
  realm_night_logo_url: '',
  realm_night_logo_source: 'D',
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_topics_policy: 'allow_empty_topic',
  realm_mandatory_topics: false,
  realm_message_retention_days: -1,
  realm_message_edit_history_visibility_policy: 'all',
  realm_allow_edit_history: true,
  realm_allow_message_editing: false,
  realm_message_content_edit_limit_seconds: null,
  realm_message_content_delete_limit_seconds: null,
  realm_move_messages_within_stream_limit_seconds: null,
  realm_move_messages_between_streams_limit_seconds: null,
  realm_create_public_stream_policy: 1,
  realm_create_private_stream_policy: 1,
  realm_create_web_public_stream_policy: 6,
  realm_wildcard_mention_policy: 6,
  realm_waiting_period_threshold: 0,
  realm_default_language: 'en',
  realm_default_code_block_language: '',
  realm_welcome_message_custom_text: '',
  realm_digest_emails_enabled: false,
  realm_digest_weekday: 1,
  realm_disallow_disposable_email_addresses: false,
  realm_email_changes_disabled: true,
  realm_name_changes_disabled: true,
  realm_avatar_changes_disabled: true,
  realm_invite_required: true,
  realm_emails_restricted_to_domains: false,
  realm_send_welcome_emails: false,
  realm_message_content_allowed_in_email_notifications: false,
  realm_inline_image_preview: false,
  realm_inline_url_embed_preview: false,
  realm_require_unique_names: false,
  realm_require_e2ee_push_notifications: false,
  realm_push_notifications_enabled: false,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_enable_spectator_access: false,
  realm_want_advertise_in_communities_directory: false,
  realm_enable_read_receipts: false,
  realm_enable_guest_user_indicator: true,
  realm_enable_guest_user_dm_warning: true,
  realm_presence_disabled: true,
  realm_video_chat_provider: 0,
  realm_available_video_chat_providers: { disabled: { id: 0, name: 'None' } },
  realm_jitsi_server_url: null,
  realm_giphy_rating: 0,
  realm_authentication_methods: { Email: { enabled: true, available: true } },
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_is_zephyr_mirror_realm: false,
  realm_org_type: 0,
  realm_plan_type: 1,
  realm_upload_quota_mib: null,
  realm_default_external_accounts: {},
  realm_moderation_request_channel_id: -1,
  realm_new_stream_announcements_stream_id: -1,
  realm_signup_announcements_stream_id: -1,
  realm_zulip_update_announcements_stream_id: -1,
} as const;
