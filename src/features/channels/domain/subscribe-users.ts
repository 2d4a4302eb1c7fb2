import type { SubscriptionEvent } from '../../../events/channels/subscriptions.events.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';
import { settingChanges } from './change-subscription-settings.js';
import { type SubscriptionsState, subscriptions } from './subscriptions.state.js';

export class SubscribeUsers extends Command<
  {
    channelId: number;
    userIds: readonly number[];
    /** The users' new colour for the channel; null: unchanged. */
    color: string | null;
  },
  readonly number[]
> {}

export const decideSubscribeUsers: Decide<SubscribeUsers, SubscriptionsState, SubscriptionEvent> = (
  { channelId, userIds, color },
  state,
) => {
  const named = [...new Set(userIds)].sort((a, b) => a - b);
  const joining = named.filter((userId) => !state.subscribed.has(userId));
  const subscribed: SubscriptionEvent[] =
    joining.length === 0 ? [] : [{ type: 'UsersSubscribed', data: { channelId, userIds: joining } }];
  if (color === null) return subscribed;
  const then = subscribed.reduce(subscriptions.evolve, state);
  const painted = named.flatMap((userId) => settingChanges(channelId, userId, [{ setting: 'color', to: color }], then));
  return [...subscribed, ...painted];
};

/** Ids of the users who were not subscribed before. */
export const joinedBy = (events: readonly SubscriptionEvent[]): readonly number[] =>
  events.flatMap((event) => (event.type === 'UsersSubscribed' ? event.data.userIds : []));
