import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import type { QueueRegistered } from './event-queues.events.js';

/** A queue over the feed, for state that has just been read. */
export class RegisterQueue {
  constructor(
    readonly queue: Omit<QueueRegistered['data'], 'startsAfter'>,
    readonly by: CommandContext,
  ) {}
}

/** The queue starts at the lowest position that any part of the state was read at: nothing falls between (D10). */
export const decideRegisterQueue: Decide<RegisterQueue, undefined, QueueRegistered> = ({ queue }) => {
  const startsAfter = Math.min(...Object.values(queue.statePositions));
  return [
    {
      type: 'QueueRegistered',
      data: {
        queueId: queue.queueId,
        userId: queue.userId,
        eventTypes: queue.eventTypes,
        narrow: queue.narrow,
        allPublicChannels: queue.allPublicChannels,
        applyMarkdown: queue.applyMarkdown,
        clientGravatar: queue.clientGravatar,
        slimPresence: queue.slimPresence,
        includeSubscribers: queue.includeSubscribers,
        clientCapabilities: queue.clientCapabilities,
        statePositions: queue.statePositions,
        startsAfter,
      },
    },
  ];
};
