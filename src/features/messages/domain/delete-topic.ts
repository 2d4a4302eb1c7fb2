import { Command } from '../../../platform/kernel/deciding.js';

/** Deletes every message of a topic that the caller may see, the newest first, each as by DeleteMessage. */
export class DeleteTopic extends Command<
  {
    userId: number;
    channelId: number;
    topic: string;
    /** No further batch is begun after this time, in milliseconds since 1970. */
    until: number;
  },
  boolean
> {}
