import { Set as PersistentSet } from 'immutable';
import type { Decider } from '../../kernel/decider.js';
import type { SubscriptionEvent } from './subscriptions.events.js';

/** Ids of the users who are subscribed to the channel now. */
export type SubscriptionsState = PersistentSet<number>;

export const subscriptions: Decider<SubscriptionsState, SubscriptionEvent> = {
  initialState: PersistentSet(),
  evolve: (state, event) => {
    switch (event.type) {
      case 'UsersSubscribed':
        return state.union(event.data.userIds);
      case 'UsersUnsubscribed':
        return state.subtract(event.data.userIds);
      default:
        return state;
    }
  },
};
