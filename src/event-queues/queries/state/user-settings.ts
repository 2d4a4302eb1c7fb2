import { DEFAULT_HABITS } from '../../../personal/domain/topic-habits.settings.js';

/** What everybody's settings are while nobody can change them. */
const NOTIFICATION_SETTINGS = {
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
} as const;

const DISPLAY_SETTINGS = {
  color_scheme: 1,
  default_language: 'en',
  demote_inactive_streams: 1,
  emojiset: 'google',
  enable_drafts_synchronization: false,
  enter_sends: false,
  fluid_layout_width: false,
  high_contrast_mode: false,
  left_side_userlist: false,
  starred_message_counts: true,
  timezone: '',
  translate_emoticons: false,
  twenty_four_hour_time: false,
  web_home_view: 'inbox',
} as const;

const CHOICES = {
  available_notification_sounds: ['zulip'],
  emojiset_choices: [
    { key: 'google', text: 'Google' },
    { key: 'twitter', text: 'Twitter' },
    { key: 'text', text: 'Plain text' },
  ],
} as const;

/** What `realm_user_settings_defaults` leaves out: it belongs to one account. */
const PERSONAL = { timezone: DISPLAY_SETTINGS.timezone } as const;

const { timezone: _timezone, ...DISPLAY_DEFAULTS } = DISPLAY_SETTINGS;

const settingsDefaults = {
  ...NOTIFICATION_SETTINGS,
  ...DISPLAY_DEFAULTS,
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
  automatically_follow_topics_policy: DEFAULT_HABITS.follow,
  automatically_unmute_topics_in_muted_streams_policy: DEFAULT_HABITS.unmute,
  automatically_follow_topics_where_mentioned: DEFAULT_HABITS.followWhereMentioned,
  resolved_topic_notice_auto_read_policy: 'never',
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  send_read_receipts: true,
  allow_private_data_export: false,
  email_address_visibility: 1,
  web_navigate_to_sent_message: true,
  ...CHOICES,
} as const;

/** `user_settings`. */
export const userSettings = { ...settingsDefaults, ...PERSONAL } as const;

/** `realm_user_settings_defaults`. */
export const realmUserSettingsDefaults = settingsDefaults;

/** The same at the top level, for clients from before `user_settings`. */
export const legacyNotificationSettings = {
  ...NOTIFICATION_SETTINGS,
  available_notification_sounds: CHOICES.available_notification_sounds,
} as const;

export const legacyDisplaySettings = { ...DISPLAY_SETTINGS, emojiset_choices: CHOICES.emojiset_choices } as const;
