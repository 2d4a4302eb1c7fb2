import { Command } from '../../../platform/kernel/deciding.js';

export type TypingOperation = 'start' | 'stop';

/** Says that a user types, or no longer types, a message to a topic or to people. */
export class SetTyping extends Command<{
  senderId: number;
  op: TypingOperation;
  to:
    | { readonly type: 'channel'; readonly channelId: number; readonly topic: string }
    | { readonly type: 'direct'; readonly userIds: readonly number[] };
}> {}
