import { ROLES, type Role } from '../kernel/role.js';
import { avatarUrl } from './avatar-url.js';
import type { Directory } from './directory.js';
import type { ChannelRecord, UserRecord } from './directory.records.js';
import { type GroupSettingValue, SYSTEM_GROUP_IDS } from './system-groups.js';

/** api-coverage §1.1, user record. */
export interface UserForClients {
  readonly user_id: number;
  readonly email: string;
  readonly delivery_email: string | null;
  readonly full_name: string;
  readonly role: Role;
  readonly is_owner: boolean;
  readonly is_admin: boolean;
  readonly is_guest: boolean;
  readonly is_bot: boolean;
  readonly bot_type: number | null;
  readonly bot_owner_id: number | null;
  readonly is_active: boolean;
  /** ISO 8601. */
  readonly date_joined: string;
  /** IANA name; empty where the user has chosen none. */
  readonly timezone: string;
  readonly avatar_url: string | null;
  readonly avatar_version: number;
  readonly profile_data?: Readonly<Record<string, { readonly value: string; readonly rendered_value?: string }>>;
}

export interface UserRecordOptions {
  /** The client works out gravatar addresses by itself. */
  readonly clientGravatar: boolean;
  /** Adds `profile_data`. */
  readonly customProfileFields: boolean;
}

/** What an account's creation fixes: a UserRecord has it, and so has the event. */
export type UserFacts = Pick<UserRecord, '_id' | 'email' | 'fullName' | 'role' | 'isActive' | 'createdAt'>;

export function userForClients(user: UserFacts, options: UserRecordOptions): UserForClients {
  return {
    user_id: user._id,
    email: user.email,
    delivery_email: user.email,
    full_name: user.fullName,
    role: user.role,
    is_owner: user.role === ROLES.owner,
    is_admin: isAdministrator(user),
    is_guest: user.role === ROLES.guest,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    is_active: user.isActive,
    date_joined: new Date(user.createdAt).toISOString(),
    timezone: '',
    avatar_url: avatarUrl(user.email, options.clientGravatar),
    avatar_version: 1,
    ...(options.customProfileFields ? { profile_data: {} } : {}),
  };
}

/** Owners are administrators too. */
export const isAdministrator = ({ role }: Pick<UserRecord, 'role'>): boolean =>
  role === ROLES.owner || role === ROLES.administrator;

/** api-coverage §1.1, channel record. */
export interface ChannelForClients {
  readonly stream_id: number;
  readonly name: string;
  readonly description: string;
  readonly rendered_description: string;
  /** Unix seconds. */
  readonly date_created: number;
  readonly creator_id: number | null;
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly is_archived: boolean;
  readonly history_public_to_subscribers: boolean;
  readonly first_message_id: number | null;
  readonly message_retention_days: number | null;
  readonly stream_post_policy: number;
  readonly is_announcement_only: boolean;
  readonly topics_policy: 'inherit';
  readonly folder_id: number | null;
  readonly is_recently_active: boolean;
  readonly stream_weekly_traffic: number | null;
  readonly subscriber_count: number;
  readonly can_add_subscribers_group: GroupSettingValue;
  readonly can_remove_subscribers_group: GroupSettingValue;
  readonly can_administer_channel_group: GroupSettingValue;
  readonly can_delete_any_message_group: GroupSettingValue;
  readonly can_delete_own_message_group: GroupSettingValue;
  readonly can_move_messages_out_of_channel_group: GroupSettingValue;
  readonly can_move_messages_within_channel_group: GroupSettingValue;
  readonly can_send_message_group: GroupSettingValue;
  readonly can_subscribe_group: GroupSettingValue;
  readonly can_resolve_topics_group: GroupSettingValue;
}

/** What a channel's creation fixes: a ChannelRecord has it, and so has the event. */
export type ChannelFacts = Pick<
  ChannelRecord,
  | '_id'
  | 'name'
  | 'description'
  | 'renderedDescription'
  | 'inviteOnly'
  | 'historyPublicToSubscribers'
  | 'isArchived'
  | 'creatorId'
  | 'createdAt'
>;

/** Facts that the directory does not hold. */
export interface ChannelTraffic {
  /** null for a channel without messages. */
  readonly firstMessageId: number | null;
}

const NO_TRAFFIC: ChannelTraffic = { firstMessageId: null };

/** A channel as it is now. */
export function channelForClients(
  channel: ChannelRecord,
  directory: Directory,
  traffic = NO_TRAFFIC,
): ChannelForClients {
  return channelFromFacts(channel, directory.subscriberIds(channel._id).length, traffic);
}

