import { once } from 'node:events';
import { awakeNow, withTimeout } from '../../kernel/awake-time.js';
import { BackOff } from '../../kernel/back-off.js';
import { type Position, START } from '../../kernel/position.js';
import { EventStoreUnavailable, LogReplaced, type StoredEvent } from '../event-store.js';
import { isDroppedForSlowness, isStreamNotFound, unavailable } from './classify-errors.js';
import { decodeEvent, freezeAndWeigh, positionOf } from './codec.js';
import type { EngineConnection, Link } from './connection.js';
import { serverFilter } from './filters.js';
import type { HeadOfLog } from './head-of-log.js';
import { type Arrival, type LogSubscription, subscribeToLog } from './log-subscription.js';
import { cancel, type Reads } from './reads.js';
import type { RecentLog } from './recent-log.js';
import { Signal } from './signal.js';
import type { Timings } from './timings.js';

/** Part of the log's end that is read at the start, to recognize repeats of earlier appends. */
const FIRST_EVENTS = 2000;
const FIRST_BYTES = 8 * 1024 * 1024;
const BUFFERED = 512;

/**
 * - `away`: the server does not answer, or the tail has not caught up with the head since the server answers again.
 * - `live`: the tail has caught up, and gets events as they are appended.
 * - `resuming`: the server dropped the subscription for slowness. It was not restarted, so it still knows the ids that
 *   are missing here: appends go on.
 */
type State = 'away' | 'live' | 'resuming';

/** The time of one subscription. */
class Epoch {
  isOver = false;
  /** Rejects when the subscription ends, for any reason. */
  readonly ended: Promise<never>;
  private reject: (error: unknown) => void = () => undefined;

  constructor() {
    this.ended = new Promise((_, reject) => {
      this.reject = reject;
    });
    // The rejection may come when nothing waits for it.
    this.ended.catch(() => undefined);
  }

  end(error: unknown): void {
    this.isOver = true;
    this.reject(error);
  }
}

/** The live subscription of a process to the log. Resumes after every interruption. */
export class Tail {
  /** Fires when an event comes or the state changes. */
  readonly changed = new Signal();
  /** Set only while the tail is away. */
  failure: EventStoreUnavailable | undefined;
  private state: State = 'away';
  private resumingSince = 0;
  /** Position up to which every event was seen, events of other programs included. */
  private considered: Position = START;
  private arrivals = 0;
  private isWaking = false;
  private epoch: Epoch | undefined;
  private readonly stop = new AbortController();

  constructor(
    private readonly connection: EngineConnection,
    private readonly reads: Reads,
    private readonly head: HeadOfLog,
    private readonly recent: RecentLog,
    private readonly streamPrefix: string,
    private readonly timings: Timings,
  ) {}

  /** @throws EventStoreUnavailable if the log's end cannot be read */
  async start(): Promise<void> {
    await this.begin();
    void this.run();
  }

  get isLive(): boolean {
    return this.state === 'live';
  }

  /** Tells whether a repeated append would be recognized now, here or by the server. */
  get takesAppends(): boolean {
    if (this.state === 'resuming') return awakeNow() - this.resumingSince < this.timings.gate;
    return this.state === 'live';
  }

  get isClosed(): boolean {
    return this.stop.signal.aborted;
  }

  close(): void {
    this.away(new EventStoreUnavailable('the log is closed', 'no'));
    this.stop.abort();
    this.epoch?.end(this.failure);
  }

  /**
   * Waits until the tail has passed a position.
   *
   * @throws EventStoreUnavailable if the tail goes away, or no event comes for the time limit of a call
   */
  async reach(position: Position, abort?: AbortSignal): Promise<void> {
    let arrivals = -1;
    while (this.recent.head < position && !abort?.aborted) {
      if (this.failure) throw this.failure;
      if (arrivals === this.arrivals) {
        throw new EventStoreUnavailable(`EventStoreDB: event ${position} does not come`, 'no');
      }
      arrivals = this.arrivals;
      const until = awakeNow() + this.timings.call;
      while (this.recent.head < position && arrivals === this.arrivals && !this.failure && !abort?.aborted) {
        const left = until - awakeNow();
        if (left <= 0) break;
        await this.changed.wait(left, abort);
      }
    }
  }

  private async run(): Promise<void> {
    const backOff = new BackOff(10, 1000);
    while (!this.stop.signal.aborted) {
      const before = this.considered;
      try {
        await this.follow();
      } catch (error) {
        if (this.stop.signal.aborted) return;
        if (isDroppedForSlowness(error)) {
          this.resume();
          if (this.considered > before) backOff.reset();
          else await backOff.wait(this.stop.signal);
          continue;
        }
        if (this.state === 'live') backOff.reset();
        this.away(unavailable(error));
        await backOff.wait(this.stop.signal);
      }
    }
  }

