import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import type { UsersUnsubscribed } from './subscriptions.events.js';
import type { SubscriptionsState } from './subscriptions.state.js';

export class UnsubscribeUsers {
  constructor(
    readonly channelId: number,
    readonly userIds: readonly number[],
    readonly by: CommandContext,
  ) {}
}

export const decideUnsubscribeUsers: Decide<UnsubscribeUsers, SubscriptionsState, UsersUnsubscribed> = (
  { channelId, userIds },
  state,
) => {
  const leaving = [...new Set(userIds)].filter((userId) => state.subscribed.has(userId)).sort((a, b) => a - b);
  if (leaving.length === 0) return [];
  return [{ type: 'UsersUnsubscribed', data: { channelId, userIds: leaving } }];
};
