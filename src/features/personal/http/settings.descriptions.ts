import type { UserSetting } from '../../../events/personal/user.settings.js';

const FOLLOWED = 'a message in a topic that you follow';
const CHANNEL = 'a message in a channel, unless the channel or the topic has a setting of its own';
const DIRECT = 'a direct message or a mention';
const NO_MAIL = 'This server sends no such mails';

const POLICY =
  '1: you take part in it, by a message or a reaction. 2: you send a message to it. 3: you start it. 4: never';

const ACCOUNT = {
  full_name: 'Your new name, at most 100 characters. Ignored while `name_changes_disabled` is on, administrators aside',
  email: 'Your new address, which counts once you open the link that is mailed to it. Empty or your own: no change',
  old_password: 'Your password: needed with `new_password`, and checked with `email` if it is sent. Empty: none',
  new_password: 'Your new password, at most 100 characters. Empty: no change',
};

/** What each setting of a user is, by its name. */
export const SETTING_WORDS: Readonly<Record<UserSetting | keyof typeof ACCOUNT, string>> = {
  ...ACCOUNT,
  allow_private_data_export: 'Whether administrators may export your private messages. This server makes no exports',
  automatically_follow_topics_policy: `When you follow a topic by itself. ${POLICY}. Default 3`,
  automatically_follow_topics_where_mentioned:
    'Whether you follow topics in which you are mentioned by name. Default true',
  automatically_unmute_topics_in_muted_streams_policy: `When a topic of a channel that you have muted is unmuted by itself. ${POLICY}. Default 2`,
  color_scheme: '1, the default: as the device. 2: dark. 3: light',
  default_language: 'The language of the clients, by its code. Default `en`',
  demote_inactive_streams:
    'Whether clients show quiet channels apart. 1, the default: if you have many. 2: always. 3: never',
  desktop_icon_count_display:
    'What the number on the icon counts. 1, the default: all unread messages. 2: direct messages, mentions and followed topics. 3: direct messages and mentions. 4: nothing',
  display_emoji_reaction_users: 'Whether reactions are shown with names, if they are few. Default true',
  email_address_visibility:
    'Who is to see your address. 1, the default: everyone. 2: members. 3: administrators. 4: nobody. 5: moderators. For clients: this server shows addresses to all accounts',
  email_notifications_batching_period_seconds: `How many seconds mails of notifications wait for further messages, at most a week. Default 120. ${NO_MAIL}`,
  emojiset: 'The look of emoji: `google`, the default, `twitter`, or `text`',
  enable_desktop_notifications: `Whether clients show a notification of ${DIRECT}. Default true`,
  enable_digest_emails: `Whether you get mails of what you have missed. Default false. ${NO_MAIL}`,
  enable_drafts_synchronization:
    'Whether the server keeps your drafts. false deletes them from the server. Default true',
  enable_followed_topic_audible_notifications: `Whether clients make a sound for ${FOLLOWED}. Default true`,
  enable_followed_topic_desktop_notifications: `Whether clients show a notification of ${FOLLOWED}. Default true`,
  enable_followed_topic_email_notifications: `Whether you get a mail of ${FOLLOWED}. Default false. ${NO_MAIL}`,
  enable_followed_topic_push_notifications: `Whether your devices are notified of ${FOLLOWED}. Default true`,
  enable_followed_topic_wildcard_mentions_notify: `Whether a mention of all counts as a mention of you in a topic that you follow. Default true`,
  enable_login_emails: `Whether you get a mail of each login. Default false. ${NO_MAIL}`,
  enable_marketing_emails: `Whether you get mails of the operator's news. Default false. ${NO_MAIL}`,
  enable_offline_email_notifications: `Whether you get a mail of ${DIRECT} while you are away. Default false. ${NO_MAIL}`,
  enable_offline_push_notifications: `Whether your devices are notified of ${DIRECT}. Default true`,
  enable_online_push_notifications:
    'Whether your devices are notified while you are active at a client, too. Default true',
  enable_sounds: `Whether clients make a sound for ${DIRECT}. Default true`,
  enable_stream_audible_notifications: `Whether clients make a sound for ${CHANNEL}. Default false`,
  enable_stream_desktop_notifications: `Whether clients show a notification of ${CHANNEL}. Default false`,
  enable_stream_email_notifications: `Whether you get a mail of ${CHANNEL}. Default false. ${NO_MAIL}`,
  enable_stream_push_notifications: `Whether your devices are notified of ${CHANNEL}. Default false`,
  enter_sends: 'Whether the key Enter sends a message, instead of beginning a line. Default false',
  fluid_layout_width: 'Whether clients use the whole width of a window. Default false',
  hide_ai_features: 'Whether clients hide features that use language models. Default true',
  high_contrast_mode: 'Whether clients use strong contrasts. Default false',
  left_side_userlist: 'Whether clients show people on the left in narrow windows. Default false',
  message_content_in_email_notifications: `Whether mails of notifications quote the message. Default true. ${NO_MAIL}`,
  notification_sound: 'The sound of notifications: `zulip`, the default, `ding` or `none`',
  pm_content_in_desktop_notifications: 'Whether notifications of clients quote direct messages. Default true',
  presence_enabled: 'Whether others see when you are online. Default true',
  realm_name_in_email_notifications_policy: `Whether the subject of a mail names the organization. 1, the default: if you have several. 2: always. 3: never. ${NO_MAIL}`,
  receives_typing_notifications: 'Whether you are told who is typing. Default true',
  resolved_topic_notice_auto_read_policy:
    'Which notices of resolved topics are read for you: `always`, `except_followed`, or `never`, the default',
  send_private_typing_notifications: 'Whether others are told that you write a direct message. Default true',
  send_read_receipts: 'Whether others see which messages you have read. Default true',
  send_stream_typing_notifications: 'Whether others are told that you write a message to a channel. Default true',
  starred_message_counts: 'Whether clients show how many messages you have starred. Default true',
  timezone: 'Your time zone, by its IANA name: `Europe/Berlin`. Default empty, which cannot be chosen again',
  translate_emoticons: 'Whether clients turn emoticons like `:)` into emoji as you send them. Default false',
  twenty_four_hour_time: 'Whether clients show 15:00 instead of 3:00 PM. Default false',
  user_list_style: 'How clients list people. 1: compact. 2, the default: with their status. 3: with picture and status',
  web_animate_image_previews: 'When previews of pictures move: `always`, `on_hover`, the default, or `never`',
  web_channel_default_view:
    'What a click on a channel opens. 1, the default: its newest topic. 2: all its messages. 3: the list of its topics. 4: its newest topic with unread messages',
  web_escape_navigates_to_home_view: 'Whether the key Escape leads to the home view. Default true',
  web_font_size_px: 'The size of letters in pixels. Default 16',
  web_home_view: 'The home view: `recent_topics`, `inbox`, the default, or `all_messages`',
  web_left_sidebar_show_channel_folders: 'Whether the sidebar shows channels by their folders. Default true',
  web_left_sidebar_unreads_count_summary: 'Whether the sidebar counts all unread messages together. Default true',
  web_line_height_percent: 'The height of lines in percent of the size of letters. Default 140',
  web_mark_read_on_scroll_policy:
    'Where scrolling reads messages. 1, the default: everywhere. 2: in views of one conversation. 3: nowhere',
  web_navigate_to_sent_message: 'Whether clients go to the conversation of a message that you have sent. Default true',
  web_stream_unreads_count_display_policy:
    'Which channels show how many messages are unread. 1: all. 2, the default: channels and topics that are not muted. 3: none',
  web_suggest_update_timezone:
    'Whether clients ask you to change `timezone` if the device has another one. Default true',
  wildcard_mentions_notify: 'Whether a mention of all counts as a mention of you. Default true',
};
