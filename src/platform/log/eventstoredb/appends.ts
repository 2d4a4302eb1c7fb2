import { awakeNow, withTimeout } from '../../kernel/awake-time.js';
import { BackOff } from '../../kernel/back-off.js';
import type { Position } from '../../kernel/position.js';
import type { AppendRequest } from '../encode-append.js';
import { type AppendResult, EventStoreUnavailable, RevisionConflict } from '../event-store.js';
import type { AppendLookup } from './append-lookup.js';
import type { Appended } from './batch-appends.js';
import { classifyAppendFailure, describe } from './classify-errors.js';
import { lastRevisionExpected } from './codec.js';
import type { EngineConnection } from './connection.js';
import type { HeadOfLog } from './head-of-log.js';
import type { KnownPlace, RecentLog } from './recent-log.js';
import type { Tail } from './tail.js';
import type { Timings } from './timings.js';

/** Unresolved ids that are kept; for older ones, the memory of ids must do. */
const MOST_UNRESOLVED = 10_000;

/** Appends to one stream that have no answer yet. */
interface UnderWay {
  count: number;
  /** Revision of the stream after the last append, if it succeeds. */
  last: number;
}

/**
 * Appends to a server that forgets event ids at a restart, and whose errors leave open whether an append was stored. Sends
 * nothing while a repeat would not be recognized, and repeats no append before the outcome of the first attempt is known.
 */
export class Appends {
  private readonly inFlight = new Map<string, Promise<unknown>>();
  private readonly underWay = new Map<string, UnderWay>();
  /** By stream: a read that must end before the next append to the stream. */
  private readonly looks = new Map<string, Promise<unknown>>();
  /** Ids that may have been stored, each with the log's head before its first attempt. */
  private readonly unresolved = new Map<string, Position>();
  private entrance: Promise<unknown> = Promise.resolve();
  private entering = 0;

  constructor(
    private readonly connection: EngineConnection,
    private readonly tail: Tail,
    private readonly head: HeadOfLog,
    private readonly lookup: AppendLookup,
    private readonly recent: RecentLog,
    private readonly streamPrefix: string,
    private readonly timings: Timings,
  ) {}

  /** Appends in the order of the calls. @throws RevisionConflict, EventStoreUnavailable, TypeError */
  async append(request: AppendRequest): Promise<AppendResult> {
    const deadline = awakeNow() + this.timings.append;
    if (this.entering > 0 || !this.tail.takesAppends) await this.enter();
    const keys = keysOf(request);
    for (let other = this.before(request, keys); other; other = this.before(request, keys)) {
      await withTimeout(other, deadline - awakeNow(), () => this.unknown(request, 'an earlier attempt is under way'));
    }
    const known = this.lookup.remembered(request);
    if (known.length > 0) return this.lookup.result(request, known, true);

    // Without a look-up, nothing is awaited before the append is sent: this keeps the order.
    const running = this.run(request, deadline);
    const ended = running.catch(() => undefined);
    for (const key of keys) this.inFlight.set(key, ended);
    try {
      return await running;
    } finally {
      for (const key of keys) this.inFlight.delete(key);
    }
  }

  /** Resolves when no append is in flight. */
  async idle(): Promise<void> {
    await Promise.all(this.inFlight.values());
  }

  private async run(request: AppendRequest, deadline: number): Promise<AppendResult> {
    const marked = this.markOf(request);
    const since = marked ?? this.recent.head;
    let mayBeStored = marked !== undefined;
    if (!mayBeStored && this.isUnseen(request)) {
      const known = await this.look(request);
      if (known.length > 0) return this.lookup.result(request, known, true);
    }
    for (;;) {
      if (mayBeStored) {
        const known = await this.resolve(request, since, deadline);
        if (known.length > 0) return this.lookup.result(request, known, null);
      }
      try {
        return await this.acknowledge(request, await this.send(request), since);
      } catch (error) {
        const { stream, expected } = request;
        const failure = classifyAppendFailure(error);
        switch (failure.kind) {
          case 'conflict': {
            // The events may be in the log: stored by another process a moment ago, or by an attempt whose answer was lost.
            const known = await this.resolve(request, since, deadline);
            if (known.length > 0) return this.lookup.result(request, known, mayBeStored ? null : true);
            throw new RevisionConflict(stream, expected, failure.actual);
          }
          case 'too-big':
            throw new TypeError(`an append to ${stream} is over the ${failure.most} bytes that EventStoreDB takes`);
          case 'refused':
            throw new EventStoreUnavailable(`${stream}: ${failure.message}`, mayBeStored ? 'unknown' : 'no', {
              cause: error,
            });
          case 'unknown':
            mayBeStored = true;
            if (awakeNow() >= deadline) throw this.unknown(request, describe(error), since);
        }
      }
    }
  }

