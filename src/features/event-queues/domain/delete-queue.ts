import type { QueueDeleted } from '../../../events/event-queues/event-queues.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';

export class DeleteQueue extends Command<{ queueId: string; userId: number }> {}

/** Facts about the queue (D4). */
export interface QueueFacts {
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
