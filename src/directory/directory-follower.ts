import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { directoryProjection } from '../../projections/directory.projection.js';
import type { ReadModels } from '../../projections/runner/read-models.js';
import type { EventCodec } from '../event-codec/event-codec.js';
import { type Batch, type EventStore, EventStoreUnavailable } from '../event-store/event-store.js';
import { followLog } from '../event-store/follow-log.js';
import { awakeNow } from '../kernel/awake-time.js';
import { UnavailableError } from '../kernel/domain-error.js';
import type { Position } from '../kernel/position.js';
import { PositionWaiters } from '../kernel/position-waiters.js';
import { directoryEventTypes, isDirectoryEvent } from './directory.changes.js';
import type { Directory } from './directory.js';
import { DIRECTORY_KINDS, type DirectoryKind, type DirectoryRecords, type RecordChange } from './directory.records.js';

export interface DirectoryFollowerOptions {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly readModels: ReadModels;
  readonly directory: Directory;
  /** How long what was once confirmed is good for, milliseconds; default 5000 (D8). */
  readonly freshFor?: number;
  /** How often a silent log is asked for its head, milliseconds; default 1000. */
  readonly confirmEvery?: number;
  /**
   * Only the log's own answer about its end counts. Events that come over a network may have waited here, in a process
   * that stood still, while more were appended; default false.
   */
  readonly confirmsByHead?: boolean;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
  /** Whether other processes wait for this one where it matters (D8); where there are none, always. */
  readonly standing?: Standing;
  /** The directory has taken in a change of the organisation. */
  readonly onChanged?: (position: Position) => void;
}

/** Of this process among others. */
export interface Standing {
  /** Since when they count on it without a break, by the clock; null: they do not. */
  knownSince(): number | null;
  /** It cannot let them know of it: to wait for that is of no use. */
  isCutOff(): boolean;
}

const PAGE = 1000;
const LONGEST_WAIT = 2000;
/** For a log that answers slowly, and for a process that was held up: awake milliseconds. */
const LONGEST_FRESHENING = 5000;
const LOOK_AGAIN_MS = 100;

/** Keeps the directory of this process as the log says (D8), and knows how old its knowledge may be. */
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
  /** Whether the log was there when it was asked last. */
  private hasAnswered = true;

  constructor(private readonly options: DirectoryFollowerOptions) {
    this.clock = options.clock ?? (() => performance.now());
  }

  /** Resolves when the directory is as of the log's end. @throws what the log throws where it cannot be read at all */
  async start(): Promise<void> {
    const { eventStore, directory } = this.options;
    await this.load();
    const head = await eventStore.head();
    this.running = Promise.all([
      followLog(eventStore, {
        after: () => directory.position,
        filter: { types: directoryEventTypes },
        signal: this.stopping.signal,
        deliver: (batch) => this.deliver(batch),
        interrupted: (error) => this.log.error(`the log cannot be followed, trying again: ${String(error)}`),
      }),
      this.confirm(),
    ]);
    await this.reached(head);
  }

  get directory(): Directory {
    return this.options.directory;
  }

  /** Resolves when the directory is as of the log's end, or after 2 s without it. @throws EventStoreUnavailable */
  async catchUp(): Promise<void> {
    await this.waitFor(await this.options.eventStore.head());
  }

  /** Resolves when the directory reflects everything up to `position`; after 2 s without it (D11). */
  async waitFor(position: Position): Promise<void> {
    if (this.options.directory.position >= position) return;
    await new Promise<void>((resolve) => {
      const giveUp = this.waiters.add(position, () => {
        clearTimeout(timer);
        resolve();
      });
      const timer = setTimeout(() => {
        giveUp();
        resolve();
      }, LONGEST_WAIT);
    });
  }

  /** Called after each batch with the position reached; returns the way to stop it. */
  onApplied(listener: (position: Position) => void): () => void {
    const own = (position: Position): void => listener(position);
    this.listeners.add(own);
    return () => this.listeners.delete(own);
  }

  /** The directory was as of the log's end not longer than 5 s ago, and nobody has given up waiting for it since. */
  isFresh(): boolean {
    if (!this.isConfirmed()) return false;
    const { standing } = this.options;
    if (!standing) return true;
    const since = standing.knownSince();
    return since !== null && this.confirmedAt >= since;
  }

  /** The log has been reached not longer than 5 s ago. */
  isConfirmed(): boolean {
    return this.age() < (this.options.freshFor ?? 5000);
  }

  /** Milliseconds since the directory was last known to be as of the log's end. */
  age(): number {
    return this.clock() - this.confirmedAt;
  }

  /**
   * Resolves when the directory is fresh. A log that is busy, or a process that was, is not one that is absent: it is
   * asked once more before anybody is sent away.
   *
   * @throws UnavailableError: who may do what is not known well enough to answer anybody
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

  private async becomeFresh(): Promise<void> {
    const until = awakeNow() + LONGEST_FRESHENING;
    while (!this.isFresh() && this.hasAnswered && !this.options.standing?.isCutOff() && awakeNow() < until) {
      await this.ask();
      if (!this.isFresh()) await pause(LOOK_AGAIN_MS, this.stopping.signal);
    }
  }

  async close(): Promise<void> {
    this.stopping.abort();
    this.waiters.release();
    await this.running;
  }

  /** From the documents where there are some. They may be newer than the position: applying an event again is harmless. */
  private async load(): Promise<void> {
    const { readModels, directory } = this.options;
    const position = readModels.position(directoryProjection);
    try {
      for (const kind of DIRECTORY_KINDS)
        for await (const record of this.documents(kind)) directory.put({ kind, record } as RecordChange);
      directory.position = position;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
  }

  private async *documents<K extends DirectoryKind>(kind: K): AsyncGenerator<DirectoryRecords[K]> {
    const collection = this.options.readModels.collection<DirectoryRecords[K]>(directoryProjection, kind);
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

  private reached(position: Position): Promise<void> {
    if (this.options.directory.position >= position) return Promise.resolve();
    return new Promise((resolve) => this.waiters.add(position, resolve));
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

  /** A silent log and a dead one look alike to its followers: it is asked. */
  private async confirm(): Promise<void> {
    const { confirmEvery = 1000 } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.ask();
      await pause(confirmEvery, signal);
    }
  }

  /** One question for all who ask while it is open. */
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

/** Ends early when the signal aborts. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
