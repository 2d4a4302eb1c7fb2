import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { directoryProjection } from '../../projections/directory.projection.js';
import type { ReadModels } from '../../projections/runner/read-models.js';
import type { EventCodec } from '../event-codec/event-codec.js';
import { type Batch, type EventStore, EventStoreUnavailable } from '../event-store/event-store.js';
import { followLog } from '../event-store/follow-log.js';
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
  readonly isKnown?: () => boolean;
  /** The directory has taken in a change of the organisation. */
  readonly onChanged?: (position: Position) => void;
}

const PAGE = 1000;
const LONGEST_WAIT = 2000;

/** Keeps the directory of this process as the log says (D8), and knows how old its knowledge may be. */
export class DirectoryFollower {
  private readonly log = new Logger('Directory');
  private readonly stopping = new AbortController();
  private readonly listeners = new Set<(position: Position) => void>();
  private readonly waiters = new PositionWaiters();
  private readonly clock: () => number;
  private confirmedAt = Number.NEGATIVE_INFINITY;
  private running: Promise<unknown> = Promise.resolve();

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

  /** The directory was as of the log's end not longer than 5 s ago, and nobody has given up waiting for it. */
  isFresh(): boolean {
    return this.isConfirmed() && (this.options.isKnown?.() ?? true);
  }

  /** The log has been reached not longer than 5 s ago. */
  isConfirmed(): boolean {
    return this.age() < (this.options.freshFor ?? 5000);
  }

  /** Milliseconds since the directory was last known to be as of the log's end. */
  age(): number {
    return this.clock() - this.confirmedAt;
  }

  /** @throws UnavailableError: who may do what is not known well enough to answer anybody */
  requireFresh(): void {
    if (!this.isFresh()) throw new UnavailableError('the log has not been reached for a while');
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
    const { eventStore, confirmEvery = 1000 } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const askedAt = this.clock();
      try {
        const head = await eventStore.head();
        if (signal.aborted) return;
        await this.reached(head);
        this.confirmedAt = Math.max(this.confirmedAt, askedAt);
      } catch (error) {
        if (!(error instanceof EventStoreUnavailable)) this.log.error(`the log gives no head: ${String(error)}`);
      }
      await pause(confirmEvery, signal);
    }
  }
}

/** Ends early when the signal aborts. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
