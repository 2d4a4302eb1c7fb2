import type { Position } from '../../kernel/position.js';
import { checkWhole, encodeAppend } from '../encode-append.js';
import {
  type AppendResult,
  type Batch,
  type EventStore,
  EventStoreUnavailable,
  type ExpectedRevision,
  LogReplaced,
  type NewEvent,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StoredEvent,
  type SubscribeOptions,
} from '../event-store.js';
import { isStreamNotFound, unavailable } from './classify-errors.js';
import { checkNotSystem, decodeEvent } from './codec.js';
import { follow, readPage } from './follow.js';
import { openLog } from './open-log.js';
import type { SharedLog } from './shared-log.js';
import { DEFAULT_TIMINGS, type Timings } from './timings.js';

interface EventStoreDbOptions {
  /** `esdb://…` or `esdb+discover://…` */
  readonly url: string;
  /** Prefix of each stream's name on the server. */
  readonly streamPrefix: string;
  /** True: refuses appends, and needs no permission to append. */
  readonly readOnly?: boolean;
  readonly timings?: Partial<Timings>;
}

/** The log on an EventStoreDB server, version 23.10 or later. Any number of processes may append to it. */
export class EventStoreDbEventStore implements EventStore {
  readonly idMemory = 'bounded';
  readonly knownHead = null;
  private closing: Promise<void> | undefined;
  private readonly closed = new AbortController();

  private constructor(
    private readonly log: SharedLog,
    private readonly version: string,
    private readonly readOnly: boolean,
  ) {}

  /** @throws StartRefused: malformed address, no server, no permission, TLS on one side only, or too old a server */
  static async open(options: EventStoreDbOptions): Promise<EventStoreDbEventStore> {
    const { url, streamPrefix, readOnly = false, timings } = options;
    const { log, version } = await openLog({ url, streamPrefix, readOnly }, { ...DEFAULT_TIMINGS, ...timings });
    return new EventStoreDbEventStore(log, version, readOnly);
  }

  /** Version of the server, in its own words. */
  engineVersion(): string {
    return this.version;
  }

  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const encoded = encodeAppend(stream, events, expected);
    checkNotSystem(stream, encoded, this.log.streamPrefix);
    if (this.readOnly) throw new EventStoreUnavailable('the log is open for reading only', 'no');
    this.checkOpen();
    return this.log.appends.append({ stream, events: encoded, expected });
  }

  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<readonly StoredEvent[]> {
    const { from, limit, direction = 'forwards' } = options;
    if (from !== undefined) checkWhole(from, 0, 'a revision');
    if (limit !== undefined) checkWhole(limit, 1, 'a limit');
    this.checkOpen();
    if (from !== undefined && limit === 1) {
      const known = this.log.recent.at(stream, from)?.event;
      if (known) return [known];
    }
    const read = await this.readOnce(stream, from, direction, limit);
    if (read.length > 0 || from === undefined || direction === 'forwards') return read;
    // A read backwards from past the stream's end begins at the end.
    const [last] = await this.readOnce(stream, undefined, direction, 1);
    return last && last.revision < from ? this.readOnce(stream, undefined, direction, limit) : read;
  }

  async readAll({ after, limit, filter }: ReadAllOptions): Promise<Batch> {
    checkWhole(after, 0, 'a position');
    checkWhole(limit, 1, 'a limit');
    this.checkOpen();
    return this.failing(readPage(this.log, after, limit, filter));
  }

  subscribe({ after, filter, signal, batchSize = 500 }: SubscribeOptions): AsyncIterable<Batch> {
    checkWhole(after, 0, 'a position');
    checkWhole(batchSize, 1, 'a batch size');
    return this.untilClosed(signal, (either) => follow(this.log, after, filter, batchSize, either));
  }

  async head(): Promise<Position> {
    this.checkOpen();
    const { tail } = this.log;
    if (tail.failure instanceof LogReplaced) throw tail.failure;
    // The server may answer again before the tail has noticed.
    if (tail.failure) await this.failing(tail.checkSameLog());
    return this.failing(this.log.head.read());
  }

  /** Waits a little for appends in flight. Other work ends with EventStoreUnavailable. */
  async close(): Promise<void> {
    if (!this.closing) {
      this.closing = this.log.release();
      this.closed.abort();
    }
    await this.closing;
  }

  private async readOnce(
    stream: string,
    from: number | undefined,
    direction: 'forwards' | 'backwards',
    limit: number | undefined,
  ): Promise<StoredEvent[]> {
    const { reads, streamPrefix } = this.log;
    const start = from ?? (direction === 'forwards' ? 'start' : 'end');
    try {
      const resolved = await reads.stream(streamPrefix + stream, start, direction, limit);
      return resolved.flatMap((one) => decodeEvent(one, streamPrefix) ?? []);
    } catch (error) {
      if (isStreamNotFound(error)) return [];
      throw unavailable(error);
    }
  }

  /** Ends subscriptions of this store. Other stores may share the log, and go on. */
  private async *untilClosed(
    signal: AbortSignal,
    batches: (either: AbortSignal) => AsyncIterable<Batch>,
  ): AsyncGenerator<Batch, void, void> {
    this.checkOpen();
    yield* batches(AbortSignal.any([signal, this.closed.signal]));
    if (!signal.aborted) this.checkOpen();
  }

  private checkOpen(): void {
    if (this.closing) throw new EventStoreUnavailable('the log is closed', 'no');
  }

  private async failing<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw unavailable(error);
    }
  }
}
