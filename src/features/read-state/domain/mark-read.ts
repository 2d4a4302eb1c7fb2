import type { AllMessagesRead } from '../../../events/read-state/read-state.events.js';
import { Command } from '../../../platform/kernel/deciding.js';

/** Marks all messages as read. */
export class MarkAllRead extends Command<{ userId: number }> {}

/** Marks the messages of a channel, or of one of its topics, as read. */
export class MarkChannelRead extends Command<{
  userId: number;
  channelId: number;
  /** null: all topics. */
  topic: string | null;
}> {}

export const decideMarkAllRead = (
  { userId }: MarkAllRead,
  { hasUnread }: { readonly hasUnread: boolean },
): readonly AllMessagesRead[] => {
  if (!hasUnread) return [];
  return [{ type: 'AllMessagesRead', data: { userId } }];
};
