import { Injectable } from '@nestjs/common';
import type { ClientEventDocument } from '../../../../projections/client-events/client-events.documents.js';
import { subscriberDeactivated } from '../../../../projections/client-events/subscriptions.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import { Directory } from '../../../directory/directory.js';
import { isPublicMessageFor, type QueueFilter } from '../queries/audience.js';
import { EventBatch } from '../queries/event-batch.js';

/** Answers sent, or polls begun, in one turn of the event loop, at most. */
const AT_ONCE = 64;

/** A request that is held open until its queue has an event. */
export interface WaitingPoll {
  readonly queue: EventQueueDocument;
  readonly passes: QueueFilter;
  /** @param events in order; empty if the poll is released for another reason */
  readonly wake: (events: readonly ClientEventDocument[]) => void;
  /** Makes the poll look for ephemeral events. */
  readonly nudge: () => void;
}

/** The polls that wait for the feed's next events. */
export interface FeedAudience {
  readonly isEmpty: boolean;
  /** The next events, in order. All earlier events were passed to this method or to pages of `ClientEventFeed.after`. */
  onEvents(events: readonly ClientEventDocument[]): void;
}

/** The waiting polls, by user: an event's audience is checked once a user, not once a queue. */
@Injectable()
export class WaitingPolls implements FeedAudience {
  private readonly byUser = new Map<number, Set<WaitingPoll>>();
  private readonly byQueue = new Map<string, WaitingPoll>();
  /** Polls that have their events and wait for their turn to be answered. */
  private readonly woken: { readonly poll: WaitingPoll; readonly leave: () => void }[] = [];
  /** Polls that begin when the woken ones are answered. */
  private readonly coming: (() => void)[] = [];
  private timer: NodeJS.Immediate | null = null;
  private closed = false;

  constructor(private readonly directory: Directory) {}

  get isEmpty(): boolean {
    return this.byQueue.size === 0;
  }

  get size(): number {
    return this.byQueue.size;
  }

  /**
   * Begins a poll; after others are answered, if some have their events. Most of a thousand clients would poll again before
   * the last one has its answer, and could only wait.
   */
  begin(poll: () => void): void {
    if (this.timer === null) poll();
    else this.coming.push(poll);
  }

  /** Releases an earlier poll of the same queue. Once the server closes, releases the new poll at once. */
  add(poll: WaitingPoll): void {
    const { _id, userId } = poll.queue;
    this.release(_id);
    this.byQueue.set(_id, poll);
    const others = this.byUser.get(userId);
    if (others) others.add(poll);
    else this.byUser.set(userId, new Set([poll]));
    if (this.closed) this.letGo(poll);
  }

  /** Answers the poll without events, if it is still waiting. */
  letGo(poll: WaitingPoll): void {
    if (this.remove(poll)) poll.wake([]);
  }

  release(queueId: string): void {
    const poll = this.byQueue.get(queueId);
    if (poll) this.letGo(poll);
  }

  /** Releases every poll, and from now on each new one. */
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
   * Wakes the polls that an ephemeral event is for.
   * @param userIds limits the search to these users' polls
   */
  nudge(isFor: (queue: EventQueueDocument) => boolean, userIds?: readonly number[]): void {
    const polls = userIds ? userIds.flatMap((id) => [...(this.byUser.get(id) ?? [])]) : [...this.byQueue.values()];
    for (const poll of polls) {
      if (isFor(poll.queue) && this.remove(poll)) this.woken.push({ poll, leave: poll.nudge });
    }
    if (this.timer === null) this.wakeSome();
  }

  /** Releases the polls of users whose accounts have been deactivated. */
  private releaseEnded(events: readonly ClientEventDocument[]): void {
    for (const event of events) {
      if (!subscriberDeactivated.is(event)) continue;
      for (const poll of [...(this.byUser.get(event.payload.userId) ?? [])]) this.letGo(poll);
    }
  }

  /** Answers a few polls a turn: a thousand at once would block the event loop for a tenth of a second. */
  private wakeSome(): void {
    const next = this.woken.splice(0, AT_ONCE);
    for (const { leave } of next) leave();
    if (next.length === 0) for (const begin of this.coming.splice(0, AT_ONCE)) begin();
    this.timer = this.woken.length + this.coming.length > 0 ? setImmediate(() => this.wakeSome()) : null;
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
