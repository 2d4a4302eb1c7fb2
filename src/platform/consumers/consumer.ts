import { type Fence, Fenced, storeCheckpoint } from '../cluster/fence.js';
import type { DocumentDatabase, DocumentStore } from '../documents/document-store.js';
import type { EventPlace, Recorded } from '../kernel/event.js';
import { type Position, START } from '../kernel/position.js';
import { PositionWaiters } from '../kernel/position-waiters.js';
import type { EventCodec } from '../log/event-codec.js';
import type { Batch, EventStore, StoredEvent } from '../log/event-store.js';
import { followLog } from '../log/follow-log.js';
import { StallReporter } from './stall-reporter.js';

export interface ConsumerSetting {
  readonly eventStore: EventStore;
  readonly documentStore: DocumentStore;
  readonly codec: EventCodec;
  readonly report: (error: unknown) => void;
  /** Set if several processes take turns. */
  readonly shared?: {
    readonly fence: Fence;
    /** Called when another process has taken over: this one has stopped following. */
    readonly onFenced: () => void;
  };
}

export interface ConsumerOptions extends ConsumerSetting {
  /** Name of the database that holds the checkpoint. */
  readonly database: string;
  readonly types: readonly string[];
  /** Tells from an event's open data, before it is decoded, whether to handle it; default: every event. */
  readonly concerns?: (event: StoredEvent) => boolean;
  readonly startAfter: (checkpoint: Position | null) => Position | Promise<Position>;
  /**
   * Handles a batch, and stores the checkpoint if it is due. Rejects to get the batch again later, without the events
   * up to a position that `passed` was called with.
   * @param events of the batch, decoded, without the events that `concerns` leaves out
   */
  readonly handle: (events: readonly Recorded[], batch: Batch) => Promise<void>;
}

/**
 * Follows the log with a checkpoint of its own, and hands events on. Tries again after a failure, until it is closed or
 * another process takes over.
 */
export class Consumer {
  private database: DocumentDatabase | null = null;
  private handledThrough: Position = START;
  private readonly waiters = new PositionWaiters();
  private readonly stopping = new AbortController();
  private readonly following = new AbortController();
  private starting: Promise<void> = Promise.resolve();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: ConsumerOptions) {}

  /** Position up to which events are handled. */
  get position(): Position {
    return this.handledThrough;
  }

  /** Aborts when the consumer stops. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Resolves when it follows the log. @throws Fenced if another process has taken over */
  start(): Promise<void> {
    this.starting = this.follow();
    return this.starting;
  }

  /** Resolves with true when events up to the position are handled, or with false after `longest` ms. */
  async waitFor(position: Position, longest?: number): Promise<boolean> {
    return this.handledThrough >= position || this.waiters.wait(position, longest);
  }

  /** Excludes events up to the position from a repeat of their batch in this run. */
  passed(position: Position): void {
    this.handledThrough = Math.max(this.handledThrough, position);
  }

  /**
   * @param event the newest event that is known to lie at the position or before it
   * @throws Fenced
   */
  async storeCheckpoint(position: Position, event?: EventPlace): Promise<void> {
    if (this.database) await storeCheckpoint(this.database, position, this.options.shared?.fence, event);
  }

  /** Asks for no more batches; the one at hand is finished. */
  stop(): void {
    this.stopping.abort();
    this.following.abort();
  }

  async close(): Promise<void> {
    this.stop();
    // Whoever started it hears of a failure.
    await this.starting.catch(() => {});
    await this.running;
    await this.database?.close();
  }

  private async follow(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const { eventStore, documentStore, database, types, startAfter, report, shared } = this.options;
    this.database = await documentStore.database(database);
    await shared?.fence.close(this.database);
    this.handledThrough = await startAfter(await this.database.checkpoint());
    const stalls = new StallReporter({ report });
    this.running = followLog(eventStore, {
      after: () => this.handledThrough,
      filter: { types },
      signal: this.following.signal,
      deliver: async (batch) => {
        await this.deliver(batch);
        stalls.succeeded();
      },
      interrupted: (error) => {
        if (!(error instanceof Fenced)) return stalls.failed(error);
        this.following.abort();
        shared?.onFenced();
      },
    });
  }

  private async deliver(batch: Batch): Promise<void> {
    const { codec, concerns, handle } = this.options;
    const concerning = concerns ? batch.events.filter(concerns) : batch.events;
    await handle(await codec.decode(concerning), batch);
    this.passed(batch.position);
    this.waiters.advance(this.handledThrough);
  }
}
