import { type EventQueueDocument, eventQueues } from '../../../projections/event-queues.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import { refuse } from '../../kernel/domain-error.js';

/** null where no such queue lives. @throws UnavailableError, DocumentStoreUnavailable */
export function findQueue(readModels: ReadModels, queueId: string): Promise<EventQueueDocument | null> {
  return readModels.collection<EventQueueDocument>(eventQueues, 'queues').findOne({ _id: queueId });
}

/** @throws DomainError BAD_EVENT_QUEUE_ID where it is another user's too */
export async function ownQueue(readModels: ReadModels, queueId: string, userId: number): Promise<EventQueueDocument> {
  const queue = await findQueue(readModels, queueId);
  if (queue?.userId !== userId) return refuse('BAD_EVENT_QUEUE_ID', { queue_id: queueId });
  return queue;
}
