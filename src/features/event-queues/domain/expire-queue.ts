import type { QueueExpired } from '../../../events/event-queues/event-queues.events.js';
import { Command, type Decide } from '../../../platform/kernel/deciding.js';

/** Ends a queue that has not been polled for too long. The server itself sends it. */
export class ExpireQueue extends Command<{ queueId: string }, boolean> {}

export interface QueueIdleness {
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
