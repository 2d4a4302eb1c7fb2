import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import type { QueueExpired } from './event-queues.events.js';

/** The server's own: nobody has asked for the queue's events for too long. */
export class ExpireQueue {
  constructor(
    readonly queueId: string,
    readonly by: CommandContext,
  ) {}
}

export interface QueueIdleness {
  /** Milliseconds since the queue was asked last. */
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
