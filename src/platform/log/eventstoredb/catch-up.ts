import { BackOff } from '../../kernel/back-off.js';
import { type Position, START } from '../../kernel/position.js';
import { BATCH_BYTES, type EventFilter, passes, type StoredEvent } from '../event-store.js';
import { isDroppedForSlowness, unavailable } from './classify-errors.js';
import { decodeEvent, freezeAndWeigh, positionOf } from './codec.js';
import type { EngineConnection } from './connection.js';
import { CHECKPOINT_EVERY, serverFilter } from './filters.js';
import { type Arrival, type LogSubscription, subscribeToLog } from './log-subscription.js';
import { cancel, type Reads } from './reads.js';
import { Signal } from './signal.js';

/** Events that are buffered for a follower. Each may have a megabyte. */
const BUFFERED = 64;

interface CatchUpOptions {
  readonly after: Position;
  readonly limit: number;
  readonly filter: EventFilter | undefined;
  /** Position at which catching up ends: the newest event, or our newest, when it began. */
  readonly head: Position;
  readonly signal: AbortSignal;
}

/** Events found up to `position`. */
interface Found {
  readonly events: StoredEvent[];
  /** Bytes of the arrivals, events of other programs left out. */
  readonly bytes: number;
  readonly position: Position;
  /** Number of events that this process or the server examined, events of other programs included. */
  readonly lookedAt: number;
}

/**
 * Reads the past of the log by subscriptions that the server filters: for followers behind the tail's memory, and to find
 * our newest event among many of other programs.
 */
export class CatchUp {
  constructor(
    private readonly connection: EngineConnection,
    private readonly reads: Reads,
    private readonly streamPrefix: string,
    private readonly silence: number,
  ) {}

  /**
   * Yields parts of at most `limit` events and about `BATCH_BYTES`, and reads ahead only a bounded buffer. Ends when
   * `position` has reached the head, or the signal aborts. A part without events says how far the server has searched.
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
          const { arrivals, bytes, isFull } = subscription.nextArrivals(limit);
          let position = arrivals.at(-1)?.position ?? after;
          if (!isFull) position = Math.max(position, subscription.searchedThrough(head));
          if (position === after) {
            await subscription.more(this.silence, signal);
            continue;
          }
          backOff.reset();
          if (after === start) {
            const missed = await this.leftOut(start, arrivals, position);
            if (missed)
              yield { events: wanted([missed], options), bytes: missed.bytes, position: missed.position, lookedAt: 1 };
          }
          after = position;
          yield { events: wanted(arrivals, options), bytes, position, lookedAt: arrivals.length || CHECKPOINT_EVERY };
        }
      } catch (error) {
        // The server drops a slow subscription that has just caught up while events are appended.
        if (!isDroppedForSlowness(error)) throw unavailable(error);
        await backOff.wait(signal);
      } finally {
        subscription.close();
      }
    }
  }

  /**
   * Finds the event that the server skipped wrongly. To resume after a position, the server skips the first event it finds
   * there; if the position's own event was scavenged, that is the next one. The search runs after the server has resumed:
   * an event that is scavenged later was not skipped.
   *
   * @param arrivals the first arrivals after the resumption, up to `position`
   */
  private async leftOut(
    start: Position,
    arrivals: readonly Arrival[],
    position: Position,
  ): Promise<Arrival | undefined> {
    if (start === START) return undefined;
    const [first] = await this.reads.all(start, 'forwards', 1);
    if (!first) return undefined;
    const at = positionOf(first);
    const [next] = arrivals;
    const isBefore = next ? at < next.position : at <= position;
    if (at <= start || !isBefore) return undefined;
    const event = decodeEvent(first, this.streamPrefix);
    return { position: at, event, bytes: event ? freezeAndWeigh(event) : 0 };
  }
}

function wanted(arrivals: readonly Pick<Arrival, 'event'>[], { filter }: CatchUpOptions): StoredEvent[] {
  return arrivals.flatMap(({ event }) => (event && passes(event, filter) ? [event] : []));
}

/** A subscription that is read on request. Without requests, the client holds the server back. */
class PulledSubscription {
  private readonly subscription: LogSubscription;
  private readonly changed = new Signal();
  private readonly link;
  private checkpoint: Position = START;
  private isCaughtUp = false;
  private failure: unknown;

  constructor(
    private readonly connection: EngineConnection,
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

  /**
   * Takes at most `limit` buffered arrivals, and about `BATCH_BYTES`. `isFull`: others may be buffered.
   *
   * @throws the subscription's error, once the buffer is empty
   */
  nextArrivals(limit: number): { readonly arrivals: Arrival[]; readonly bytes: number; readonly isFull: boolean } {
    const arrivals: Arrival[] = [];
    let bytes = 0;
    const isFull = () => arrivals.length >= limit || bytes >= BATCH_BYTES;
    while (!isFull()) {
      const arrival = this.subscription.read();
      if (!arrival) break;
      arrivals.push(arrival);
      bytes += arrival.bytes;
    }
    if (arrivals.length === 0 && this.failure) throw this.failure;
    return { arrivals, bytes, isFull: isFull() };
  }

  /**
   * Gives the position that the server has searched up to, at most the head. While arrivals are buffered, it is not used:
   * the server's reports run ahead of the events.
   */
  searchedThrough(head: Position): Position {
    return this.isCaughtUp ? head : Math.min(head, this.checkpoint);
  }

  /** Resolves when there may be more arrivals. @throws Error after `silence` ms of silence */
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
