import type { QueueDeleted } from '../../../events/event-queues/event-queues.events.js';
import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import type { Decide } from '../../../platform/kernel/decider.js';
import { refuse } from '../../../platform/kernel/domain-error.js';

export class DeleteQueue extends Command<void> {
  constructor(
    readonly queueId: string,
    readonly userId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}

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
