import { subscriptionsStream } from '../../../events/channels/subscriptions.events.js';
import type { UserCreated } from '../../../events/users/users.events.js';
import { causerOf, decideAfter, processManager } from '../../../platform/consumers/process-manager.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import { decideSubscribeUsers, SubscribeUsers } from '../domain/subscribe-users.js';
import { isOfSameSubscriber, subscriptions } from '../domain/subscriptions.state.js';

/** Subscribes a new account to the channels that were default channels when the account was created. */
export const accountCreation = processManager<UserCreated>({
  name: 'account-creation',
  on: 'UserCreated',
  appends: ['UsersSubscribed'],
  react: async ({ id, data, metadata, position }, runner) => {
    const by = causerOf({ metadata });
    let reached = position;
    for (const channelId of data.channelIds) {
      const outcome = await decideAfter({ id, metadata, position }, runner, {
        stream: subscriptionsStream(channelId),
        decider: subscriptions,
        decide: decideSubscribeUsers,
        command: new SubscribeUsers({ channelId, userIds: [data.userId], by, color: null }),
        context: undefined,
        ids: (index) => derivedId('account-creation', id, channelId, index),
        isAboutTheSame: isOfSameSubscriber,
      });
      reached = Math.max(reached, outcome.position);
    }
    return reached;
  },
});
