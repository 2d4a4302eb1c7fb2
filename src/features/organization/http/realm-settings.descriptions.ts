const without = (feature: string): string => `No other value than the default: the server has no ${feature}`;

const permissions = {
  can_access_all_users_group: 'Who sees all accounts; only `role:everyone` is possible',
  can_add_custom_emoji_group: 'Who adds custom emoji',
  can_add_subscribers_group: 'Who subscribes others to channels',
  can_audit_group: 'Who audits besides owners (`GET /audit/events`). Only this server has the setting',
  can_create_bots_group: 'Who creates bots of every type',
  can_create_groups: 'Who creates user groups',
  can_create_private_channel_group: 'Who creates private channels',
  can_create_public_channel_group: 'Who creates public channels',
  can_create_web_public_channel_group: without('web-public channels'),
  can_create_write_only_bots_group: 'Who creates bots that only send messages (incoming webhooks)',
  can_delete_any_message_group: 'Who deletes messages of others, in all channels',
  can_delete_own_message_group: 'Who deletes own messages, within `message_content_delete_limit_seconds`',
  can_invite_users_group: 'Who invites by mail',
  can_manage_all_groups: 'Who changes all user groups',
  can_manage_billing_group: without('bills'),
  can_mention_many_users_group: 'Who may use wildcard mentions where they reach many people',
  can_move_messages_between_channels_group: 'Who moves messages to another channel',
  can_move_messages_between_topics_group: 'Who moves messages to another topic',
  can_resolve_topics_group: 'Who marks topics as resolved',
  can_set_delete_message_policy_group: 'Who sets who deletes messages, in channels that they administer',
  can_set_topics_policy_group: 'Who sets `topics_policy` of channels that they administer',
  can_summarize_topics_group: without('summaries of topics'),
  create_multiuse_invite_group: 'Who creates invitation links',
  direct_message_initiator_group: 'Who begins conversations of direct messages',
  direct_message_permission_group:
    'Whom each conversation of direct messages needs among its participants, those with bots aside; nobody: people have none with each other',
};

const NO_LIMIT = '`"unlimited"`: no limit';

const ofMessages = {
  allow_edit_history: 'Older form of `message_edit_history_visibility_policy`: true is `all`, false is `none`',
  allow_message_editing: 'Whether people may edit their messages',
  default_code_block_language: 'The language of code blocks that name none; empty: none',
  enable_read_receipts: 'Whether people see who has read a message',
  giphy_rating: without('GIFs of GIPHY'),
  inline_image_preview: 'Whether messages show the pictures that they link to',
  inline_url_embed_preview: without('previews of web pages'),
  mandatory_topics: 'Older form of `topics_policy`: true is `disable_empty_topic`, false is `allow_empty_topic`',
  message_content_delete_limit_seconds: `For how many seconds people may delete their own messages; ${NO_LIMIT}`,
  message_content_edit_limit_seconds: `For how many seconds people may edit their messages; ${NO_LIMIT}`,
  message_edit_history_visibility_policy:
    'What people see of earlier versions of messages: everything (`all`), moves alone (`moves`) or nothing (`none`)',
  message_retention_days: without('limited retention of messages'),
  moderation_request_channel_id: 'The channel that reports of messages go to; -1: nobody can report messages',
  move_messages_between_streams_limit_seconds: `For how many seconds messages may be moved to another channel; administrators and moderators always may; ${NO_LIMIT}`,
  move_messages_within_stream_limit_seconds: `For how many seconds messages may be moved to another topic; administrators and moderators always may; ${NO_LIMIT}`,
  topics_policy: 'Whether channels may have the topic without a name; a channel can have a policy of its own',
};

const ofPeople = {
  avatar_changes_disabled: 'Whether administrators alone change avatars',
  default_language: 'The language of new accounts, as a code: `en`, `de`',
  digest_emails_enabled: without('digest mails'),
  digest_weekday: 'The weekday of digest mails, 0 (Monday) to 6, which the server does not send',
  disallow_disposable_email_addresses: without('list of disposable addresses'),
  email_changes_disabled: 'Whether administrators alone change email addresses',
  emails_restricted_to_domains: without('list of allowed domains'),
  enable_guest_user_dm_warning: 'Whether clients warn before a direct message to a guest',
  enable_guest_user_indicator: 'Whether clients show “(guest)” after the names of guests',
  invite_required: without('open sign-up'),
  message_content_allowed_in_email_notifications:
    'Whether mails about messages may have their words; the server sends no such mails',
  name_changes_disabled: 'Whether administrators alone change names',
  presence_disabled: 'Whether nobody sees who is online',
  require_e2ee_push_notifications: 'Whether words are pushed to devices only if they are encrypted to the device',
  require_unique_names: 'Whether two accounts cannot have the same name',
  send_welcome_emails: without('welcome mails'),
  waiting_period_threshold: 'After how many days a new member is a full member',
  welcome_message_custom_text:
    'What the Welcome Bot adds to its first message to new people, in Markdown, up to 8,000 characters; empty: nothing',
};

const ofOrganization = {
  description: 'What the organization is, in Markdown, up to 1,000 characters',
  jitsi_server_url: 'The Jitsi Meet server of calls, a URL up to 200 characters; `"default"`: the one of the server',
  name: 'The name of the organization, up to 40 characters',
  new_stream_announcements_stream_id:
    'The channel for announcements of new channels, which the server does not make; -1: none',
  org_type: 'The kind of the organization, by the numbers of the published API; 0: not said',
  signup_announcements_stream_id:
    'The channel for announcements of new people, which the server does not make; -1: none',
  video_chat_provider: 'How clients make calls: 0 not at all, 1 by Jitsi Meet',
  want_advertise_in_communities_directory: without('directory of communities'),
  zulip_update_announcements_stream_id:
    'The channel for announcements of new versions, which the server does not make; -1: none',
};

/** What the settings of an organization are, by their names in `PATCH /realm`. */
export const realmSettingWords: Readonly<Record<string, string>> = {
  ...permissions,
  ...ofMessages,
  ...ofPeople,
  ...ofOrganization,
};
