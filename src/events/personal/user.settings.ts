import { checkedBy, flag, integer, oneOf, oneOfNumbers } from '../../platform/kernel/value-type.js';
import { LANGUAGES } from '../organization/realm-choices.settings.js';
import { defaultsOf, type SettingRow, settingsTable, type ValuesOf } from '../shared/settings.js';
import { AUTO_FOLLOW_TRIGGERS } from './auto-topic-policy.settings.js';

/** The choices of some settings. The register response offers the same to clients. */
export const NOTIFICATION_SOUNDS = ['zulip', 'ding'] as const;
const EMOJI_SETS = ['google', 'twitter', 'text'] as const;
const HOME_VIEWS = ['recent_topics', 'inbox', 'all_messages'] as const;
const IMAGE_ANIMATIONS = ['always', 'on_hover', 'never'] as const;
const RESOLVED_NOTICE_POLICIES = ['always', 'except_followed', 'never'] as const;

const WEEK_SECONDS = 604_800;

const trigger = oneOfNumbers(Object.values(AUTO_FOLLOW_TRIGGERS));

/** An IANA name, not an offset, which the platform would take too. A chosen zone cannot be unset. */
const timeZone = checkedBy<string>(
  { name: 'isTimeZone', test: isTimeZone, complaint: 'a recognized time zone' },
  { unchosen: '' },
);

type OlderKind = 'display' | 'notifications';

/** A setting that each user has, and changes alone. */
interface PersonalSetting extends SettingRow {
  /** The kind under which clients without `user_settings` know the setting; absent: they do not know it. */
  readonly older?: OlderKind;
}

/** All settings of users, by the API's names and with its values. */
export const USER_SETTINGS = settingsTable<PersonalSetting>()({
  enable_desktop_notifications: { type: flag, default: true, older: 'notifications' },
  enable_sounds: { type: flag, default: true, older: 'notifications' },
  enable_offline_email_notifications: { type: flag, default: false, older: 'notifications' },
  enable_offline_push_notifications: { type: flag, default: true, older: 'notifications' },
  enable_online_push_notifications: { type: flag, default: true, older: 'notifications' },
  enable_digest_emails: { type: flag, default: false, older: 'notifications' },
  enable_login_emails: { type: flag, default: false, older: 'notifications' },
  enable_marketing_emails: { type: flag, default: false, older: 'notifications' },
  enable_stream_desktop_notifications: { type: flag, default: false, older: 'notifications' },
  enable_stream_email_notifications: { type: flag, default: false, older: 'notifications' },
  enable_stream_push_notifications: { type: flag, default: false, older: 'notifications' },
  enable_stream_audible_notifications: { type: flag, default: false, older: 'notifications' },
  wildcard_mentions_notify: { type: flag, default: true, older: 'notifications' },
  message_content_in_email_notifications: { type: flag, default: true, older: 'notifications' },
  pm_content_in_desktop_notifications: { type: flag, default: true, older: 'notifications' },
  email_notifications_batching_period_seconds: {
    type: integer({ min: 1, max: WEEK_SECONDS }),
    default: 120,
    older: 'notifications',
  },
  notification_sound: { type: oneOf([...NOTIFICATION_SOUNDS, 'none']), default: 'zulip', older: 'notifications' },
  desktop_icon_count_display: { type: oneOfNumbers([1, 2, 3, 4]), default: 1, older: 'notifications' },
  realm_name_in_email_notifications_policy: { type: oneOfNumbers([1, 2, 3]), default: 1, older: 'notifications' },
  presence_enabled: { type: flag, default: true, older: 'notifications' },
  color_scheme: { type: oneOfNumbers([1, 2, 3]), default: 1, older: 'display' },
  default_language: { type: oneOf(LANGUAGES), default: 'en', older: 'display' },
  demote_inactive_streams: { type: oneOfNumbers([1, 2, 3]), default: 1, older: 'display' },
  emojiset: { type: oneOf(EMOJI_SETS), default: 'google', older: 'display' },
  enable_drafts_synchronization: { type: flag, default: true, older: 'display' },
  enter_sends: { type: flag, default: false, older: 'display' },
  fluid_layout_width: { type: flag, default: false, older: 'display' },
  high_contrast_mode: { type: flag, default: false, older: 'display' },
  left_side_userlist: { type: flag, default: false, older: 'display' },
  starred_message_counts: { type: flag, default: true, older: 'display' },
  timezone: { type: timeZone, default: '', older: 'display' },
  translate_emoticons: { type: flag, default: false, older: 'display' },
  twenty_four_hour_time: { type: flag, default: false, older: 'display' },
  web_home_view: { type: oneOf(HOME_VIEWS), default: 'inbox', older: 'display' },
  enable_followed_topic_desktop_notifications: { type: flag, default: true },
  enable_followed_topic_email_notifications: { type: flag, default: false },
  enable_followed_topic_push_notifications: { type: flag, default: true },
  enable_followed_topic_audible_notifications: { type: flag, default: true },
  enable_followed_topic_wildcard_mentions_notify: { type: flag, default: true },
  web_mark_read_on_scroll_policy: { type: oneOfNumbers([1, 2, 3]), default: 1 },
  web_channel_default_view: { type: oneOfNumbers([1, 2, 3, 4]), default: 1 },
  receives_typing_notifications: { type: flag, default: true },
  web_suggest_update_timezone: { type: flag, default: true },
  web_font_size_px: { type: integer({ min: 1 }), default: 16 },
  web_line_height_percent: { type: integer({ min: 1 }), default: 140 },
  display_emoji_reaction_users: { type: flag, default: true },
  web_escape_navigates_to_home_view: { type: flag, default: true },
  user_list_style: { type: oneOfNumbers([1, 2, 3]), default: 2 },
  web_animate_image_previews: { type: oneOf(IMAGE_ANIMATIONS), default: 'on_hover' },
  web_stream_unreads_count_display_policy: { type: oneOfNumbers([1, 2, 3]), default: 2 },
  hide_ai_features: { type: flag, default: true },
  web_left_sidebar_show_channel_folders: { type: flag, default: true },
  web_left_sidebar_unreads_count_summary: { type: flag, default: true },
  automatically_follow_topics_where_mentioned: { type: flag, default: true },
  resolved_topic_notice_auto_read_policy: { type: oneOf(RESOLVED_NOTICE_POLICIES), default: 'never' },
  send_private_typing_notifications: { type: flag, default: true },
  send_stream_typing_notifications: { type: flag, default: true },
  send_read_receipts: { type: flag, default: true },
  allow_private_data_export: { type: flag, default: false },
  email_address_visibility: { type: oneOfNumbers([1, 2, 3, 4, 5]), default: 1 },
  web_navigate_to_sent_message: { type: flag, default: true },
  automatically_follow_topics_policy: { type: trigger, default: AUTO_FOLLOW_TRIGGERS.start },
  automatically_unmute_topics_in_muted_streams_policy: { type: trigger, default: AUTO_FOLLOW_TRIGGERS.send },
});

