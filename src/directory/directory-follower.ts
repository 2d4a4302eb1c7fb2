import { performance } from 'node:perf_hooks';
import { Logger } from '@nestjs/common';
import { ANSWER_WAIT_MS } from '../platform/kernel/answer-wait.js';
import { awakeNow } from '../platform/kernel/awake-time.js';
import { Deferred } from '../platform/kernel/deferred.js';
import { UnavailableError } from '../platform/kernel/outcome-errors.js';
import { pause } from '../platform/kernel/pause.js';
import type { Position } from '../platform/kernel/position.js';
import { PositionWaiters } from '../platform/kernel/position-waiters.js';
import { type EventCodec } from '../platform/log/event-codec.js';
import {
  type Batch,
  type EventStore,
  EventStoreUnavailable,
  LogReplaced,
  UnreadableEvent,
} from '../platform/log/event-store.js';
import { followLog } from '../platform/log/follow-log.js';
import type { Projection } from '../platform/read-models/projection.js';
import type { ReadModels } from '../platform/read-models/read-models.js';
import { directoryEventTypes, isDirectoryEvent } from './directory.changes.js';
import type { Directory } from './directory.js';
import { DIRECTORY_KINDS, type DirectoryKind, type DirectoryRecords, type RecordChange } from './directory.records.js';

export interface DirectoryFollowerOptions {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly readModels: ReadModels;
  /** The read model that holds the directory's records, one collection for each kind. */
  readonly projection: Projection;
  readonly directory: Directory;
  /** Longest wait of `waitFor`, milliseconds; default 2000 (D11). */
  readonly longestWait?: number;
  /** How long a confirmation keeps the directory fresh, milliseconds; default 5000 (D8). */
  readonly freshFor?: number;
  /** How often a silent log is asked for its head, milliseconds; default 1000. */
  readonly confirmEvery?: number;
  /**
   * Only an answer of the log about its head confirms the directory; default false. Set if events come over a network:
   * they may have waited in this process, while it stood still and more were appended.
   */
  readonly confirmsByHead?: boolean;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
  /** Whether other processes wait for this one before they answer (D8). Absent: this is the only process. */
  readonly membership?: ClusterMembership;
  /** Called after the directory has applied events. */
  readonly onChanged?: (position: Position) => void;
}

/** Whether the other processes count on this process. */
export interface ClusterMembership {
  /** Time by the clock since when the others have counted on this process without a break; null: they do not. */
  knownSince(): number | null;
  /** This process cannot reach the others: waiting until they count on it is of no use. */
  isCutOff(): boolean;
}

const PAGE = 1000;
/** Awake milliseconds that `freshen` waits for a slow log or after a stall of this process. */
const LONGEST_FRESHENING = 5000;
const LOOK_AGAIN_MS = 100;

/** Keeps this process's directory up to date with the log (D8), and knows how old the directory may be. */
export class DirectoryFollower {
  private readonly log = new Logger('Directory');
  private readonly stopping = new AbortController();
  private readonly listeners = new Set<(position: Position) => void>();
  private readonly waiters = new PositionWaiters();
  private readonly clock: () => number;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  private running: Promise<unknown> = Promise.resolve();
  private asking: Promise<void> | undefined;
  private freshening: Promise<void> | undefined;
  /** Whether the log answered the last question for its head. */
  private hasAnswered = true;

  constructor(private readonly options: DirectoryFollowerOptions) {
    this.clock = options.clock ?? (() => performance.now());
  }

  /** Resolves when the directory has reached the log's end. @throws UnreadableEvent; the log's error if it cannot be read */
  async start(): Promise<void> {
    const { eventStore, directory } = this.options;
    await this.load();
    const head = await eventStore.head();
    const refused = new Deferred<never>();
    refused.promise.catch(() => {});
    this.running = Promise.all([
      followLog(eventStore, {
        after: () => directory.position,
        filter: { types: directoryEventTypes },
        signal: this.stopping.signal,
        deliver: (batch) => this.deliver(batch),
        interrupted: (error) => {
          this.log.error(`the log cannot be followed, trying again: ${String(error)}`);
          if (error instanceof UnreadableEvent) refused.reject(error);
        },
      }),
      this.confirm(),
    ]);
    await Promise.race([this.reached(head), refused.promise]);
  }

  get directory(): Directory {
    return this.options.directory;
  }

  /** Tells whether the directory has every event of the log; false if only the log can tell. */
  isCaughtUp(): boolean {
    const { eventStore, directory } = this.options;
    return eventStore.knownHead !== null && directory.position >= eventStore.knownHead;
  }

  /**
   * Resolves when the directory has every event that was in the log at the call: commands are decided on such facts (D8).
   * @throws UnavailableError after 5 s; EventStoreUnavailable if the log does not answer
   */
  async catchUp(): Promise<void> {
    const until = awakeNow() + LONGEST_FRESHENING;
    const head = await this.head(until);
    if (this.options.directory.position >= head) return;
    if (!(await this.waiters.wait(head, Math.max(0, until - awakeNow()))))
      throw new UnavailableError('the directory has not reached the end of the log in time');
  }

  /** Resolves when the directory reflects the log up to `position`, or after 2 s (D11). */
  async waitFor(position: Position): Promise<void> {
    if (this.options.directory.position >= position) return;
    await this.waiters.wait(position, this.options.longestWait ?? ANSWER_WAIT_MS);
  }

