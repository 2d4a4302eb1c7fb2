import type { Directory } from '../../../directory/directory.js';
import type { ChannelRecord } from '../../../directory/directory.records.js';
import { permissionsForClients } from '../../../directory/permissions-for-clients.js';
import {
  type ChannelPermissions,
  POST_POLICIES,
  postPolicyOf,
  retentionInForce,
  type TopicsPolicy,
} from '../../../events/channels/channels.settings.js';
import {
  defaultSubscriptionSettings,
  SUBSCRIPTION_SETTINGS,
  type SubscriptionSettingRow,
  type SubscriptionSettings,
} from '../../../events/channels/subscriptions.settings.js';
import { namesOf } from '../../../events/shared/settings.js';

/** A channel as the API returns it. */
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

/** Facts that both a ChannelRecord and the event of its creation have. */
type ChannelFacts = Pick<
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
  | 'folderId'
  | 'creatorId'
  | 'createdAt'
>;

/** Facts that the directory does not hold. */
interface ChannelTraffic {
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

/** A channel as of any moment, from its facts at that moment. */
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
    message_retention_days: retentionInForce(channel.messageRetentionDays),
    stream_post_policy: postPolicy,
    is_announcement_only: postPolicy === POST_POLICIES['role:administrators'],
    topics_policy: channel.topicsPolicy,
    folder_id: channel.folderId ?? null,
    is_recently_active: true,
    stream_weekly_traffic: null,
    subscriber_count: subscriberCount,
    ...permissionsForClients(channel.permissions, directory),
  };
}

/**
 * A subscription as the API returns it: the channel and the subscriber's own settings. A client that cannot read null gets
 * the inherited setting.
 */
export interface SubscriptionForClients extends ChannelForClients, SubscriptionSettings {
  readonly in_home_view: boolean;
  readonly subscribers?: readonly number[];
}

interface SubscriptionRecordOptions {
  /** Adds `subscribers`. */
  readonly includeSubscribers: boolean;
  /** The client knows null in notification settings (`notification_settings_null`). */
  readonly notificationSettingsNull: boolean;
}

/** A subscription as it is now. Its reader must be allowed to see the channel's subscribers. */
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

/** A subscription as of any moment. @param subscribers ids, ascending @param chosen the subscriber's own settings */
export function subscriptionFromFacts(
  channel: ChannelForClients,
  subscribers: readonly number[],
  chosen: Partial<SubscriptionSettings>,
  { includeSubscribers, notificationSettingsNull }: SubscriptionRecordOptions,
): SubscriptionForClients {
  const settings: SubscriptionSettings = { ...defaultSubscriptionSettings(channel.stream_id), ...chosen };
  return {
    ...channel,
    ...(notificationSettingsNull ? settings : withoutNull(settings)),
    in_home_view: !settings.is_muted,
    ...(includeSubscribers ? { subscribers } : {}),
  };
}

/** Replaces null by the setting that is inherited. */
const withoutNull = (settings: SubscriptionSettings): SubscriptionSettings => ({
  ...settings,
  ...Object.fromEntries(INHERITED.filter(([setting]) => settings[setting] === null)),
});

const INHERITED = namesOf(SUBSCRIPTION_SETTINGS).flatMap((setting) => {
  const { inherits }: SubscriptionSettingRow = SUBSCRIPTION_SETTINGS[setting];
  return inherits === undefined ? [] : [[setting, inherits] as const];
});
