import type { Position } from '../../kernel/position.js';
import { WriterRefused } from '../../sqlite/writer/writer-protocol.js';
import { WriteFailed, WriterThread } from '../../sqlite/writer/writer-thread.js';
import { threadEntry } from '../../threads/thread-entry.js';
import { type AppendRequest, checkWhole, encodeAppend } from '../encode-append.js';
import {
  type AppendResult,
  type Batch,
  type EventStore,
  EventStoreUnavailable,
  type EventText,
  type ExpectedRevision,
  LogRefused,
  type Misfiled,
  type NewEvent,
  type PositionRange,
  type ReadAllOptions,
  type ReadStreamOptions,
  RevisionConflict,
  type StoredEvent,
  type SubscribeOptions,
} from '../event-store.js';
import { syncs } from '../syncs.js';
import { type CommitSignal, follow, LooksForCommits, ToldOfCommits } from './follow.js';
import { openLogForReading } from './log-file.js';
import { LogReader } from './log-reader.js';
import type { AppendOutcome } from './log-writer.js';
import { RecentCommits } from './recent-commits.js';
import type { LogWriterData } from './writer.thread.js';

type Writer = WriterThread<AppendRequest, AppendOutcome>;

/** Milliseconds between two looks of a reader in another process or thread for new events. */
const LOOK_EVERY = 10;

/** A log in `log.sqlite` of a data directory. One process writes it, any number read it. */
export class SqliteEventStore implements EventStore {
  readonly idMemory = 'for ever';
  private closed: EventStoreUnavailable | undefined;

  private constructor(
    private readonly reader: LogReader,
    private readonly commits: CommitSignal,
    private readonly writing?: { readonly writer: Writer; readonly recent: RecentCommits },
  ) {}

  /**
   * Opens the log for writing and reading; creates it and the directory if they are missing.
   *
   * @throws LogRefused, EventStoreUnavailable
   */
  static async open(directory: string): Promise<SqliteEventStore> {
    const commits = new ToldOfCommits();
    const data: LogWriterData = { directory };
    let recent: RecentCommits | undefined;
    let writer: Writer | undefined;
    try {
      writer = await WriterThread.start(threadEntry('src/platform/log/sqlite/writer.thread.js'), data, 'the log', {
        committed: (requests, outcomes, seconds) => {
          recent?.commit(requests, outcomes, commits.followers > 0);
          commits.committed();
          syncs.tell({ seconds });
        },
        ended: (failure) => commits.end(unavailable(failure)),
      });
      const reader = new LogReader(openLogForReading(directory));
      recent = new RecentCommits(reader.head());
      return new SqliteEventStore(reader, commits, { writer, recent });
    } catch (error) {
      await writer?.close();
      throw refused(error);
    }
  }

  /**
   * Opens the log for reading only, with or without a process or thread that writes it.
   *
   * @throws LogRefused; EventStoreUnavailable if there is no log
   */
  static async openReadOnly(directory: string): Promise<SqliteEventStore> {
    try {
      const reader = new LogReader(openLogForReading(directory));
      return new SqliteEventStore(reader, new LooksForCommits(() => reader.head(), LOOK_EVERY));
    } catch (error) {
      throw refused(error);
    }
  }

  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const request: AppendRequest = { stream, expected, events: encodeAppend(stream, events, expected) };
    if (!this.writing) throw new EventStoreUnavailable('the log is open for reading only', 'no');
    const outcome = await this.writing.writer.submit(request).catch((error) => {
      throw error instanceof WriteFailed ? unavailable(error) : error;
    });
    if (outcome.kind === 'conflict') throw new RevisionConflict(stream, expected, outcome.actual);
    return { revision: outcome.revision, position: outcome.position, isRepeat: outcome.kind === 'repeated' };
  }

  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<readonly StoredEvent[]> {
    if (options.from !== undefined) checkWhole(options.from, 0, 'a revision');
    if (options.limit !== undefined) checkWhole(options.limit, 1, 'a limit');
    return this.read(() => this.reader.readStream(stream, options));
  }

  async readAll(options: ReadAllOptions): Promise<Batch> {
    checkWhole(options.after, 0, 'a position');
    checkWhole(options.limit, 1, 'a limit');
    return this.read(() => this.reader.readAll(options));
  }

  async readAt(positions: readonly Position[]): Promise<readonly StoredEvent[]> {
    return this.read(() => this.reader.readAt(positions));
  }

  async readTexts(options: Pick<ReadAllOptions, 'after' | 'limit'>): Promise<readonly EventText[]> {
    checkWhole(options.after, 0, 'a position');
    checkWhole(options.limit, 1, 'a limit');
    return this.read(() => this.reader.readTexts(options));
  }

  async misfiled(range: PositionRange): Promise<Misfiled | null> {
    return this.read(() => this.reader.misfiled(range));
  }

  async newestOfEachType(): Promise<readonly Position[]> {
    return this.read(() => this.reader.newestOfEachType());
  }

  subscribe(options: SubscribeOptions): AsyncIterable<Batch> {
    const limit = options.batchSize ?? 500;
    checkWhole(options.after, 0, 'a position');
    checkWhole(limit, 1, 'a batch size');
    const { filter, signal } = options;
    const recent = this.writing?.recent;
    const read = (after: Position) =>
      recent?.covers(after) ? recent.read(after, limit, filter) : this.reader.readAll({ after, limit, filter });
    return follow((after) => this.read(() => read(after)), this.commits, options.after, signal);
  }

  get knownHead(): Position | null {
    return this.writing?.recent.head ?? null;
  }

  async head(): Promise<Position> {
    return this.read(() => this.reader.head());
  }

  async close(): Promise<void> {
    if (!this.closed) {
      this.closed = new EventStoreUnavailable('the log is closed', 'no');
      this.commits.end(this.closed);
      this.reader.close();
    }
    await this.writing?.writer.close();
  }

  private read<T>(work: () => T): T {
    if (this.closed) throw this.closed;
    try {
      return work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new EventStoreUnavailable(`the log cannot be read: ${message}`, 'no', { cause: error });
    }
  }
}

function unavailable(failure: WriteFailed): EventStoreUnavailable {
  return new EventStoreUnavailable(failure.message, failure.stored, { cause: failure });
}

function refused(error: unknown): Error {
  if (!(error instanceof WriterRefused)) {
    const message = error instanceof Error ? error.message : String(error);
    return new EventStoreUnavailable(`the log cannot be opened: ${message}`, 'no', { cause: error });
  }
  const { reason, message } = error;
  if (reason === 'locked' || reason === 'damaged' || reason === 'newer-version') {
    return new LogRefused(reason, message, { cause: error });
  }
  return new EventStoreUnavailable(`the log cannot be opened: ${message}`, 'no', { cause: error });
}
