import type { CommandContext } from '../../kernel/command-context.js';

/** Every message of a topic that the caller may see, each as by DeleteMessage, the newest first. */
export class DeleteTopic {
  constructor(
    readonly userId: number,
    readonly channelId: number,
    readonly topic: string,
    /** Nothing more is begun after it; milliseconds since 1970. */
    readonly until: number,
    readonly by: CommandContext,
  ) {}
}
