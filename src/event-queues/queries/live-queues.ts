import { type EventQueueDocument, eventQueues } from '../../../projections/event-queues.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import { refuse } from '../../kernel/domain-error.js';
import { type QueueFilter, queueFilter } from './queue-filter.js';

/**
 * How long a queue may go on here that another process has ended, should the news of it be lost. While a thousand
 * queues are asked at every message, looking each of them up again would be a fifth of the work.
 */
const HELD_MS = 5000;
const MAX_HELD = 10_000;

export interface LiveQueue {
  readonly queue: EventQueueDocument;
  readonly isWanted: QueueFilter;
}

/** The queues that live. */
export class LiveQueues {
  private readonly held = new Map<string, LiveQueue & { readonly until: number }>();

  constructor(private readonly readModels: ReadModels) {}

  /** null where no such queue lives. @throws UnavailableError, DocumentStoreUnavailable */
  find(queueId: string): Promise<EventQueueDocument | null> {
    return this.readModels.collection<EventQueueDocument>(eventQueues, 'queues').findOne({ _id: queueId });
  }

  /** @throws DomainError BAD_EVENT_QUEUE_ID, where it is another user's too; UnavailableError, DocumentStoreUnavailable */
  async own(queueId: string, userId: number): Promise<LiveQueue> {
    const now = Date.now();
    const held = this.held.get(queueId);
    if (held && held.queue.userId === userId && held.until > now) return held;
    const queue = await this.find(queueId);
    if (queue?.userId !== userId) return refuse('BAD_EVENT_QUEUE_ID', { queue_id: queueId });
    const live = { queue, isWanted: queueFilter(queue), until: now + HELD_MS };
    this.hold(queueId, live);
    return live;
  }

  /** It does not live any more. */
  forget(queueId: string): void {
    this.held.delete(queueId);
  }

  private hold(queueId: string, live: LiveQueue & { readonly until: number }): void {
    this.held.delete(queueId);
    this.held.set(queueId, live);
    if (this.held.size <= MAX_HELD) return;
    const [oldest] = this.held.keys();
    if (oldest !== undefined) this.held.delete(oldest);
  }
}
