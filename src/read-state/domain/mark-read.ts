import type { CommandContext } from '../../kernel/command-context.js';
import type { AllMessagesRead } from './read-state.events.js';

/** Everything that there is. */
export class MarkAllRead {
  constructor(
    readonly userId: number,
    readonly by: CommandContext,
  ) {}
}

/** All of a channel, or of one of its topics. */
export class MarkChannelRead {
  constructor(
    readonly userId: number,
    readonly channelId: number,
    /** null: every topic. */
    readonly topic: string | null,
    readonly by: CommandContext,
  ) {}
}

export const decideMarkAllRead = (
  { userId }: MarkAllRead,
  { hasUnread }: { readonly hasUnread: boolean },
): readonly AllMessagesRead[] => (hasUnread ? [{ type: 'AllMessagesRead', data: { userId } }] : []);
