import type { SubscriptionEvent, UsersUnsubscribed } from '../../../events/channels/subscriptions.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { settingChanges } from './change-subscription-settings.js';
import type { ChannelNamesByUser, WantedChannel } from './subscribe-to-channels.js';
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

export class UnsubscribeUsers extends Command<{ channelId: number; userIds: readonly number[] }, readonly number[]> {}

export const decideUnsubscribeUsers: Decide<UnsubscribeUsers, SubscriptionsState, UsersUnsubscribed> = (
  { channelId, userIds },
  state,
) => {
  const leaving = [...new Set(userIds)].filter((userId) => state.subscribed.has(userId)).sort((a, b) => a - b);
  if (leaving.length === 0) return [];
  return [{ type: 'UsersUnsubscribed', data: { channelId, userIds: leaving } }];
};

export interface UpdateSubscriptionsResult {
  readonly subscribed: ChannelNamesByUser;
  readonly already_subscribed: ChannelNamesByUser;
  readonly removed: readonly string[];
  readonly not_removed: readonly string[];
}

/** Subscribes the caller to some channels and unsubscribes them from others. */
export class UpdateSubscriptions extends Command<
  {
    add: readonly WantedChannel[];
    /** Names of channels. */
    remove: readonly string[];
    callerId: number;
  },
  UpdateSubscriptionsResult
> {}

export function requireSomeChange({ add, remove }: UpdateSubscriptions): void {
  if (add.length === 0 && remove.length === 0) refuse('NO_SUBSCRIPTION_CHANGES');
}
