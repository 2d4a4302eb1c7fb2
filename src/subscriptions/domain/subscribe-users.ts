import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import type { UsersSubscribed } from './subscriptions.events.js';
import type { SubscriptionsState } from './subscriptions.state.js';

export class SubscribeUsers {
  constructor(
    readonly channelId: number,
    readonly userIds: readonly number[],
    readonly by: CommandContext,
  ) {}
}

export const decideSubscribeUsers: Decide<SubscribeUsers, SubscriptionsState, UsersSubscribed> = (
  { channelId, userIds },
  state,
) => {
  const missing = [...new Set(userIds)].filter((userId) => !state.has(userId));
  if (missing.length === 0) return [];
  return [{ type: 'UsersSubscribed', data: { channelId, userIds: missing.sort((a, b) => a - b) } }];
};
