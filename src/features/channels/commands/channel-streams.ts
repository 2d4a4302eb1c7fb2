import { CHANNELS_STREAM } from '../../../events/channels/channels.events.js';
import { type SubscriptionEvent, subscriptionsStream } from '../../../events/channels/subscriptions.events.js';
import type { CommandStream } from '../../../platform/commands/decisions.js';
import { type ChannelsEvent, type ChannelsState, channels } from '../domain/channels.state.js';
import { type SubscriptionsState, subscriptions } from '../domain/subscriptions.state.js';

export const channelsStream: CommandStream<ChannelsState, ChannelsEvent> = {
  stream: CHANNELS_STREAM,
  decider: channels,
  expects: 'any',
};

/** The subscriptions of one channel. */
export const subscriptionsIn = ({
  channelId,
}: {
  readonly channelId: number;
}): CommandStream<SubscriptionsState, SubscriptionEvent> => ({
  stream: subscriptionsStream(channelId),
  decider: subscriptions,
  expects: 'any',
});
