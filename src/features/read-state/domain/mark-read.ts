import type { AllMessagesRead } from '../../../events/read-state/read-state.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';

/** Marks all messages as read. */
export class MarkAllRead extends Command<void> {
  constructor(
    readonly userId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}

/** Marks the messages of a channel, or of one of its topics, as read. */
export class MarkChannelRead extends Command<void> {
  constructor(
    readonly userId: number,
    readonly channelId: number,
    /** null: all topics. */
    readonly topic: string | null,
    readonly by: CommandContext,
  ) {
    super();
  }
}

export const decideMarkAllRead = (
  { userId }: MarkAllRead,
  { hasUnread }: { readonly hasUnread: boolean },
): readonly AllMessagesRead[] => {
  if (!hasUnread) return [];
  return [{ type: 'AllMessagesRead', data: { userId } }];
};
