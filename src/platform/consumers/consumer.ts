import { Logger } from '@nestjs/common';
import { type Fence, Fenced, storeCheckpoint } from '../cluster/fence.js';
import type { DocumentDatabase, DocumentStore } from '../documents/document-store.js';
import { isUnavailability } from '../engines/unavailability.js';
import { BackOff } from '../kernel/back-off.js';
import type { EventPlace, Recorded } from '../kernel/event.js';
import { type Position, START } from '../kernel/position.js';
import { PositionWaiters } from '../kernel/position-waiters.js';
import type { EventCodec } from '../log/event-codec.js';
import { type Batch, type EventStore, type StoredEvent, UnreadableEvent } from '../log/event-store.js';
import { followLog } from '../log/follow-log.js';
import { type NamedPlace, type PassedOver, PassedOverList } from './passed-over.js';
import { StallReporter } from './stall-reporter.js';

/** Tries of an event, over 0.75 s, if it fails for another reason than unavailability. */
const MOST_TRIES = 5;

export interface ConsumerSetting {
  readonly eventStore: EventStore;
  readonly documentStore: DocumentStore;
  readonly codec: EventCodec;
  readonly report: (error: unknown) => void;
  /** Logs that an event is passed over, or is handled at last. */
  readonly say?: (line: string) => void;
  /** Set if several processes take turns. */
  readonly shared?: {
    readonly fence: Fence;
    /** Called when another process has taken over: this one has stopped following. */
    readonly onFenced: () => void;
  };
}

interface ConsumerOptions extends ConsumerSetting {
  /** Name in the log and in the list of events that it has passed over. */
  readonly name: string;
  /** Name of the database that holds the checkpoint, and the list of events that were passed over. */
  readonly database: string;
  readonly types: readonly string[];
  /** Called before `concerns` sees a batch. Rejects to get the batch again later. */
  readonly prepare?: (batch: Batch) => Promise<void>;
  /** Tells from an event's open data, before it is decoded, whether to handle it; default: every event. */
  readonly concerns?: (event: StoredEvent) => boolean;
  readonly startAfter: (checkpoint: Position | null) => Position | Promise<Position>;
  /**
   * Handles a batch, each event by `attempt`, and stores the checkpoint if it is due. Rejects to get the batch again
   * later, without the events up to a position that `passed` was called with.
   * @param events of the batch, decoded, without the events that `concerns` leaves out
   */
  readonly handle: (events: readonly Recorded[], batch: Batch) => Promise<void>;
  /** Handles an event that an earlier run has passed over, by `attempt`. Absent: each start handles all events again. */
  readonly again?: (event: Recorded, follower: string) => Promise<unknown>;
  /** Names of the parts that handle a type of events on their own; default: the consumer's name. */
  readonly followersOf?: (type: string) => readonly string[];
  readonly onPassedOver?: (event: NamedPlace) => void;
}

/**
 * Follows the log with a checkpoint of its own, and hands events on, until it is closed or another process takes over.
 * It waits as long as something is unavailable. An event that fails for another reason is passed over (D16): it is kept
 * in a list, and tried again at each start.
 */
export class Consumer {
  private database: DocumentDatabase | null = null;
  private list: PassedOverList | null = null;
  private handledThrough: Position = START;
  private readonly waiters = new PositionWaiters();
  private readonly stopping = new AbortController();
  private readonly following = new AbortController();
  private starting: Promise<void> = Promise.resolve();
  private running: Promise<void> = Promise.resolve();

  private readonly stalls: StallReporter;
  private readonly say: (line: string) => void;

  constructor(private readonly options: ConsumerOptions) {
    const log = new Logger('Followers');
    this.stalls = new StallReporter({ report: options.report });
    this.say = options.say ?? ((line) => log.error(line));
  }

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
  markHandled(position: Position): void {
    this.handledThrough = Math.max(this.handledThrough, position);
  }

  /**
   * @param event the newest event that is known to lie at the position or before it
   * @throws Fenced
   */
  async storeCheckpoint(position: Position, event?: EventPlace): Promise<void> {
    if (this.database) await storeCheckpoint(this.database, position, this.options.shared?.fence, event);
  }

  /**
   * Does the work that an event asks for. The event is passed over if the work fails again and again.
   * @param follower the part that does it; default: the consumer
   * @returns whether the work is done
   * @throws the work's error if something is unavailable, or after a stop
   */
  async attempt(event: Recorded, work: () => Promise<unknown>, follower = this.options.name): Promise<boolean> {
    const backOff = new BackOff();
    const isKnown = this.passedOver.has(follower, event);
    for (let tries = 1; ; tries++) {
      try {
        await work();
        if (isKnown) await this.isHandled(event, follower);
        return true;
      } catch (error) {
        if (this.signal.aborted || isUnavailability(error)) throw error;
        if (isKnown || tries === MOST_TRIES) {
          await this.passOver(event, error, follower);
          return false;
        }
        if (tries === 1) this.options.report(error);
        await backOff.wait(this.signal);
        if (this.signal.aborted) throw error;
      }
    }
  }

