import type { ChannelCreated } from '../../../events/channels/channels.events.js';
import { subscriptionsStream } from '../../../events/channels/subscriptions.events.js';
import { causerOf, decideAfter, processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { decideSubscribeUsers, SubscribeUsers } from '../domain/subscribe-users.js';
import { subscriptions } from '../domain/subscriptions.state.js';

/** Subscribes the first subscribers to a new channel. */
export const channelCreation = processManager<ChannelCreated>({
  name: 'channel-creation',
  on: 'ChannelCreated',
  appends: ['UsersSubscribed'],
  react: async ({ id, data, metadata, position }, runner) => {
    if (data.subscriberIds.length === 0) return position;
    const by = causerOf({ metadata });
    const outcome = await decideAfter({ id, metadata, position }, runner, {
      stream: subscriptionsStream(data.channelId),
      decider: subscriptions,
      decide: decideSubscribeUsers,
      command: new SubscribeUsers({ channelId: data.channelId, userIds: data.subscriberIds, by, color: null }),
      context: undefined,
      ids: (index) => derivedId('channel-creation', id, index),
    });
    return outcome.position;
  },
});