  private async send({ stream, events, expected }: AppendRequest): Promise<Appended> {
    const before = this.underWay.get(stream);
    const state = before ?? { count: 0, last: -1 };
    const last = lastRevisionExpected(expected);
    state.count += 1;
    if (last !== undefined) state.last = last + events.length;
    if (!before) this.underWay.set(stream, state);
    try {
      const { appends } = this.connection.link;
      return await appends.send(this.streamPrefix, stream, events, expected, this.timings.call);
    } finally {
      state.count -= 1;
      if (state.count === 0) this.underWay.delete(stream);
    }
  }

  private async acknowledge(request: AppendRequest, appended: Appended, since: Position): Promise<AppendResult> {
    const { stream, events } = request;
    const { revision } = appended;
    const ids = events.map(({ id }) => id);
    const position = appended.position ?? (await this.lookup.eventAt(stream, revision))?.position;
    if (position === undefined) throw new Error(`revision ${revision} of ${stream} is not where the server says`);
    this.recent.acknowledged(stream, ids, revision, position);
    this.head.saw(position);
    this.clear(request);
    // Another process may have stored the same ids between the tail's last event and this append.
    return { revision, position, isRepeat: position <= since ? true : null };
  }

  /**
   * Tells which of the events are in the log. Reads past the head first, and tries again until the deadline.
   *
   * @throws EventStoreUnavailable with `unknown` at the deadline; the ids stay unresolved
   */
  private async resolve(request: AppendRequest, since: Position, deadline: number): Promise<KnownPlace[]> {
    const backOff = new BackOff(20, 500);
    for (;;) {
      try {
        const left = deadline - awakeNow();
        const late = () => this.unknown(request, 'the log could not be read in time', since);
        const known = await withTimeout(this.resolveOnce(request, since), left, late);
        this.clear(request);
        return known;
      } catch (error) {
        const isOver = awakeNow() >= deadline || this.tail.isClosed;
        if (isOver || !(error instanceof EventStoreUnavailable)) throw this.unknown(request, describe(error), since);
        await backOff.wait();
      }
    }
  }

  private async resolveOnce(request: AppendRequest, since: Position): Promise<KnownPlace[]> {
    await this.lookup.passHead();
    return this.lookup.stored(request, since);
  }

  /** Resolves when the tail takes appends, in the order of the calls. */
  private async enter(): Promise<void> {
    const until = awakeNow() + this.timings.gate;
    const open = () => this.untilOpen(until);
    const entered = this.entrance.then(open, open);
    this.entrance = entered;
    this.entering += 1;
    try {
      await entered;
    } finally {
      this.entering -= 1;
    }
  }

  private async untilOpen(until: number): Promise<void> {
    while (!this.tail.takesAppends) {
      const left = until - awakeNow();
      if (left <= 0 || this.tail.isClosed) {
        const why = this.tail.failure ? describe(this.tail.failure) : 'the log is not being followed';
        throw new EventStoreUnavailable(`EventStoreDB: ${why}`, 'no', { cause: this.tail.failure });
      }
      await this.tail.changed.wait(left);
    }
  }

  /** Finds work that must end before this append: an append with one of its ids, or a read of its stream. */
  private before({ stream }: AppendRequest, keys: readonly string[]): Promise<unknown> | undefined {
    for (const key of keys) {
      const other = this.inFlight.get(key);
      if (other) return other;
    }
    return this.looks.get(stream);
  }

  /**
   * Tells whether the event at the expected revision is unknown here. If it is one of the request's own events, the server
   * would not recognize the repeat.
   */
  private isUnseen({ stream, expected }: AppendRequest): boolean {
    if (typeof expected !== 'number' || this.recent.at(stream, expected)) return false;
    return expected > (this.underWay.get(stream)?.last ?? -1);
  }

  private async look(request: AppendRequest): Promise<KnownPlace[]> {
    const looking = this.lookup.atExpected(request);
    this.looks.set(
      request.stream,
      looking.catch(() => undefined),
    );
    try {
      return await looking;
    } finally {
      this.looks.delete(request.stream);
    }
  }

  private markOf(request: AppendRequest): Position | undefined {
    if (this.unresolved.size === 0) return undefined;
    const marks = keysOf(request).map((key) => this.unresolved.get(key) ?? Number.POSITIVE_INFINITY);
    const since = Math.min(...marks);
    return Number.isFinite(since) ? since : undefined;
  }

  private clear(request: AppendRequest): void {
    if (this.unresolved.size > 0) for (const key of keysOf(request)) this.unresolved.delete(key);
  }

  /** Makes the error of an unknown outcome. With `since`, the next append of these ids resolves the outcome first. */
  private unknown(request: AppendRequest, why: string, since?: Position): EventStoreUnavailable {
    if (since !== undefined) for (const key of keysOf(request)) this.unresolved.set(key, since);
    for (const oldest of this.unresolved.keys()) {
      if (this.unresolved.size <= MOST_UNRESOLVED) break;
      this.unresolved.delete(oldest);
    }
    return new EventStoreUnavailable(`EventStoreDB: ${why}; whether it was stored is not known`, 'unknown');
  }
}

const keysOf = ({ stream, events }: AppendRequest): string[] => events.map(({ id }) => `${stream}\n${id}`);