/** A channel as of any moment: from what was true of it then. */
export function channelFromFacts(
  channel: ChannelFacts,
  subscriberCount: number,
  traffic = NO_TRAFFIC,
): ChannelForClients {
  return {
    stream_id: channel._id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    date_created: Math.floor(channel.createdAt / 1000),
    creator_id: channel.creatorId,
    invite_only: channel.inviteOnly,
    is_web_public: false,
    is_archived: channel.isArchived,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    first_message_id: traffic.firstMessageId,
    message_retention_days: null,
    stream_post_policy: 1,
    is_announcement_only: false,
    topics_policy: 'inherit',
    folder_id: null,
    is_recently_active: true,
    stream_weekly_traffic: null,
    subscriber_count: subscriberCount,
    can_add_subscribers_group: SYSTEM_GROUP_IDS.nobody,
    can_remove_subscribers_group: SYSTEM_GROUP_IDS.administrators,
    can_administer_channel_group: SYSTEM_GROUP_IDS.nobody,
    can_delete_any_message_group: SYSTEM_GROUP_IDS.nobody,
    can_delete_own_message_group: SYSTEM_GROUP_IDS.nobody,
    can_move_messages_out_of_channel_group: SYSTEM_GROUP_IDS.nobody,
    can_move_messages_within_channel_group: SYSTEM_GROUP_IDS.nobody,
    can_send_message_group: SYSTEM_GROUP_IDS.everyone,
    can_subscribe_group: SYSTEM_GROUP_IDS.nobody,
    can_resolve_topics_group: SYSTEM_GROUP_IDS.nobody,
  };
}

/** api-coverage §1.1, subscription record. */
export interface SubscriptionForClients extends ChannelForClients {
  /** `#rrggbb` */
  readonly color: string;
  readonly pin_to_top: boolean;
  readonly is_muted: boolean;
  readonly in_home_view: boolean;
  /** null inherits the user's own setting; a client that cannot read null is told that setting. */
  readonly desktop_notifications: boolean | null;
  readonly email_notifications: boolean | null;
  readonly push_notifications: boolean | null;
  readonly audible_notifications: boolean | null;
  readonly wildcard_mentions_notify: boolean | null;
  readonly subscribers?: readonly number[];
}

export interface SubscriptionRecordOptions {
  /** Adds `subscribers`. */
  readonly includeSubscribers: boolean;
  /** The client knows null in notification settings (`notification_settings_null`). */
  readonly notificationSettingsNull: boolean;
}

/** A subscription as it is now. Whoever may have it may see the channel's subscribers. */
export function subscriptionForClients(
  channel: ChannelRecord,
  directory: Directory,
  options: SubscriptionRecordOptions,
  traffic = NO_TRAFFIC,
): SubscriptionForClients {
  const subscribers = directory.subscriberIds(channel._id);
  return subscriptionFromFacts(channelFromFacts(channel, subscribers.length, traffic), subscribers, options);
}

/** A subscription as of any moment. @param subscribers ids, ascending */
export function subscriptionFromFacts(
  channel: ChannelForClients,
  subscribers: readonly number[],
  { includeSubscribers, notificationSettingsNull }: SubscriptionRecordOptions,
): SubscriptionForClients {
  const inherited = (setting: boolean): boolean | null => (notificationSettingsNull ? null : setting);
  return {
    ...channel,
    color: channelColor(channel.stream_id),
    pin_to_top: false,
    is_muted: false,
    in_home_view: true,
    desktop_notifications: inherited(false),
    email_notifications: inherited(false),
    push_notifications: inherited(false),
    audible_notifications: inherited(false),
    wildcard_mentions_notify: inherited(true),
    ...(includeSubscribers ? { subscribers } : {}),
  };
}

/** Distinct enough from each other, and from black text. */
const PALETTE = [
  '#7fb8e6',
  '#f0b46a',
  '#8fd19e',
  '#e79a9a',
  '#b9a3ea',
  '#e6d36f',
  '#77cfc6',
  '#e39fcf',
  '#a9c86b',
  '#c9a88b',
  '#93a9f2',
  '#f29d74',
  '#69c28a',
  '#d7a6e8',
  '#c6c27a',
  '#8ec6d9',
] as const;

/** The same for everyone, so that people mean the same channel by its colour. */
export const channelColor = (channelId: number): string => PALETTE[channelId % PALETTE.length] ?? PALETTE[0];
