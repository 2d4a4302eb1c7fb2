import type { CommandContext } from '../../kernel/command-context.js';

export type TypingOperation = 'start' | 'stop';

/** Somebody writes, or no longer writes, a message to a channel's topic or to people. */
export class SetTyping {
  constructor(
    readonly senderId: number,
    readonly op: TypingOperation,
    readonly to:
      | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
      | { readonly type: 'direct'; readonly userIds: readonly number[] },
    readonly by: CommandContext,
  ) {}
}
