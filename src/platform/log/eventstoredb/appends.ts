import { awakeNow } from '../../kernel/awake-time.js';
import { BackOff } from '../../kernel/back-off.js';
import type { Position } from '../../kernel/position.js';
import { withTimeout } from '../../kernel/with-timeout.js';
import { type AppendResult, EventStoreUnavailable, RevisionConflict } from '../event-store.js';
import type { AppendLookup, AppendRequest } from './append-lookup.js';
import type { Appended } from './batch-appends.js';
import { classifyAppendFailure, describe } from './classify-errors.js';
import { lastRevisionExpected } from './codec.js';
import type { Connection } from './connection.js';
import type { HeadOfLog } from './head-of-log.js';
import type { RecentLog } from './recent-log.js';
import type { Place } from './recent-places.js';
import type { Tail } from './tail.js';
import type { Timings } from './timings.js';

/** Ids of failed appends that nobody has asked for since; older ones are left to the memory of ids. */
const MOST_UNRESOLVED = 10_000;

/** Appends to one stream that the server has not answered yet. */
interface UnderWay {
  count: number;
  /** The revision that the last of them makes if it succeeds. */
  last: number;
}

/**
 * Appends on a server that forgets event ids when it restarts, and whose errors leave open whether an append was stored.
 * Nothing is sent while a repeat would not be recognized, and nothing is sent again before its outcome is known.
 */
export class Appends {
  private readonly inFlight = new Map<string, Promise<unknown>>();
  private readonly underWay = new Map<string, UnderWay>();
  /** By stream: a look at it that must come before the next append to it. */
  private readonly looks = new Map<string, Promise<unknown>>();
  /** Ids that may have been stored, and the log's head before they were sent first. */
  private readonly unresolved = new Map<string, Position>();
  private entrance: Promise<unknown> = Promise.resolve();
  private entering = 0;

  constructor(
    private readonly connection: Connection,
    private readonly tail: Tail,
    private readonly head: HeadOfLog,
    private readonly lookup: AppendLookup,
    private readonly recent: RecentLog,
    private readonly streamPrefix: string,
    private readonly timings: Timings,
  ) {}

  /** Appends that are sent land in the order of the calls. @throws RevisionConflict, EventStoreUnavailable, TypeError */
  async append(request: AppendRequest): Promise<AppendResult> {
    const deadline = awakeNow() + this.timings.append;
    if (this.entering > 0 || !this.tail.takesAppends) await this.enter();
    const keys = keysOf(request);
    for (let other = this.before(request, keys); other; other = this.before(request, keys)) {
      await withTimeout(other, deadline - awakeNow(), () => this.unknown(request, 'an earlier attempt is under way'));
    }
    const known = this.lookup.remembered(request);
    if (known.length > 0) return this.lookup.result(request, known, true);

    // Up to the sending nothing is awaited where nothing has to be looked up: that keeps the order.
    const running = this.run(request, deadline);
    const ended = running.catch(() => undefined);
    for (const key of keys) this.inFlight.set(key, ended);
    try {
      return await running;
    } finally {
      for (const key of keys) this.inFlight.delete(key);
    }
  }

  /** Resolves when nothing is in flight any more. */
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
            // Another process may have stored them a moment ago, or an earlier attempt whose answer was lost.
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
   * Reads on past the head, as often as it takes, and tells which of the events are in the log.
   *
   * @throws EventStoreUnavailable with `unknown` at the deadline: the ids stay marked
   */
  private async resolve(request: AppendRequest, since: Position, deadline: number): Promise<Place[]> {
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

  private async resolveOnce(request: AppendRequest, since: Position): Promise<Place[]> {
    await this.lookup.passHead();
    return this.lookup.stored(request, since);
  }

  /** In the order of the calls, when the tail takes appends. */
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

  /** What has to end before: an append with one of these ids, or a look at the stream. */
  private before({ stream }: AppendRequest, keys: readonly string[]): Promise<unknown> | undefined {
    for (const key of keys) {
      const other = this.inFlight.get(key);
      if (other) return other;
    }
    return this.looks.get(stream);
  }

  /**
   * Whether what lies at the expected revision is unknown here. If it were these events, the server would not take the
   * append for a repeat.
   */
  private isUnseen({ stream, expected }: AppendRequest): boolean {
    if (typeof expected !== 'number' || this.recent.at(stream, expected)) return false;
    return expected > (this.underWay.get(stream)?.last ?? -1);
  }

  private async look(request: AppendRequest): Promise<Place[]> {
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

  /** The error of an outcome that could not be found out; the next call with these ids begins with finding out. */
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