  /** Like `waitFor`. @throws UnavailableError if the directory is still behind then */
  async reach(position: Position): Promise<void> {
    await this.waitFor(position);
    if (this.options.directory.position < position)
      throw new UnavailableError(`accounts and channels are not known as far as the event at ${position}`);
  }

  /** Calls the listener after each batch with the position reached. @returns removes the listener */
  onApplied(listener: (position: Position) => void): () => void {
    const own = (position: Position): void => listener(position);
    this.listeners.add(own);
    return () => this.listeners.delete(own);
  }

  /** Whether the directory is confirmed, and was so since the other processes began to count on this one. */
  isFresh(): boolean {
    if (!this.isConfirmed()) return false;
    const { membership } = this.options;
    if (!membership) return true;
    const since = membership.knownSince();
    return since !== null && this.confirmedAt >= since;
  }

  /** Whether the directory had reached the log's end at most `freshFor` ms ago. */
  isConfirmed(): boolean {
    return this.age() < (this.options.freshFor ?? 5000);
  }

  /** Milliseconds since the directory was last known to have reached the log's end. */
  age(): number {
    return this.clock() - this.confirmedAt;
  }

  /**
   * Resolves when the directory is fresh. Asks the log again before it gives up, if the log has answered last: the log
   * or this process may only have been busy.
   * @throws UnavailableError if the directory stays stale: its permissions may be out of date
   */
  async freshen(): Promise<void> {
    if (this.isFresh()) return;
    this.freshening ??= this.becomeFresh().finally(() => {
      this.freshening = undefined;
    });
    await this.freshening;
    if (this.isFresh()) return;
    const missing = this.isConfirmed() ? 'the other processes have' : 'the log has';
    throw new UnavailableError(`${missing} not been reached for a while`);
  }

  /** The position of the log's newest event. Asks until the log answers: it may soon be back. @throws EventStoreUnavailable */
  async head(until = awakeNow() + LONGEST_FRESHENING): Promise<Position> {
    const { eventStore } = this.options;
    for (;;) {
      try {
        return eventStore.knownHead ?? (await eventStore.head());
      } catch (error) {
        const isTransient = error instanceof EventStoreUnavailable && !(error instanceof LogReplaced);
        if (!isTransient || awakeNow() >= until || this.stopping.signal.aborted) throw error;
        await pause(LOOK_AGAIN_MS, this.stopping.signal);
      }
    }
  }

  private async becomeFresh(): Promise<void> {
    const until = awakeNow() + LONGEST_FRESHENING;
    const done = new AbortController();
    // The log can answer without the events that the directory waits for.
    const tooLong = pause(LONGEST_FRESHENING, done.signal);
    while (!this.isFresh() && this.hasAnswered && !this.options.membership?.isCutOff() && awakeNow() < until) {
      await Promise.race([this.ask(), tooLong]);
      if (!this.isFresh()) await pause(LOOK_AGAIN_MS, this.stopping.signal);
    }
    done.abort();
  }

  async close(): Promise<void> {
    this.stopping.abort();
    this.waiters.release();
    await this.running;
  }

  /** Loads the documents if there are any. They may be newer than the position: applying an event again is harmless. */
  private async load(): Promise<void> {
    const { readModels, projection, directory } = this.options;
    const position = readModels.position(projection);
    try {
      for (const kind of DIRECTORY_KINDS)
        for await (const record of this.documents(kind)) directory.put({ kind, record } as RecordChange);
      directory.position = position;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
  }

  private async *documents<K extends DirectoryKind>(kind: K): AsyncGenerator<DirectoryRecords[K]> {
    const { readModels, projection } = this.options;
    const collection = readModels.collection<DirectoryRecords[K]>(projection, kind);
    let page = await collection.find({}, { sort: { _id: 1 }, limit: PAGE });
    while (page.length > 0) {
      yield* page;
      const last = page.at(-1)?._id;
      page = await collection.find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: PAGE });
    }
  }

  private async deliver(batch: Batch): Promise<void> {
    const { codec, directory } = this.options;
    const readAt = this.clock();
    const events = batch.events.length > 0 ? await codec.decode(batch.events) : [];
    for (const event of events) if (isDirectoryEvent(event)) directory.apply(event);
    directory.position = Math.max(directory.position, batch.position);
    if (batch.caughtUp && !this.options.confirmsByHead) this.confirmedAt = readAt;
    this.advanced();
    if (events.length > 0) this.options.onChanged?.(directory.position);
  }

  private async reached(position: Position): Promise<void> {
    if (this.options.directory.position < position) await this.waiters.wait(position);
  }

  private advanced(): void {
    const { position } = this.options.directory;
    for (const listener of this.listeners) {
      try {
        listener(position);
      } catch (error) {
        this.log.error(`a listener failed: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
    this.waiters.advance(position);
  }

  /** Asks the log for its head at intervals: to a follower, a silent log and a dead one look alike. */
  private async confirm(): Promise<void> {
    const { confirmEvery = 1000 } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.ask();
      await pause(confirmEvery, signal);
    }
  }

  /** Asks the log for its head. Callers share a question under way. */
  private ask(): Promise<void> {
    this.asking ??= this.askForHead().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async askForHead(): Promise<void> {
    const askedAt = this.clock();
    try {
      const head = await this.options.eventStore.head();
      if (this.stopping.signal.aborted) return;
      this.hasAnswered = true;
      await this.reached(head);
      this.confirmedAt = Math.max(this.confirmedAt, askedAt);
    } catch (error) {
      this.hasAnswered = false;
      if (!(error instanceof EventStoreUnavailable)) this.log.error(`the log gives no head: ${String(error)}`);
    }
  }
}
