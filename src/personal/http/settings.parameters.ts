import { IsOptional, ValidateBy } from 'class-validator';
import { all, Flag, NumberFrom, NumberOf, Text, WordOf } from '../../http/parameters/setting.decorators.js';
import { LANGUAGES } from '../../organization/domain/realm-choices.settings.js';
import { ACTS, type Act } from '../domain/topic-habits.settings.js';
import {
  EMOJI_SETS,
  HOME_VIEWS,
  IMAGE_ANIMATIONS,
  NOTIFICATION_SOUNDS,
  RESOLVED_NOTICE_POLICIES,
} from '../domain/user.settings.js';

const WEEK_SECONDS = 604_800;
/** More than any name or password; how long a name may be is asked where names are. */
const MAX_TEXT = 1000;

const TimeZone = (): PropertyDecorator =>
  all(
    IsOptional(),
    ValidateBy({
      name: 'isTimeZone',
      validator: { validate: isTimeZone, defaultMessage: () => '$property is not a recognized time zone' },
    }),
  );

/** `PATCH /settings`: what is the account's own, and a line for each setting. */
export class SettingsParameters {
  @Text(MAX_TEXT) readonly full_name?: string;
  @Text(MAX_TEXT) readonly old_password?: string;
  @Text(MAX_TEXT) readonly new_password?: string;
  @Flag() readonly allow_private_data_export?: boolean;
  @NumberOf(Object.values(ACTS)) readonly automatically_follow_topics_policy?: Act;
  @Flag() readonly automatically_follow_topics_where_mentioned?: boolean;
  @NumberOf(Object.values(ACTS)) readonly automatically_unmute_topics_in_muted_streams_policy?: Act;
  @NumberOf([1, 2, 3]) readonly color_scheme?: number;
  @WordOf(LANGUAGES) readonly default_language?: string;
  @NumberOf([1, 2, 3]) readonly demote_inactive_streams?: number;
  @NumberOf([1, 2, 3, 4]) readonly desktop_icon_count_display?: number;
  @Flag() readonly display_emoji_reaction_users?: boolean;
  @NumberOf([1, 2, 3, 4, 5]) readonly email_address_visibility?: number;
  @NumberFrom(1, WEEK_SECONDS) readonly email_notifications_batching_period_seconds?: number;
  @WordOf(EMOJI_SETS) readonly emojiset?: string;
  @Flag() readonly enable_desktop_notifications?: boolean;
  @Flag() readonly enable_digest_emails?: boolean;
  @Flag() readonly enable_drafts_synchronization?: boolean;
  @Flag() readonly enable_followed_topic_audible_notifications?: boolean;
  @Flag() readonly enable_followed_topic_desktop_notifications?: boolean;
  @Flag() readonly enable_followed_topic_email_notifications?: boolean;
  @Flag() readonly enable_followed_topic_push_notifications?: boolean;
  @Flag() readonly enable_followed_topic_wildcard_mentions_notify?: boolean;
  @Flag() readonly enable_login_emails?: boolean;
  @Flag() readonly enable_marketing_emails?: boolean;
  @Flag() readonly enable_offline_email_notifications?: boolean;
  @Flag() readonly enable_offline_push_notifications?: boolean;
  @Flag() readonly enable_online_push_notifications?: boolean;
  @Flag() readonly enable_sounds?: boolean;
  @Flag() readonly enable_stream_audible_notifications?: boolean;
  @Flag() readonly enable_stream_desktop_notifications?: boolean;
  @Flag() readonly enable_stream_email_notifications?: boolean;
  @Flag() readonly enable_stream_push_notifications?: boolean;
  @Flag() readonly enter_sends?: boolean;
  @Flag() readonly fluid_layout_width?: boolean;
  @Flag() readonly hide_ai_features?: boolean;
  @Flag() readonly high_contrast_mode?: boolean;
  @Flag() readonly left_side_userlist?: boolean;
  @Flag() readonly message_content_in_email_notifications?: boolean;
  @WordOf([...NOTIFICATION_SOUNDS, 'none']) readonly notification_sound?: string;
  @Flag() readonly pm_content_in_desktop_notifications?: boolean;
  @Flag() readonly presence_enabled?: boolean;
  @NumberOf([1, 2, 3]) readonly realm_name_in_email_notifications_policy?: number;
  @Flag() readonly receives_typing_notifications?: boolean;
  @WordOf(RESOLVED_NOTICE_POLICIES) readonly resolved_topic_notice_auto_read_policy?: string;
  @Flag() readonly send_private_typing_notifications?: boolean;
  @Flag() readonly send_read_receipts?: boolean;
  @Flag() readonly send_stream_typing_notifications?: boolean;
  @Flag() readonly starred_message_counts?: boolean;
  @TimeZone() readonly timezone?: string;
  @Flag() readonly translate_emoticons?: boolean;
  @Flag() readonly twenty_four_hour_time?: boolean;
  @NumberOf([1, 2, 3]) readonly user_list_style?: number;
  @WordOf(IMAGE_ANIMATIONS) readonly web_animate_image_previews?: string;
  @NumberOf([1, 2, 3, 4]) readonly web_channel_default_view?: number;
  @Flag() readonly web_escape_navigates_to_home_view?: boolean;
  @NumberFrom(1) readonly web_font_size_px?: number;
  @WordOf(HOME_VIEWS) readonly web_home_view?: string;
  @Flag() readonly web_left_sidebar_show_channel_folders?: boolean;
  @Flag() readonly web_left_sidebar_unreads_count_summary?: boolean;
  @NumberFrom(1) readonly web_line_height_percent?: number;
  @NumberOf([1, 2, 3]) readonly web_mark_read_on_scroll_policy?: number;
  @Flag() readonly web_navigate_to_sent_message?: boolean;
  @NumberOf([1, 2, 3]) readonly web_stream_unreads_count_display_policy?: number;
  @Flag() readonly web_suggest_update_timezone?: boolean;
  @Flag() readonly wildcard_mentions_notify?: boolean;
}

/** An IANA name; the platform takes offsets too. */
function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
