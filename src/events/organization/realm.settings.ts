import { checkedBy, flag, integer, MAX_NUMBER, oneOf, oneOfNumbers, text } from '../../platform/kernel/value-type.js';
import { type Awaited, awaitedIn, awaiting } from '../shared/awaited-setting.js';
import {
  defaultGroupSetting,
  type GroupSettingValue,
  type OlderPolicies,
  type PermissionDefault,
  type PermissionRules,
  type PermissionSetting,
  permissionSetting,
} from '../shared/group-setting.js';
import {
  defaultsOf,
  eachOf,
  type KnownOlder,
  namesOf,
  type SettingRow,
  settingsTable,
  type ValuesOf,
} from '../shared/settings.js';
import {
  CREATE_CHANNEL_POLICIES,
  CREATE_WEB_PUBLIC_CHANNEL_POLICIES,
  EDIT_HISTORY_POLICIES,
  GIPHY_RATINGS,
  idsOf,
  LANGUAGES,
  MENTION_MANY_POLICIES,
  ORGANIZATION_TYPES,
  REALM_TOPICS_POLICIES,
  VIDEO_CHAT_PROVIDERS,
} from './realm-choices.settings.js';

/** The columns that every realm setting may have. */
interface RealmSettingRow extends KnownOlder, Awaited {
  /**
   * The users who may change the setting; default administrators. Owners alone decide who joins, how long messages are
   * kept, and who may change these settings. The API does not document the owners' settings: this is the list of Zulip
   * 11's `PATCH /realm`. `server`: no user can.
   */
  readonly changedBy?: 'administrators' | 'owners' | 'server';
  /** The published API does not know the setting: no client is told of it. */
  readonly isExtension?: true;
  /** The client event of a change; default `realm/update_dict`. */
  readonly clientEvent?: 'realm/update';
}

/** A permission of the organization: its value is a group that the row allows. */
export interface RealmPermissionSetting extends PermissionSetting, RealmSettingRow {
  /** The setting and its numbers for clients that do not know groups. */
  readonly olderPolicy?: { readonly name: string; readonly numbers: OlderPolicies };
}

export interface PlainRealmSetting extends SettingRow, RealmSettingRow {
  /** The value is a channel's id, or NO_CHANNEL. */
  readonly namesChannel?: true;
  /** Blanks at both ends are removed. */
  readonly isTrimmed?: true;
}

const permission = (
  defaultsTo: PermissionDefault,
  more: Partial<PermissionRules> &
    Pick<RealmPermissionSetting, 'awaits' | 'changedBy' | 'isExtension' | 'olderPolicy'> = {},
): RealmPermissionSetting => ({ ...permissionSetting(defaultsTo, more), ...more });

/** A permission to use a feature that the server does not have: nobody has it. */
const awaitedPermission = (
  awaits: string,
  more: Pick<RealmPermissionSetting, 'changedBy' | 'olderPolicy'> = {},
): RealmPermissionSetting =>
  permission('role:nobody', { awaits, requireSystemGroup: true, allowedSystemGroups: ['role:nobody'], ...more });

/** The permissions of the organization, with the API's defaults. */
export const REALM_PERMISSIONS = {
  can_access_all_users_group: permission('role:everyone', {
    requireSystemGroup: true,
    allowNobody: false,
    allowEveryone: true,
    allowedSystemGroups: ['role:everyone'],
  }),
  can_add_custom_emoji_group: permission('role:members', { allowNobody: false }),
  can_add_subscribers_group: permission('role:members'),
  /** Besides owners, who always may. */
  can_audit_group: permission('role:owners', { changedBy: 'owners', isExtension: true }),
  can_create_bots_group: permission('role:members'),
  can_create_groups: permission('role:members', { allowNobody: false, changedBy: 'owners' }),
  can_create_private_channel_group: permission('role:members', {
    allowNobody: false,
    olderPolicy: { name: 'create_private_stream_policy', numbers: CREATE_CHANNEL_POLICIES },
  }),
  can_create_public_channel_group: permission('role:members', {
    allowNobody: false,
    olderPolicy: { name: 'create_public_stream_policy', numbers: CREATE_CHANNEL_POLICIES },
  }),
  can_create_web_public_channel_group: awaitedPermission('web-public channels', {
    olderPolicy: { name: 'create_web_public_stream_policy', numbers: CREATE_WEB_PUBLIC_CHANNEL_POLICIES },
  }),
  can_create_write_only_bots_group: permission('role:members'),
  can_delete_any_message_group: permission('role:administrators'),
  can_delete_own_message_group: permission('role:everyone', { allowEveryone: true }),
  can_invite_users_group: permission('role:members', { changedBy: 'owners' }),
  can_manage_all_groups: permission('role:owners', { allowNobody: false, changedBy: 'owners' }),
  can_manage_billing_group: awaitedPermission('bills', { changedBy: 'owners' }),
  can_mention_many_users_group: permission('role:administrators', {
    allowEveryone: true,
    olderPolicy: { name: 'wildcard_mention_policy', numbers: MENTION_MANY_POLICIES },
  }),
  can_move_messages_between_channels_group: permission('role:members'),
  can_move_messages_between_topics_group: permission('role:everyone', { allowEveryone: true }),
  can_resolve_topics_group: permission('role:everyone', { allowEveryone: true }),
  can_set_delete_message_policy_group: permission('role:moderators'),
  can_set_topics_policy_group: permission('role:members', { allowNobody: false }),
  can_summarize_topics_group: awaitedPermission('summaries of topics'),
  create_multiuse_invite_group: permission('role:administrators', { changedBy: 'owners' }),
  direct_message_initiator_group: permission('role:everyone', { allowEveryone: true }),
  direct_message_permission_group: permission('role:everyone', { allowEveryone: true }),
} as const satisfies Record<string, RealmPermissionSetting>;