export type UserSettingValues = ValuesOf<typeof USER_SETTINGS>;

export type UserSetting = keyof UserSettingValues;

/** The settings of a user who has chosen none. */
export const DEFAULT_USER_SETTINGS: UserSettingValues = defaultsOf(USER_SETTINGS);

/** All settings of a user. @param chosen the settings that the user has chosen */
export const userSettingValues = (chosen: Partial<UserSettingValues> = {}): UserSettingValues => ({
  ...DEFAULT_USER_SETTINGS,
  ...chosen,
});

/** One setting of a user. Copies nothing: it is read for every message. */
export const userSetting = <S extends UserSetting>(
  chosen: Partial<UserSettingValues> = {},
  setting: S,
): UserSettingValues[S] => chosen[setting] ?? DEFAULT_USER_SETTINGS[setting];

/** The kind under which older clients get the setting; absent: they do not get it. */
export const olderKindOf = (setting: UserSetting): OlderKind | undefined =>
  (USER_SETTINGS[setting] as PersonalSetting | undefined)?.older;

/** The settings of the kind that older clients know. */
export const olderSettings = (settings: UserSettingValues, kind: OlderKind): object =>
  Object.fromEntries(Object.entries(settings).filter(([setting]) => olderKindOf(setting as UserSetting) === kind));

/**
 * How names of zones are written. The platform takes them in any case, but clients look them up in lists that do not.
 */
const WORD = String.raw`(?:[A-Z][a-z]+|[A-Z]{1,4}|of|es|au|(?:Comod|Dumont|Easter|Baja|De|Mc)[A-Z][A-Za-z]+|[A-Z]{3}\d[A-Z]{3}|GMT[+-]?\d+)`;
const LIKE_A_ZONE = new RegExp(`^(?!Us/)${WORD}(?:[/_-]${WORD})*$`);

function isTimeZone(value: unknown): boolean {
  if (typeof value !== 'string' || !LIKE_A_ZONE.test(value)) return false;
  try {
    const { timeZone: known } = new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions();
    // Older names of a zone, which the platform translates, are kept.
    return known === value || known.toLowerCase() !== value.toLowerCase();
  } catch {
    return false;
  }
}
