import type { Directory } from '../../../directory/directory.js';
import type { ChannelRecord, SubscriptionRecord, UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import {
  type ChannelForClients,
  channelFromFacts,
  type SubscriptionForClients,
  subscriptionFromFacts,
} from '../queries/channels-for-clients.js';

/** A channel that the reader sees, at one moment. */
export interface SeenChannel {
  readonly record: ChannelRecord;
  readonly subscribers: readonly number[];
  readonly subscribed: 'now' | 'before' | 'never';
  /** The reader's own settings. */
  readonly chosen: SubscriptionRecord['settings'];
}

/** Ordered by id. */
export function seenChannels(reader: UserRecord, directory: Directory): SeenChannel[] {
  return directory
    .allChannels()
    .filter((channel) => may(reader, { channel, to: 'see' }, directory))
    .map((record) => ({
      record,
      subscribers: directory.subscriberIds(record._id),
      subscribed: directory.isSubscribed(reader._id, record._id)
        ? 'now'
        : directory.subscriptionsOf(reader._id).has(record._id)
          ? 'before'
          : 'never',
      chosen: directory.subscriptionsIn(record._id).get(reader._id)?.settings ?? {},
    }));
}

export interface ChannelStateRequest {
  readonly includeSubscribers: boolean;
  readonly clientCapabilities: Readonly<Record<string, boolean>>;
}

/** `subscription` and `stream`. @param firstMessageIds by channel; without an entry: a channel without messages */
export function channelState(
  channels: readonly SeenChannel[],
  firstMessageIds: ReadonlyMap<number, number>,
  { includeSubscribers, clientCapabilities }: ChannelStateRequest,
  directory: Directory,
): { readonly subscription: object; readonly stream: object } {
  const shown = channels.filter(({ record }) => clientCapabilities.archived_channels || !record.isArchived);
  const notificationSettingsNull = clientCapabilities.notification_settings_null ?? false;
  const asChannel = ({ record, subscribers }: SeenChannel): ChannelForClients =>
    channelFromFacts(record, subscribers.length, directory, {
      firstMessageId: firstMessageIds.get(record._id) ?? null,
    });
  const asSubscription = (channel: SeenChannel): SubscriptionForClients =>
    subscriptionFromFacts(asChannel(channel), channel.subscribers, channel.chosen, {
      includeSubscribers,
      notificationSettingsNull,
    });
  const withStatus = (subscribed: SeenChannel['subscribed']): SeenChannel[] =>
    shown.filter((channel) => channel.subscribed === subscribed);
  return {
    subscription: {
      subscriptions: withStatus('now').map(asSubscription),
      unsubscribed: withStatus('before').map(asSubscription),
      never_subscribed: withStatus('never').map((channel) => ({
        ...asChannel(channel),
        ...(includeSubscribers ? { subscribers: channel.subscribers } : {}),
      })),
    },
    stream: { streams: shown.map(asChannel) },
  };
}
