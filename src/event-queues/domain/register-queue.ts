import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { Position } from '../../kernel/position.js';
import type { QueueRegistered } from './event-queues.events.js';

/** A queue over the feed, for state that is read at the same time. */
export class RegisterQueue {
  constructor(
    readonly userId: number,
    readonly queue: Pick<
      QueueRegistered['data'],
      | 'eventTypes'
      | 'narrow'
      | 'allPublicChannels'
      | 'applyMarkdown'
      | 'clientGravatar'
      | 'slimPresence'
      | 'includeSubscribers'
      | 'clientCapabilities'
    >,
    /** Parts of the state that the client wants to be told; null: everything. */
    readonly fetchTypes: readonly string[] | null,
    readonly by: CommandContext,
  ) {}
}

export interface RegisterQueueFacts {
  /** Chosen at random. */
  readonly queueId: string;
  readonly isGuest: boolean;
  /** Position at which each part of the state was read. */
  readonly statePositions: Readonly<Record<string, Position>>;
}

/** The queue starts at the lowest position that any part of the state was read at: nothing falls between (D10). */
export const decideRegisterQueue: Decide<RegisterQueue, undefined, QueueRegistered, RegisterQueueFacts> = (
  { userId, queue },
  _state,
  { queueId, isGuest, statePositions },
) => {
  if (queue.allPublicChannels && isGuest) refuse('NOT_AUTHORIZED_FOR_QUERY');
  return [
    {
      type: 'QueueRegistered',
      data: {
        queueId,
        userId,
        eventTypes: queue.eventTypes,
        narrow: queue.narrow,
        allPublicChannels: queue.allPublicChannels,
        applyMarkdown: queue.applyMarkdown,
        clientGravatar: queue.clientGravatar,
        slimPresence: queue.slimPresence,
        includeSubscribers: queue.includeSubscribers,
        clientCapabilities: queue.clientCapabilities,
        statePositions,
        startsAfter: Math.min(...Object.values(statePositions)),
      },
    },
  ];
};
