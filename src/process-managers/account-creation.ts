import { derivedId } from '../kernel/derived-id.js';
import { decideSubscribeUsers, SubscribeUsers } from '../subscriptions/domain/subscribe-users.js';
import { subscriptionsStream } from '../subscriptions/domain/subscriptions.events.js';
import { isOfSameSubscriber, subscriptions } from '../subscriptions/domain/subscriptions.state.js';
import type { UserCreated } from '../users/domain/users.events.js';
import { processManager } from './process-manager.js';

/** An account begins in the channels that were the organisation's default ones when it was created. */
export const accountCreation = processManager<UserCreated>({
  name: 'account-creation',
  on: 'UserCreated',
  react: async ({ id, data, metadata, position }, runner) => {
    const by = { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId };
    let reached = position;
    for (const channelId of data.channelIds) {
      const outcome = await runner.decide({
        stream: subscriptionsStream(channelId),
        decider: subscriptions,
        decide: decideSubscribeUsers,
        command: new SubscribeUsers(channelId, [data.userId], by),
        context: undefined,
        by,
        cause: {
          eventId: id,
          position,
          ids: (index) => derivedId('account-creation', id, channelId, index),
          isAboutTheSame: isOfSameSubscriber,
        },
      });
      reached = Math.max(reached, outcome.position);
    }
    return reached;
  },
});
