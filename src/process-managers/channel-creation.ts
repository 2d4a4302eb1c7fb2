import type { ChannelCreated } from '../channels/domain/channels.events.js';
import { derivedId } from '../kernel/derived-id.js';
import { decideSubscribeUsers, SubscribeUsers } from '../subscriptions/domain/subscribe-users.js';
import { subscriptionsStream } from '../subscriptions/domain/subscriptions.events.js';
import { subscriptions } from '../subscriptions/domain/subscriptions.state.js';
import { processManager } from './process-manager.js';

/** A channel is created with its first subscribers. */
export const channelCreation = processManager<ChannelCreated>({
  name: 'channel-creation',
  on: 'ChannelCreated',
  react: async ({ id, data, metadata, position }, runner) => {
    if (data.subscriberIds.length === 0) return position;
    const by = { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId };
    const outcome = await runner.decide({
      stream: subscriptionsStream(data.channelId),
      decider: subscriptions,
      decide: decideSubscribeUsers,
      command: new SubscribeUsers(data.channelId, data.subscriberIds, by),
      context: undefined,
      by,
      cause: { eventId: id, position, ids: (index) => derivedId('channel-creation', id, index) },
    });
    return Math.max(position, outcome.position);
  },
});
