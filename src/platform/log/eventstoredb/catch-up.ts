import { BackOff } from '../../kernel/back-off.js';
import { type Position, START } from '../../kernel/position.js';
import type { EventFilter, StoredEvent } from '../event-store.js';
import { isDroppedForSlowness, unavailable } from './classify-errors.js';
import { decodeEvent, positionOf } from './codec.js';
import type { Connection } from './connection.js';
import { CHECKPOINT_EVERY, passes, serverFilter } from './filters.js';
import { type Arrival, type LogSubscription, subscribeToLog } from './log-subscription.js';
import { cancel, type Reads } from './reads.js';
import { Signal } from './signal.js';

/** Events that the client holds for a follower who has not asked for them yet; each may have a megabyte. */
const BUFFERED = 64;

export interface CatchUpOptions {
  readonly after: Position;
  readonly limit: number;
  readonly filter: EventFilter | undefined;
  /** The log's newest event when the catching up began, or our newest then: nothing behind it is caught up with. */
  readonly head: Position;
  readonly signal: AbortSignal;
}

/** Events found up to `position`. */
export interface Found {
  readonly events: StoredEvent[];
  readonly position: Position;
  /** Number of events, of anybody, that were looked at here or by the server. */
  readonly lookedAt: number;
}

/**
 * Reads the past of the log with subscriptions that the server filters: for those whom the tail's memory does not reach,
 * and for who looks for our newest event among many of others.
 */
export class CatchUp {
  constructor(
    private readonly connection: Connection,
    private readonly reads: Reads,
    private readonly streamPrefix: string,
    private readonly silence: number,
  ) {}

  /**
   * Pulled: nothing is taken from the server that is not asked for, but for a bounded buffer. Ends once `position` has
   * reached the head, or the signal aborts. Each part has at most `limit` events; it has none where the server has
   * only told how far it has come.
   *
   * @throws EventStoreUnavailable
   */
  async *run(options: CatchUpOptions): AsyncGenerator<Found, void, void> {
    const { head, signal, limit } = options;
    let { after } = options;
    const backOff = new BackOff(20, 1000);
    while (after < head && !signal.aborted) {
      const start = after;
      const subscription = new PulledSubscription(this.connection, this.streamPrefix, after, options.filter);
      try {
        while (after < head && !signal.aborted) {
          const arrivals = subscription.take(limit);
          let position = arrivals.at(-1)?.position ?? after;
          if (arrivals.length < limit) position = Math.max(position, subscription.passed(head));
          if (position === after) {
            await subscription.more(this.silence, signal);
            continue;
          }
          backOff.reset();
          if (after === start) {
            const missed = await this.leftOut(start, arrivals, position);
            if (missed) yield { events: wanted([missed], options), position: missed.position, lookedAt: 1 };
          }
          after = position;
          yield { events: wanted(arrivals, options), position, lookedAt: arrivals.length || CHECKPOINT_EVERY };
        }
      } catch (error) {
        // The server drops a slow follower as soon as it has caught up while others append.
        if (!isDroppedForSlowness(error)) throw unavailable(error);
        await backOff.wait(signal);
      } finally {
        subscription.close();
      }
    }
  }

  /**
   * The server goes on behind a position by leaving out the event that it finds there: where that of the position was
   * scavenged, it finds another one. Looked for once the server has gone on: what is scavenged later was not left out.
   *
   * @param arrivals the first since then, of those up to `position`
   */
  private async leftOut(
    start: Position,
    arrivals: readonly Arrival[],
    position: Position,
  ): Promise<Pick<Arrival, 'position' | 'event'> | undefined> {
    if (start === START) return undefined;
    const [first] = await this.reads.all(start, 'forwards', 1);
    if (!first) return undefined;
    const at = positionOf(first);
    const [next] = arrivals;
    const isBefore = next ? at < next.position : at <= position;
    return at > start && isBefore ? { position: at, event: decodeEvent(first, this.streamPrefix) } : undefined;
  }
}

function wanted(arrivals: readonly Pick<Arrival, 'event'>[], { filter }: CatchUpOptions): StoredEvent[] {
  return arrivals.flatMap(({ event }) => (event && passes(event, filter) ? [event] : []));
}

/** A subscription read by asking; the client holds back the server when nobody does. */
class PulledSubscription {
  private readonly subscription: LogSubscription;
  private readonly changed = new Signal();
  private readonly link;
  private checkpoint: Position = START;
  private isCaughtUp = false;
  private failure: unknown;

  constructor(
    private readonly connection: Connection,
    streamPrefix: string,
    after: Position,
    eventFilter: EventFilter | undefined,
  ) {
    this.link = connection.link;
    const filter = serverFilter(streamPrefix, eventFilter, (position) => {
      this.checkpoint = Math.max(this.checkpoint, position ?? START);
      this.changed.fire();
    });
    this.subscription = subscribeToLog(this.link, streamPrefix, after, filter, BUFFERED);
    this.subscription.on('readable', () => this.changed.fire());
    this.subscription.on('caughtUp', () => {
      this.isCaughtUp = true;
      this.changed.fire();
    });
    this.subscription.on('error', (error) => this.fail(error));
    this.subscription.on('end', () => this.fail(new Error('the server has ended the subscription')));
  }

  /** What is there, at most so many. @throws what has ended the subscription, once all that came before is taken */
  take(limit: number): Arrival[] {
    const arrivals: Arrival[] = [];
    while (arrivals.length < limit) {
      const arrival = this.subscription.read();
      if (!arrival) break;
      arrivals.push(arrival);
    }
    if (arrivals.length === 0 && this.failure) throw this.failure;
    return arrivals;
  }

  /**
   * How far the server has looked, no further than the head, behind which others' events may lie: what it says runs ahead
   * of the events, until none of them is left to take.
   */
  passed(head: Position): Position {
    return this.isCaughtUp ? head : Math.min(head, this.checkpoint);
  }

  /** Until there may be more. @throws Error after so many milliseconds of silence */
  async more(silence: number, signal: AbortSignal): Promise<void> {
    if (this.failure) return;
    const until = performance.now() + silence;
    const before = this.checkpoint;
    while (!this.failure && this.subscription.readableLength === 0 && !signal.aborted) {
      const left = until - performance.now();
      if (left <= 0) {
        this.connection.replace(this.link, silence);
        throw new Error(`nothing for ${silence} ms`);
      }
      await this.changed.wait(left, signal);
      if (this.isCaughtUp || this.checkpoint > before) return;
    }
  }

  close(): void {
    cancel(this.subscription);
  }

  private fail(error: unknown): void {
    this.failure ??= error;
    this.changed.fire();
  }
}
