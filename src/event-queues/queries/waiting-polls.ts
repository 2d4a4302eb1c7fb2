import type { ClientEventDocument } from '../../../projections/client-events.documents.js';
import type { EventQueueDocument } from '../../../projections/event-queues.projection.js';
import type { Directory } from '../../directory/directory.js';
import { isPublicMessageFor } from './audience.js';
import type { FeedAudience } from './client-event-feed.js';
import { EventBatch } from './event-batch.js';
import type { QueueFilter } from './queue-filter.js';

/** Answers that leave in one turn of the event loop. */
const AT_ONCE = 64;

/** A request that is held open until its queue has something. */
export interface WaitingPoll {
  readonly queue: EventQueueDocument;
  readonly passes: QueueFilter;
  /** @param events what woke it, in order; none where it was released for another reason */
  readonly wake: (events: readonly ClientEventDocument[]) => void;
  /** Something is there that is in no feed. */
  readonly nudge: () => void;
}

/**
 * Everyone who waits, by user: an event asks for its audience once, whatever number of queues there is, and messages
 * of one channel are asked about together.
 */
export class WaitingPolls implements FeedAudience {
  private readonly byUser = new Map<number, Set<WaitingPoll>>();
  private readonly byQueue = new Map<string, WaitingPoll>();
  /** They have their events, and wait for nothing but their turn to leave. */
  private readonly woken: { readonly poll: WaitingPoll; readonly leave: () => void }[] = [];
  private timer: NodeJS.Immediate | null = null;
  private closed = false;

  constructor(private readonly directory: Directory) {}

  get isEmpty(): boolean {
    return this.byQueue.size === 0;
  }

  get size(): number {
    return this.byQueue.size;
  }

  /** Releases the poll that waits for the same queue, if one does. Lets it go at once where the server closes. */
  add(poll: WaitingPoll): void {
    const { _id, userId } = poll.queue;
    this.release(_id);
    this.byQueue.set(_id, poll);
    const others = this.byUser.get(userId);
    if (others) others.add(poll);
    else this.byUser.set(userId, new Set([poll]));
    if (this.closed) this.letGo(poll);
  }

  /** Answers with what there is: nothing. Does nothing where the poll does not wait any more. */
  letGo(poll: WaitingPoll): void {
    if (this.remove(poll)) poll.wake([]);
  }

  release(queueId: string): void {
    const poll = this.byQueue.get(queueId);
    if (poll) this.letGo(poll);
  }

  /** Nobody waits from now on. */
  close(): void {
    this.closed = true;
    for (const poll of [...this.byQueue.values()]) this.letGo(poll);
  }

  onEvents(events: readonly ClientEventDocument[]): void {
    const batch = new EventBatch(events, this.directory);
    for (const [userId, polls] of this.byUser) {
      const own = batch.for(userId);
      for (const poll of polls) {
        const found = this.foundFor(poll, own, events);
        if (found.length > 0) this.woken.push({ poll, leave: () => poll.wake(found) });
      }
    }
    for (const { poll } of this.woken) this.remove(poll);
    this.releaseEnded(events);
    if (this.timer === null) this.wakeSome();
  }

  /**
   * Something has come that is in no feed: those whom it is for look for it.
   * @param userIds nobody else's polls are asked about; absent: everybody's are
   */
  nudge(isFor: (queue: EventQueueDocument) => boolean, userIds?: readonly number[]): void {
    const polls = userIds ? userIds.flatMap((id) => [...(this.byUser.get(id) ?? [])]) : [...this.byQueue.values()];
    for (const poll of polls) {
      if (isFor(poll.queue) && this.remove(poll)) this.woken.push({ poll, leave: poll.nudge });
    }
    if (this.timer === null) this.wakeSome();
  }

  /** Whoever has no account any more waits for nothing, whatever their queues were to be told of. */
  private releaseEnded(events: readonly ClientEventDocument[]): void {
    for (const event of events) {
      if (event.kind !== 'subscription/gone') continue;
      for (const poll of [...(this.byUser.get(event.payload.userId) ?? [])]) this.letGo(poll);
    }
  }

  /** A thousand answers at once would hold everybody else up for a tenth of a second: they leave a few at a time. */
  private wakeSome(): void {
    for (const { leave } of this.woken.splice(0, AT_ONCE)) leave();
    this.timer = this.woken.length > 0 ? setImmediate(() => this.wakeSome()) : null;
  }

  private remove(poll: WaitingPoll): boolean {
    const { _id, userId } = poll.queue;
    if (this.byQueue.get(_id) !== poll) return false;
    this.byQueue.delete(_id);
    const others = this.byUser.get(userId);
    others?.delete(poll);
    if (others?.size === 0) this.byUser.delete(userId);
    return true;
  }

  private foundFor(
    { queue, passes }: WaitingPoll,
    own: readonly ClientEventDocument[],
    events: readonly ClientEventDocument[],
  ): readonly ClientEventDocument[] {
    if (!queue.allPublicChannels) return own.filter(passes);
    const mine = new Set(own);
    return events.filter(
      (event) => (mine.has(event) || isPublicMessageFor(queue.userId, event, this.directory)) && passes(event),
    );
  }
}