  /** Runs one subscription to its end. Always rejects. */
  private async follow(): Promise<void> {
    const { link } = this.connection;
    const filter = serverFilter(this.streamPrefix, undefined, (position) => {
      // Earlier events may still be in the subscription's buffer, or were dropped with it.
      if (!epoch.isOver && subscription.readableLength === 0) this.noteSearched(position);
    });
    if (this.failure) await this.checkSameLog();
    // Another program's event may have been scavenged after hours; the server would resume one event too late. Ours stay.
    const from = this.state === 'away' ? this.recent.head : this.considered;
    const subscription = subscribeToLog(link, this.streamPrefix, from, filter, BUFFERED);
    const epoch = this.takeFrom(subscription);
    try {
      const confirmed = Promise.race([epoch.ended, once(subscription, 'confirmation')]);
      await withTimeout(confirmed, this.timings.call, () => {
        this.connection.replace(link, this.timings.call);
        return new Error(`no subscription within ${this.timings.call} ms`);
      });
      await Promise.race([epoch.ended, this.catchUp(epoch)]);
      this.state = 'live';
      this.failure = undefined;
      this.wake();
      await Promise.race([epoch.ended, this.watch(epoch, link)]);
    } finally {
      epoch.end(new Error('left'));
      cancel(subscription);
    }
  }

  /** Checks that a server that was away still has this log: it may have been restored. @throws LogReplaced */
  async checkSameLog(): Promise<void> {
    const { newest } = this.recent;
    if (!newest) return;
    const name = this.streamPrefix + newest.stream;
    const read = this.reads.stream(name, newest.revision, 'forwards', 1);
    const [found] = await read.catch((error: unknown) => {
      if (isStreamNotFound(error)) return [];
      throw error;
    });
    const event = found && decodeEvent(found, this.streamPrefix);
    if (event?.id !== newest.id || event.position !== newest.position) throw new LogReplaced();
  }

  private takeFrom(subscription: LogSubscription): Epoch {
    const epoch = new Epoch();
    this.epoch = epoch;
    subscription.on('data', (arrival) => {
      // Arrivals of an ended subscription come again on the next one.
      if (!epoch.isOver) this.receive(arrival);
    });
    subscription.on('error', (error) => epoch.end(error));
    subscription.on('end', () => epoch.end(new Error('the server has ended the subscription')));
    return epoch;
  }

  /** Reads the head, and waits until the tail has passed it. */
  private async catchUp(epoch: Epoch): Promise<void> {
    const head = await this.head.read();
    for (let arrivals = -1; this.recent.head < head && !epoch.isOver; ) {
      if (arrivals === this.arrivals) throw new Error(`event ${head} does not come`);
      arrivals = this.arrivals;
      await this.quiet(this.timings.call, () => epoch.isOver || this.recent.head >= head);
    }
  }

  /** Reads the head after a silence: a dead subscription is as silent as one without new events. */
  private async watch(epoch: Epoch, link: Link): Promise<void> {
    while (!epoch.isOver) {
      if (!this.connection.isCurrent(link)) throw new Error('the connection was dead');
      const arrivals = this.arrivals;
      await this.quiet(this.timings.quiet, () => epoch.isOver || !this.connection.isCurrent(link));
      if (arrivals === this.arrivals && !epoch.isOver) await this.catchUp(epoch);
    }
  }

  /** Resolves when the condition holds, an event arrives, or the time is over. */
  private async quiet(milliseconds: number, isOver: () => boolean): Promise<void> {
    const arrivals = this.arrivals;
    const until = awakeNow() + milliseconds;
    for (let left = milliseconds; left > 0 && arrivals === this.arrivals && !isOver(); ) {
      await this.changed.wait(left, this.stop.signal);
      if (this.stop.signal.aborted) return;
      left = until - awakeNow();
    }
  }

  private async begin(): Promise<void> {
    const newest: { readonly event: StoredEvent; readonly weight: number }[] = [];
    let bytes = 0;
    const resolved = await this.reads.all('end', 'backwards', FIRST_EVENTS, (one) => {
      const event = decodeEvent(one, this.streamPrefix);
      if (event) {
        const weight = freezeAndWeigh(event);
        newest.push({ event, weight });
        bytes += weight;
      }
      return bytes > FIRST_BYTES;
    });
    const [last] = resolved;
    const first = resolved.at(-1);
    const isAll = resolved.length < FIRST_EVENTS && bytes <= FIRST_BYTES;
    if (last && (isAll || newest.length > 0)) {
      for (const { event } of newest) this.head.saw(event.position);
      this.head.searchedTo(positionOf(last));
    }
    // The memory begins after the first event that was read.
    this.recent.startAt(isAll || !first ? START : positionOf(first));
    for (const { event, weight } of newest.reverse()) {
      if (event.position > this.recent.floor) this.recent.add(event, weight);
    }
    if (newest.length === 0) this.recent.startAt(await this.head.read());
    this.considered = this.recent.head;
  }

  private receive({ position, event, bytes }: Arrival): void {
    this.arrivals += 1;
    if (event && position > this.recent.head) {
      this.recent.add(event, bytes);
      this.head.saw(position);
    }
    this.head.searchedTo(position);
    this.considered = Math.max(this.considered, position);
    this.wakeSoon();
  }

  private noteSearched(position: Position | undefined): void {
    this.arrivals += 1;
    this.considered = Math.max(this.considered, position ?? START);
    this.head.searchedTo(this.considered);
  }

  private resume(): void {
    if (this.state !== 'live') return;
    this.state = 'resuming';
    this.resumingSince = awakeNow();
  }

  private away(failure: EventStoreUnavailable): void {
    this.state = 'away';
    this.failure = failure;
    this.wake();
  }

  /** Wakes followers once for all events of this turn. */
  private wakeSoon(): void {
    if (this.isWaking) return;
    this.isWaking = true;
    setImmediate(() => this.wake());
  }

  private wake(): void {
    this.isWaking = false;
    this.changed.fire();
  }
}
