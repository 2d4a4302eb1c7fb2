import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';

/** Deletes every message of a topic that the caller may see, the newest first, each as by DeleteMessage. */
export class DeleteTopic extends Command<boolean> {
  constructor(
    readonly userId: number,
    readonly channelId: number,
    readonly topic: string,
    /** No further batch is begun after this time, in milliseconds since 1970. */
    readonly until: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}
