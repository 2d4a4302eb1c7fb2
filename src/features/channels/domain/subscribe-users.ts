import type { SubscriptionEvent } from '../../../events/channels/subscriptions.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { settingChanges } from './change-subscription-settings.js';
import { type SubscriptionsState, subscriptions } from './subscriptions.state.js';

export class SubscribeUsers extends Command<readonly number[]> {
  constructor(
    readonly channelId: number,
    readonly userIds: readonly number[],
    readonly by: CommandContext,
    /** The users' new colour for the channel; null: unchanged. */
    readonly color: string | null = null,
  ) {
    super();
  }
}

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