  /** Tells whether an event is in the list of those that the consumer has passed over. */
  hasPassedOver(event: NamedPlace): boolean {
    return this.passedOver.has(this.options.name, event);
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

  private get passedOver(): PassedOverList {
    if (!this.list) throw new Error(`${this.options.name} is not started`);
    return this.list;
  }

  private async follow(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const { documentStore, database, startAfter, shared } = this.options;
    this.database = await documentStore.database(database);
    await shared?.fence.close(this.database);
    this.list = await PassedOverList.open(this.database, shared?.fence);
    this.handledThrough = await startAfter(await this.database.checkpoint());
    this.running = this.run();
  }

  private async run(): Promise<void> {
    await this.tryAgain();
    const { eventStore, types } = this.options;
    await followLog(eventStore, {
      after: () => this.handledThrough,
      filter: { types },
      signal: this.following.signal,
      deliver: async (batch) => {
        await this.deliver(batch);
        this.stalls.succeeded();
      },
      interrupted: (error) => this.interrupted(error),
    });
  }

  private interrupted(error: unknown): void {
    if (error instanceof Fenced) {
      this.following.abort();
      this.options.shared?.onFenced();
    } else this.stalls.failed(error);
  }

  /** Tries the events again that earlier runs have passed over. Never rejects. */
  private async tryAgain(): Promise<void> {
    const backOff = new BackOff();
    const done = new Set<string>();
    while (!this.following.signal.aborted) {
      try {
        for await (const entry of this.passedOver.all()) {
          if (this.following.signal.aborted) return;
          const id = `${entry.follower}/${entry.eventId}`;
          if (!done.has(id)) await this.tryOneAgain(entry);
          done.add(id);
        }
        return;
      } catch (error) {
        if (this.following.signal.aborted) return;
        this.interrupted(error);
        await backOff.wait(this.following.signal);
      }
    }
  }

  private async tryOneAgain({ follower, stream, revision, eventId, type }: PassedOver): Promise<void> {
    const { eventStore, codec, again, followersOf, name } = this.options;
    const mine = followersOf?.(type) ?? [name];
    if (!again || !mine.includes(follower)) return;
    const [stored] = await eventStore.readStream(stream, { from: revision, limit: 1 });
    if (stored?.id !== eventId) return;
    try {
      const [event] = await codec.decode([stored]);
      if (event) await again(event, follower);
    } catch (error) {
      if (this.signal.aborted || isUnavailability(error)) throw error;
      await this.passOver(stored, error, follower);
    }
  }

  private async deliver(batch: Batch): Promise<void> {
    const { prepare, concerns, handle } = this.options;
    await prepare?.(batch);
    const concerning = concerns ? batch.events.filter((event) => orUnreadable(event, concerns)) : batch.events;
    await handle(await this.decode(concerning), batch);
    this.markHandled(batch.position);
    this.waiters.advance(this.handledThrough);
  }

  /** Decodes events. An event that cannot be decoded is passed over. */
  private async decode(events: readonly StoredEvent[]): Promise<Recorded[]> {
    const { codec, followersOf, name } = this.options;
    try {
      return await codec.decode(events);
    } catch (error) {
      if (isUnavailability(error)) throw error;
    }
    const decoded: Recorded[] = [];
    for (const event of events) {
      try {
        decoded.push(...(await codec.decode([event])));
      } catch (error) {
        if (isUnavailability(error)) throw error;
        for (const follower of followersOf?.(event.type) ?? [name]) await this.passOver(event, error, follower);
      }
    }
    return decoded;
  }

  private async passOver(event: NamedPlace, error: unknown, follower: string): Promise<void> {
    await this.passedOver.add(follower, event, error);
    this.options.onPassedOver?.(event);
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.say(
      `${follower} passes over ${event.type} ${event.id} at ${event.position}, and tries it again at the next start: ${reason.replaceAll(/\s+/g, ' ')}`,
    );
  }

  private async isHandled(event: NamedPlace, follower: string): Promise<void> {
    await this.passedOver.remove(follower, event.id);
    this.say(`${follower} has handled ${event.type} ${event.id} at ${event.position}, which it had passed over`);
  }
}

/** Tells whether the event concerns the consumer. One that cannot be read does, so that it is passed over on record. */
function orUnreadable(event: StoredEvent, concerns: (event: StoredEvent) => boolean): boolean {
  try {
    return concerns(event);
  } catch (error) {
    if (error instanceof UnreadableEvent) return true;
    throw error;
  }
}