export type RealmPermission = keyof typeof REALM_PERMISSIONS;

const EXTENSIONS: ReadonlySet<string> = new Set(
  namesOf(REALM_PERMISSIONS).filter((name) => REALM_PERMISSIONS[name].isExtension),
);

/** Whether clients are told of a setting. */
export const isTold = (setting: string): boolean => !EXTENSIONS.has(setting);

/** The value of a channel setting without a channel. */
export const NO_CHANNEL = -1;

const WEEK_SECONDS = 604_800;

/** A channel's id, or NO_CHANNEL. */
const channel = integer({ min: NO_CHANNEL, max: Number.MAX_SAFE_INTEGER });

const isPeriod = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_NUMBER;

/** Seconds, never 0; null: no limit. */
const timeLimit = checkedBy<number | null>(
  { name: 'isTimeLimit', test: isPeriod, complaint: 'a number of seconds or "unlimited"' },
  { form: 'json-or-null', words: { unlimited: null } },
);

const FOR_EVER = -1;

const days = checkedBy<number>(
  {
    name: 'isPeriodOfDays',
    test: (value) => value === FOR_EVER || isPeriod(value),
    complaint: 'a number of days or "unlimited"',
  },
  { form: 'json', words: { unlimited: FOR_EVER } },
);

const MAX_URL = 200;

/** null: the server's own default. */
const serverUrl = checkedBy<string | null>(
  {
    name: 'isServerUrl',
    test: (value) =>
      typeof value === 'string' && value.length <= MAX_URL && /^https?:\/\/[^\s/]/.test(value) && URL.canParse(value),
    complaint: 'a URL',
  },
  { form: 'json-or-text', words: { default: null } },
);

/** null: no such time is known. */
const unixSeconds = checkedBy<number | null>(
  {
    name: 'isUnixSeconds',
    test: (value) => value === null || (Number.isSafeInteger(value) && Number(value) >= 0),
    complaint: 'a time',
  },
  { form: 'json-or-null' },
);

