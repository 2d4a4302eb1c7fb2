import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';

export type TypingOperation = 'start' | 'stop';

/** Says that a user types, or no longer types, a message to a topic or to people. */
export class SetTyping extends Command<void> {
  constructor(
    readonly senderId: number,
    readonly op: TypingOperation,
    readonly to:
      | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
      | { readonly type: 'direct'; readonly userIds: readonly number[] },
    readonly by: CommandContext,
  ) {
    super();
  }
}
