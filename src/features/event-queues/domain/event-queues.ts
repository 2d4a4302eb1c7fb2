import type { QueueDeleted, QueueExpired, QueueRegistered } from '../../../events/event-queues/event-queues.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import type { Position } from '../../../platform/kernel/position.js';

export interface Registration {
  readonly queueId: string;
  /** The newest event id that the state covers; the client's first poll names it. */
  readonly lastEventId: number;
  readonly state: Readonly<Record<string, unknown>>;
}

/** Registers a queue over the feed, and reads the state that its events go on from. */
export class RegisterQueue extends Command<
  {
    userId: number;
    queue: Pick<
      QueueRegistered['data'],
      | 'eventTypes'
      | 'narrow'
      | 'allPublicChannels'
      | 'applyMarkdown'
      | 'clientGravatar'
      | 'slimPresence'
      | 'includeSubscribers'
      | 'clientCapabilities'
    >;
    /** Wanted parts of the state; null: everything. */
    fetchTypes: readonly string[] | null;
    /** Days back that presences are given for; null: as the server chooses. */
    presenceHistoryDays: number | null;
  },
  Registration
> {}

interface RegisterQueueFacts {
  /** Chosen at random. */
  readonly queueId: string;
  readonly isGuest: boolean;
  /** The position that each part of the state was read at. */
  readonly statePositions: Readonly<Record<string, Position>>;
}

/** Starts the queue at the lowest position of any part of the state, so that no event is missed (D10). */
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

export class DeleteQueue extends Command<{ queueId: string; userId: number }> {}

/** Facts about the queue (D4). */
interface QueueFacts {
  /** null: no live queue has the id. */
  readonly ownerId: number | null;
}

/** Refuses another user's queue like a queue that does not exist. */
export const decideDeleteQueue: Decide<DeleteQueue, undefined, QueueDeleted, QueueFacts> = (
  { queueId, userId },
  _state,
  { ownerId },
) => {
  if (ownerId !== userId) refuse('BAD_EVENT_QUEUE_ID', { queue_id: queueId });
  return [{ type: 'QueueDeleted', data: { queueId } }];
};

/** Ends a queue that has not been polled for too long. The server itself sends it. */
export class ExpireQueue extends Command<{ queueId: string }, boolean> {}

interface QueueIdleness {
  /** Milliseconds since the queue was last polled. */
  readonly idleFor: number;
  /** Milliseconds that a queue may be idle. */
  readonly limit: number;
}

export const decideExpireQueue: Decide<ExpireQueue, undefined, QueueExpired, QueueIdleness> = (
  { queueId },
  _state,
  { idleFor, limit },
) => {
  if (idleFor <= limit) return [];
  return [{ type: 'QueueExpired', data: { queueId } }];
};
