import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import type { SubscriptionEvent } from '../../../events/channels/subscriptions.events.js';
import {
  defaultSubscriptionSettings,
  type SubscriptionSettings,
} from '../../../events/channels/subscriptions.settings.js';
import type { Decider } from '../../../platform/kernel/deciding.js';

export interface SubscriptionsState {
  /** Ids of the users who are subscribed to the channel now; deactivated accounts stay. */
  readonly subscribed: PersistentSet<number>;
  /** Each user's own settings, by user id; kept after an unsubscription. */
  readonly chosen: PersistentMap<number, Partial<SubscriptionSettings>>;
}

export const subscriptions: Decider<SubscriptionsState, SubscriptionEvent> = {
  initialState: { subscribed: PersistentSet(), chosen: PersistentMap() },
  evolve: (state, event) => {
    switch (event.type) {
      case 'UsersSubscribed':
        return { ...state, subscribed: state.subscribed.union(event.data.userIds) };
      case 'UsersUnsubscribed':
        return { ...state, subscribed: state.subscribed.subtract(event.data.userIds) };
      case 'SubscriptionSettingChanged': {
        const { userId, setting, to } = event.data;
        return { ...state, chosen: state.chosen.set(userId, { ...state.chosen.get(userId), [setting]: to }) };
      }
      default:
        event satisfies never;
        return state;
    }
  },
};

/** Whether two events change the subscription of one user. */
export const isOfSameSubscriber = (a: SubscriptionEvent, b: SubscriptionEvent): boolean =>
  a.type !== 'SubscriptionSettingChanged' &&
  b.type !== 'SubscriptionSettingChanged' &&
  a.data.userIds.some((userId) => b.data.userIds.includes(userId));

/** A user's settings of the channel, subscribed or not. */
export const ownSettings = (state: SubscriptionsState, channelId: number, userId: number): SubscriptionSettings => ({
  ...defaultSubscriptionSettings(channelId),
  ...state.chosen.get(userId),
});
