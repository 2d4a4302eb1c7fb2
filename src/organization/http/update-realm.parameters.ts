import { GroupSettingChange } from '../../http/parameters/group-setting.decorators.js';
import { Flag, NumberFrom, NumberOf, Text, WordOf } from '../../http/parameters/setting.decorators.js';
import type { GroupSettingUpdate } from '../../kernel/group-setting-rules.js';
import type { PlainRealmSettings } from '../domain/realm.settings.js';
import {
  EDIT_HISTORY_POLICIES,
  GIPHY_RATINGS,
  LANGUAGES,
  ORGANIZATION_TYPES,
  VIDEO_CHAT_PROVIDERS,
} from '../domain/realm-choices.settings.js';
import { ChannelIdOrNone, Days, Limit, ServerUrl } from './realm-setting.decorators.js';

type Unlimited = 'unlimited';
type Change = GroupSettingUpdate;

const idsOf = (choices: Readonly<Record<string, { readonly id: number }>>): number[] =>
  Object.values(choices).map(({ id }) => id);

/** `PATCH /realm`: a line for each setting that can be changed, and for the old name that clients still send. */
export class UpdateRealmParameters {
  @Flag() readonly allow_edit_history?: boolean;
  @Flag() readonly allow_message_editing?: boolean;
  @GroupSettingChange() readonly can_access_all_users_group?: Change;
  @GroupSettingChange() readonly can_add_custom_emoji_group?: Change;
  @GroupSettingChange() readonly can_add_subscribers_group?: Change;
  @GroupSettingChange() readonly can_create_bots_group?: Change;
  @GroupSettingChange() readonly can_create_groups?: Change;
  @GroupSettingChange() readonly can_create_private_channel_group?: Change;
  @GroupSettingChange() readonly can_create_public_channel_group?: Change;
  @GroupSettingChange() readonly can_create_web_public_channel_group?: Change;
  @GroupSettingChange() readonly can_create_write_only_bots_group?: Change;
  @GroupSettingChange() readonly can_delete_any_message_group?: Change;
  @GroupSettingChange() readonly can_delete_own_message_group?: Change;
  @GroupSettingChange() readonly can_invite_users_group?: Change;
  @GroupSettingChange() readonly can_manage_all_groups?: Change;
  @GroupSettingChange() readonly can_manage_billing_group?: Change;
  @GroupSettingChange() readonly can_mention_many_users_group?: Change;
  @GroupSettingChange() readonly can_move_messages_between_channels_group?: Change;
  @GroupSettingChange() readonly can_move_messages_between_topics_group?: Change;
  @GroupSettingChange() readonly can_resolve_topics_group?: Change;
  @GroupSettingChange() readonly can_set_delete_message_policy_group?: Change;
  @GroupSettingChange() readonly can_set_topics_policy_group?: Change;
  @GroupSettingChange() readonly can_summarize_topics_group?: Change;
  @GroupSettingChange() readonly create_multiuse_invite_group?: Change;
  @Text(40) readonly default_code_block_language?: string;
  @WordOf(LANGUAGES) readonly default_language?: string;
  @Text(1000) readonly description?: string;
  @Flag() readonly digest_emails_enabled?: boolean;
  @NumberFrom(0, 6) readonly digest_weekday?: number;
  @GroupSettingChange() readonly direct_message_initiator_group?: Change;
  @GroupSettingChange() readonly direct_message_permission_group?: Change;
  @Flag() readonly disallow_disposable_email_addresses?: boolean;
  @Flag() readonly email_changes_disabled?: boolean;
  @Flag() readonly emails_restricted_to_domains?: boolean;
  @Flag() readonly enable_guest_user_dm_warning?: boolean;
  @Flag() readonly enable_guest_user_indicator?: boolean;
  @Flag() readonly enable_read_receipts?: boolean;
  @NumberOf(idsOf(GIPHY_RATINGS)) readonly giphy_rating?: number;
  @Flag() readonly inline_image_preview?: boolean;
  @Flag() readonly inline_url_embed_preview?: boolean;
  @Flag() readonly invite_required?: boolean;
  @ServerUrl() readonly jitsi_server_url?: string;
  @Flag() readonly mandatory_topics?: boolean;
  @Flag() readonly message_content_allowed_in_email_notifications?: boolean;
  @Limit() readonly message_content_delete_limit_seconds?: number | null | Unlimited;
  @Limit() readonly message_content_edit_limit_seconds?: number | null | Unlimited;
  @WordOf(EDIT_HISTORY_POLICIES)
  readonly message_edit_history_visibility_policy?: PlainRealmSettings['message_edit_history_visibility_policy'];
  @Days() readonly message_retention_days?: number | Unlimited;
  @ChannelIdOrNone() readonly moderation_request_channel_id?: number;
  @Limit() readonly move_messages_between_streams_limit_seconds?: number | null | Unlimited;
  @Limit() readonly move_messages_within_stream_limit_seconds?: number | null | Unlimited;
  @Text(40) readonly name?: string;
  @Flag() readonly name_changes_disabled?: boolean;
  @ChannelIdOrNone() readonly new_stream_announcements_stream_id?: number;
  @NumberOf(ORGANIZATION_TYPES) readonly org_type?: number;
  @Flag() readonly presence_disabled?: boolean;
  @Flag() readonly require_e2ee_push_notifications?: boolean;
  @Flag() readonly require_unique_names?: boolean;
  @Flag() readonly send_welcome_emails?: boolean;
  @ChannelIdOrNone() readonly signup_announcements_stream_id?: number;
  @WordOf(['allow_empty_topic', 'disable_empty_topic'])
  readonly topics_policy?: PlainRealmSettings['topics_policy'];
  @NumberOf(idsOf(VIDEO_CHAT_PROVIDERS)) readonly video_chat_provider?: number;
  @NumberFrom(0) readonly waiting_period_threshold?: number;
  @Flag() readonly want_advertise_in_communities_directory?: boolean;
  @Text(8000) readonly welcome_message_custom_text?: string;
  @ChannelIdOrNone() readonly zulip_update_announcements_stream_id?: number;
}
