import { ACTS, type Act } from './topic-habits.settings.js';

/** What older clients know as notification settings; the values until somebody chooses otherwise. */
const NOTIFICATIONS = {
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_offline_email_notifications: false,
  enable_offline_push_notifications: false,
  enable_online_push_notifications: false,
  enable_digest_emails: false,
  enable_login_emails: false,
  enable_marketing_emails: false,
  enable_stream_desktop_notifications: false,
  enable_stream_email_notifications: false,
  enable_stream_push_notifications: false,
  enable_stream_audible_notifications: false,
  wildcard_mentions_notify: true,
  message_content_in_email_notifications: true,
  pm_content_in_desktop_notifications: true,
  email_notifications_batching_period_seconds: 120,
  notification_sound: 'zulip',
  desktop_icon_count_display: 1,
  realm_name_in_email_notifications_policy: 1,
  presence_enabled: true,
};

/** What older clients know as display settings. */
const DISPLAY = {
  color_scheme: 1,
  default_language: 'en',
  demote_inactive_streams: 1,
  emojiset: 'google',
  enable_drafts_synchronization: true,
  enter_sends: false,
  fluid_layout_width: false,
  high_contrast_mode: false,
  left_side_userlist: false,
  starred_message_counts: true,
  timezone: '',
  translate_emoticons: false,
  twenty_four_hour_time: false,
  web_home_view: 'inbox',
};

const OTHERS = {
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_email_notifications: false,
  enable_followed_topic_push_notifications: false,
  enable_followed_topic_audible_notifications: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  web_mark_read_on_scroll_policy: 1,
  web_channel_default_view: 1,
  receives_typing_notifications: true,
  web_suggest_update_timezone: true,
  web_font_size_px: 16,
  web_line_height_percent: 140,
  display_emoji_reaction_users: true,
  web_escape_navigates_to_home_view: true,
  user_list_style: 2,
  web_animate_image_previews: 'on_hover',
  web_stream_unreads_count_display_policy: 2,
  hide_ai_features: true,
  web_left_sidebar_show_channel_folders: true,
  web_left_sidebar_unreads_count_summary: true,
  automatically_follow_topics_where_mentioned: true,
  resolved_topic_notice_auto_read_policy: 'never',
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  send_read_receipts: true,
  allow_private_data_export: false,
  email_address_visibility: 1,
  web_navigate_to_sent_message: true,
};

/** What some settings are chosen from. The register response offers the same to clients. */
export const NOTIFICATION_SOUNDS = ['zulip'] as const;
export const EMOJI_SETS = ['google', 'twitter', 'text'] as const;
export const HOME_VIEWS = ['recent_topics', 'inbox', 'all_messages'] as const;
export const IMAGE_ANIMATIONS = ['always', 'on_hover', 'never'] as const;
export const RESOLVED_NOTICE_POLICIES = ['always', 'except_followed', 'never'] as const;

type NotificationSettings = Readonly<typeof NOTIFICATIONS>;
type DisplaySettings = Readonly<typeof DISPLAY>;

/** Every setting that somebody has for themselves, by the API's names and in its values. */
export interface UserSettingValues extends NotificationSettings, DisplaySettings, Readonly<typeof OTHERS> {
  readonly automatically_follow_topics_policy: Act;
  readonly automatically_unmute_topics_in_muted_streams_policy: Act;
}

export type UserSetting = keyof UserSettingValues;

/** What everybody has until they choose otherwise. */
export const DEFAULT_USER_SETTINGS: UserSettingValues = {
  ...NOTIFICATIONS,
  ...DISPLAY,
  ...OTHERS,
  automatically_follow_topics_policy: ACTS.start,
  automatically_unmute_topics_in_muted_streams_policy: ACTS.send,
};

/** All of them, given those that somebody has chosen. */
export const userSettings = (chosen: Partial<UserSettingValues> = {}): UserSettingValues => ({
  ...DEFAULT_USER_SETTINGS,
  ...chosen,
});

/** One of them: nothing is copied for what is asked of every message. */
export const userSetting = <S extends UserSetting>(
  chosen: Partial<UserSettingValues> = {},
  setting: S,
): UserSettingValues[S] => chosen[setting] ?? DEFAULT_USER_SETTINGS[setting];

/** What clients that are older than `user_settings` are told of; absent: nothing. */
export const olderKindOf = (setting: UserSetting): 'display' | 'notifications' | undefined =>
  setting in NOTIFICATIONS ? 'notifications' : setting in DISPLAY ? 'display' : undefined;

/** Of all settings, those that older clients know as display settings, or as notification settings. */
export const olderSettings = (settings: UserSettingValues, kind: 'display' | 'notifications'): object =>
  Object.fromEntries(Object.entries(settings).filter(([setting]) => olderKindOf(setting as UserSetting) === kind));
