import { Inject, Injectable } from '@nestjs/common';
import { type EventQueueDocument, eventQueues } from '../../../../projections/event-queues/event-queues.projection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { type QueueFilter, queueFilter } from '../queries/audience.js';
import { ClientEventTexts } from './client-event-texts.js';

/**
 * Milliseconds for which a queue is cached. If another process ends the queue and its message about that is lost, the
 * queue can be polled until then. Without the cache, a thousand queues would be looked up at each message: a fifth of all.
 */
const HELD_MS = 5000;
const MAX_HELD = 10_000;

interface LiveQueue {
  readonly queue: EventQueueDocument;
  readonly isWanted: QueueFilter;
}

/** The live queues. */
@Injectable()
export class LiveQueues {
  private readonly held = new Map<string, LiveQueue & { readonly until: number }>();

  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(ClientEventTexts) private readonly texts: Pick<ClientEventTexts, 'narrowing' | 'replacedBy'>,
  ) {}

  /** null: no live queue has the id. @throws UnavailableError, DocumentStoreUnavailable */
  find(queueId: string): Promise<EventQueueDocument | null> {
    return this.readModels.collection<EventQueueDocument>(eventQueues, 'queues').findOne({ _id: queueId });
  }

  /** @throws UnavailableError, DocumentStoreUnavailable */
  async count(): Promise<number> {
    return this.readModels.collection<EventQueueDocument>(eventQueues, 'queues').countDocuments({});
  }

  /** @throws DomainError BAD_EVENT_QUEUE_ID, also for another user's queue; UnavailableError, DocumentStoreUnavailable */
  async own(queueId: string, userId: number): Promise<LiveQueue> {
    const now = Date.now();
    const held = this.held.get(queueId);
    if (held && held.queue.userId === userId && held.until > now) return held;
    const queue = await this.find(queueId);
    if (queue?.userId !== userId) return refuse('BAD_EVENT_QUEUE_ID', { queue_id: queueId });
    const live = { queue, isWanted: queueFilter(queue, this.texts), until: now + HELD_MS };
    this.remember(queueId, live);
    return live;
  }

  forget(queueId: string): void {
    this.held.delete(queueId);
  }

  private remember(queueId: string, live: LiveQueue & { readonly until: number }): void {
    this.held.delete(queueId);
    this.held.set(queueId, live);
    if (this.held.size <= MAX_HELD) return;
    const [oldest] = this.held.keys();
    if (oldest !== undefined) this.held.delete(oldest);
  }
}
