import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { QueueDeleted } from './event-queues.events.js';

export class DeleteQueue {
  constructor(
    readonly queueId: string,
    readonly userId: number,
    readonly by: CommandContext,
  ) {}
}

/** What is known of the queue (D4). */
export interface QueueFacts {
  /** Whose it is; null where no such queue lives. */
  readonly ownerId: number | null;
}

/** A queue that is another user's is answered like one that does not exist. */
export const decideDeleteQueue: Decide<DeleteQueue, undefined, QueueDeleted, QueueFacts> = (
  { queueId, userId },
  _state,
  { ownerId },
) => {
  if (ownerId !== userId) refuse('BAD_EVENT_QUEUE_ID', { queue_id: queueId });
  return [{ type: 'QueueDeleted', data: { queueId } }];
};
