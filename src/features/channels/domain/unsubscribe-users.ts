import type { UsersUnsubscribed } from '../../../events/channels/subscriptions.events.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';
import type { SubscriptionsState } from './subscriptions.state.js';

export class UnsubscribeUsers extends Command<{ channelId: number; userIds: readonly number[] }, readonly number[]> {}

export const decideUnsubscribeUsers: Decide<UnsubscribeUsers, SubscriptionsState, UsersUnsubscribed> = (
  { channelId, userIds },
  state,
) => {
  const leaving = [...new Set(userIds)].filter((userId) => state.subscribed.has(userId)).sort((a, b) => a - b);
  if (leaving.length === 0) return [];
  return [{ type: 'UsersUnsubscribed', data: { channelId, userIds: leaving } }];
};