/** The realm settings other than permissions. */
export const PLAIN_REALM_SETTINGS = settingsTable<PlainRealmSetting>()({
  allow_message_editing: { type: flag, default: true },
  // The published `realm/update_dict` does not know it.
  avatar_changes_disabled: { type: flag, default: false, clientEvent: 'realm/update' },
  default_code_block_language: { type: text(40), default: '' },
  default_language: { type: oneOf(LANGUAGES), default: 'en' },
  description: { type: text(1000), default: '' },
  digest_emails_enabled: awaiting('digest mails', flag, false),
  digest_weekday: { type: integer({ min: 0, max: 6 }), default: 1 },
  disallow_disposable_email_addresses: {
    ...awaiting('a list of disposable addresses', flag, false),
    changedBy: 'owners',
  },
  email_changes_disabled: { type: flag, default: false },
  emails_restricted_to_domains: { ...awaiting('a list of allowed domains', flag, false), changedBy: 'owners' },
  enable_guest_user_dm_warning: { type: flag, default: true },
  enable_guest_user_indicator: { type: flag, default: true },
  enable_read_receipts: { type: flag, default: false },
  giphy_rating: { type: oneOfNumbers(idsOf(GIPHY_RATINGS)), default: 0 },
  inline_image_preview: { type: flag, default: true },
  inline_url_embed_preview: awaiting('previews of web pages', flag, false),
  invite_required: { ...awaiting('open sign-up', flag, true), changedBy: 'owners' },
  jitsi_server_url: { type: serverUrl, default: null },
  message_content_allowed_in_email_notifications: { type: flag, default: true },
  message_content_delete_limit_seconds: { type: timeLimit, default: 600 },
  message_content_edit_limit_seconds: { type: timeLimit, default: 600 },
  message_edit_history_visibility_policy: {
    type: oneOf(EDIT_HISTORY_POLICIES),
    default: 'all',
    older: { name: 'allow_edit_history', true: 'all', false: 'none' },
  },
  message_retention_days: {
    ...awaiting('a limited retention of messages', days, FOR_EVER),
    changedBy: 'owners',
    clientEvent: 'realm/update',
  },
  moderation_request_channel_id: { type: channel, default: NO_CHANNEL, namesChannel: true },
  move_messages_between_streams_limit_seconds: { type: timeLimit, default: WEEK_SECONDS },
  move_messages_within_stream_limit_seconds: { type: timeLimit, default: WEEK_SECONDS },
  name: { type: text(40), default: '', isTrimmed: true },
  name_changes_disabled: { type: flag, default: false },
  new_stream_announcements_stream_id: { type: channel, default: NO_CHANNEL, namesChannel: true },
  org_type: { type: oneOfNumbers(ORGANIZATION_TYPES), default: 0 },
  presence_disabled: { type: flag, default: false },
  /** The word of the push service. */
  push_notifications_enabled: { type: flag, default: true, changedBy: 'server' },
  push_notifications_enabled_end_timestamp: { type: unixSeconds, default: null, changedBy: 'server' },
  require_e2ee_push_notifications: { type: flag, default: false },
  require_unique_names: { type: flag, default: false },
  send_welcome_emails: awaiting('welcome mails', flag, false),
  signup_announcements_stream_id: { type: channel, default: NO_CHANNEL, namesChannel: true },
  topics_policy: {
    type: oneOf(REALM_TOPICS_POLICIES),
    default: 'allow_empty_topic',
    older: { name: 'mandatory_topics', true: 'disable_empty_topic', false: 'allow_empty_topic' },
  },
  video_chat_provider: { type: oneOfNumbers(idsOf(VIDEO_CHAT_PROVIDERS)), default: 0 },
  waiting_period_threshold: { type: integer({ min: 0 }), default: 0, changedBy: 'owners' },
  want_advertise_in_communities_directory: awaiting('a directory of communities', flag, false),
  welcome_message_custom_text: { type: text(8000), default: '' },
  zulip_update_announcements_stream_id: { type: channel, default: NO_CHANNEL, namesChannel: true },
});

/** The plain settings that users can change. */
export const CHANGEABLE_REALM_SETTINGS = Object.fromEntries(
  Object.entries<PlainRealmSetting>(PLAIN_REALM_SETTINGS).filter(([, { changedBy }]) => changedBy !== 'server'),
);

export type PlainRealmSettings = ValuesOf<typeof PLAIN_REALM_SETTINGS>;

/** The default values. `name` gets its value when the organization is created. */
export const PLAIN_REALM_DEFAULTS: PlainRealmSettings = defaultsOf(PLAIN_REALM_SETTINGS);

export type RealmSettings = PlainRealmSettings & Readonly<Record<RealmPermission, GroupSettingValue>>;

/** A setting's name without `realm_`, which the register response puts before it. */
export type RealmSetting = keyof RealmSettings;

/** The table of all realm settings. */
export const REALM_SETTINGS: Readonly<Record<RealmSetting, RealmPermissionSetting | PlainRealmSetting>> = {
  ...PLAIN_REALM_SETTINGS,
  ...REALM_PERMISSIONS,
};

/** All settings of an organization that has set none. */
export const REALM_DEFAULTS: RealmSettings = {
  ...PLAIN_REALM_DEFAULTS,
  ...eachOf(REALM_PERMISSIONS, (name) => defaultGroupSetting(REALM_PERMISSIONS[name])),
};

const AWAITED: Partial<RealmSettings> = Object.fromEntries(
  awaitedIn<RealmSetting>(REALM_SETTINGS).map((name) => [name, REALM_DEFAULTS[name]]),
);

/** The values that count, from those that have been set. A setting that awaits its feature has its default. */
export const settingsInForce = (set: Partial<RealmSettings>): RealmSettings => ({
  ...REALM_DEFAULTS,
  ...set,
  ...AWAITED,
});

type ChannelSetting = {
  [Name in keyof typeof PLAIN_REALM_SETTINGS]: (typeof PLAIN_REALM_SETTINGS)[Name] extends { namesChannel: true }
    ? Name
    : never;
}[keyof typeof PLAIN_REALM_SETTINGS];

/** Settings that name a channel. */
export const CHANNEL_SETTINGS = namesOf(PLAIN_REALM_SETTINGS).filter(
  (name): name is ChannelSetting => 'namesChannel' in PLAIN_REALM_SETTINGS[name],
);
