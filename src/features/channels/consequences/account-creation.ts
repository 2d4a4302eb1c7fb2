import { subscriptionsStream } from '../../../events/channels/subscriptions.events.js';
import type { UserCreated } from '../../../events/users/users.events.js';
import { processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { decideSubscribeUsers, SubscribeUsers } from '../domain/subscribe-users.js';
import { isOfSameSubscriber, subscriptions } from '../domain/subscriptions.state.js';

/** Subscribes a new account to the channels that were default channels when the account was created. */
export const accountCreation = processManager<UserCreated>({
  name: 'account-creation',
  on: 'UserCreated',
  appends: ['UsersSubscribed'],
  react: async ({ id, data, metadata, position }, runner) => {
    const by = { actorId: metadata.actorId, client: metadata.client, correlationId: metadata.correlationId };
    let reached = position;
    for (const channelId of data.channelIds) {
      const outcome = await runner.decide({
        stream: subscriptionsStream(channelId),
        decider: subscriptions,
        expects: 'any',
        decide: decideSubscribeUsers,
        command: new SubscribeUsers({ channelId, userIds: [data.userId], by, color: null }),
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
