import { DELETED_MESSAGES, MESSAGES, messages } from '../../../projections/messages/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { ChannelRecord, SubscriptionRecord, UserRecord } from '../../directory/directory.records.js';
import { Facts } from '../../directory/facts.js';
import { may } from '../../directory/permissions.js';
import type { Position } from '../../platform/kernel/position.js';
import { ReadsState, type RegisterContext, type StateParts, type StateReader } from '../event-queues/state-reader.js';
import { MAX_CHANNEL_DESCRIPTION, MAX_CHANNEL_NAME } from './domain/channels.state.js';
import {
  type ChannelForClients,
  channelFromFacts,
  type SubscriptionForClients,
  subscriptionFromFacts,
} from './queries/channels-for-clients.js';
import { firstMessageIdsThrough } from './queries/first-message-ids.js';

/** A channel that the reader sees, at one moment. */
interface SeenChannel {
  readonly record: ChannelRecord;
  readonly subscribers: readonly number[];
  readonly subscribed: 'now' | 'before' | 'never';
  /** The reader's own settings. */
  readonly chosen: SubscriptionRecord['settings'];
}

/** Ordered by id. */
function seenChannels(reader: UserRecord, directory: Directory): SeenChannel[] {
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

interface ChannelStateRequest {
  readonly includeSubscribers: boolean;
  readonly clientCapabilities: Readonly<Record<string, boolean>>;
}

/** `subscription` and `stream`. @param firstMessageIds by channel; without an entry: a channel without messages */
function channelState(
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

const LIMITS = {
  max_stream_name_length: MAX_CHANNEL_NAME,
  max_stream_description_length: MAX_CHANNEL_DESCRIPTION,
} as const;

@ReadsState()
export class ChannelStateReader implements StateReader {
  readonly sources = [messages];

  constructor(private readonly facts: Facts) {}

  parts({ reader, request, isWanted }: RegisterContext): StateParts {
    const channels = isWanted('subscription') || isWanted('stream') ? seenChannels(reader, this.facts.directory) : [];
    const of = async (part: 'subscription' | 'stream', through: Position): Promise<object> => {
      const ids = channels.map(({ record }) => record._id);
      const first = await firstMessageIdsThrough(this.facts.readModels, ids, through, [MESSAGES, DELETED_MESSAGES]);
      return channelState(channels, first, request, this.facts.directory)[part];
    };
    return {
      organization: { realm: () => LIMITS },
      messages: { subscription: (through) => of('subscription', through), stream: (through) => of('stream', through) },
    };
  }
}
