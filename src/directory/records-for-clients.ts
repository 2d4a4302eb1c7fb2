import {
  type ChannelPermissions,
  POST_POLICIES,
  postPolicyOf,
  type TopicsPolicy,
} from '../channels/domain/channels.settings.js';
import { ROLES, type Role } from '../kernel/role.js';
import {
  defaultSubscriptionSettings,
  type SubscriptionSettings,
} from '../subscriptions/domain/subscriptions.settings.js';
import { avatarUrl } from './avatar-url.js';
import type { Directory } from './directory.js';
import type { ChannelRecord, UserRecord } from './directory.records.js';
import { isAdministrator } from './permissions.js';
import { toldSettings } from './told-settings.js';

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
export type UserFacts = Pick<
  UserRecord,
  '_id' | 'email' | 'fullName' | 'role' | 'bot' | 'isActive' | 'createdAt' | 'profile' | 'settings'
>;

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
    is_bot: user.bot !== null,
    bot_type: user.bot?.type ?? null,
    bot_owner_id: user.bot?.ownerId ?? null,
    is_active: user.isActive,
    date_joined: new Date(user.createdAt).toISOString(),
    timezone: user.settings?.timezone ?? '',
    avatar_url: avatarUrl(user.email, options.clientGravatar),
    avatar_version: 1,
    ...(options.customProfileFields && user.bot === null ? { profile_data: profileData(user.profile) } : {}),
  };
}

const profileData = (profile: UserRecord['profile']): UserForClients['profile_data'] =>
  Object.fromEntries(
    Object.entries(profile).map(([fieldId, { value, rendered }]) => [
      fieldId,
      rendered === null ? { value } : { value, rendered_value: rendered },
    ]),
  );

/** api-coverage §1.1, channel record. */
export interface ChannelForClients extends ChannelPermissions {
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
  readonly topics_policy: TopicsPolicy;
  readonly folder_id: number | null;
  readonly is_recently_active: boolean;
  readonly stream_weekly_traffic: number | null;
  readonly subscriber_count: number;
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
  | 'topicsPolicy'
  | 'messageRetentionDays'
  | 'permissions'
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
  return channelFromFacts(channel, directory.subscriberIds(channel._id).length, directory, traffic);
}

/** A channel as of any moment: from what was true of it then. */
export function channelFromFacts(
  channel: ChannelFacts,
  subscriberCount: number,
  directory: Directory,
  traffic = NO_TRAFFIC,
): ChannelForClients {
  const postPolicy = postPolicyOf(channel.permissions);
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
    message_retention_days: channel.messageRetentionDays,
    stream_post_policy: postPolicy,
    is_announcement_only: postPolicy === POST_POLICIES['role:administrators'],
    topics_policy: channel.topicsPolicy,
    folder_id: null,
    is_recently_active: true,
    stream_weekly_traffic: null,
    subscriber_count: subscriberCount,
    ...toldSettings(channel.permissions, directory),
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
  userId: number,
  directory: Directory,
  options: SubscriptionRecordOptions,
  traffic = NO_TRAFFIC,
): SubscriptionForClients {
  const subscribers = directory.subscriberIds(channel._id);
  return subscriptionFromFacts(
    channelFromFacts(channel, subscribers.length, directory, traffic),
    subscribers,
    directory.subscriptionsIn(channel._id).get(userId)?.settings ?? {},
    options,
  );
}

/** A subscription as of any moment. @param subscribers ids, ascending @param chosen what the subscriber has set */
export function subscriptionFromFacts(
  channel: ChannelForClients,
  subscribers: readonly number[],
  chosen: Partial<SubscriptionSettings>,
  { includeSubscribers, notificationSettingsNull }: SubscriptionRecordOptions,
): SubscriptionForClients {
  const settings = { ...defaultSubscriptionSettings(channel.stream_id), ...chosen };
  const inherited = (setting: boolean | null, own: boolean): boolean | null =>
    setting === null && !notificationSettingsNull ? own : setting;
  return {
    ...channel,
    color: settings.color,
    pin_to_top: settings.pin_to_top,
    is_muted: settings.is_muted,
    in_home_view: !settings.is_muted,
    desktop_notifications: inherited(settings.desktop_notifications, false),
    email_notifications: inherited(settings.email_notifications, false),
    push_notifications: inherited(settings.push_notifications, false),
    audible_notifications: inherited(settings.audible_notifications, false),
    wildcard_mentions_notify: inherited(settings.wildcard_mentions_notify, true),
    ...(includeSubscribers ? { subscribers } : {}),
  };
}
