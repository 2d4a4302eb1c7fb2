import type { UsersUnsubscribed } from '../../../events/channels/subscriptions.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import type { SubscriptionsState } from './subscriptions.state.js';

export class UnsubscribeUsers extends Command<readonly number[]> {
  constructor(
    readonly channelId: number,
    readonly userIds: readonly number[],
    readonly by: CommandContext,
  ) {
    super();
  }
}

export const decideUnsubscribeUsers: Decide<UnsubscribeUsers, SubscriptionsState, UsersUnsubscribed> = (
  { channelId, userIds },
  state,
) => {
  const leaving = [...new Set(userIds)].filter((userId) => state.subscribed.has(userId)).sort((a, b) => a - b);
  if (leaving.length === 0) return [];
  return [{ type: 'UsersUnsubscribed', data: { channelId, userIds: leaving } }];
};
