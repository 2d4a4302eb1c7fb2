import { withTimeout } from '../../kernel/awake-time.js';
import { AppendLookup } from './append-lookup.js';
import { Appends } from './appends.js';
import { CatchUp } from './catch-up.js';
import { unavailable } from './classify-errors.js';
import { EngineConnection } from './connection.js';
import { HeadOfLog } from './head-of-log.js';
import { Reads } from './reads.js';
import { RecentLog } from './recent-log.js';
import { Tail } from './tail.js';
import type { Timings } from './timings.js';

/** One organization's log on one server. All stores that open it in a process share its parts. */
export class SharedLog {
  private static readonly open = new Map<string, SharedLog>();
  readonly recent = new RecentLog();
  readonly reads: Reads;
  readonly head: HeadOfLog;
  readonly tail: Tail;
  readonly appends: Appends;
  readonly catchUp: CatchUp;
  private users = 0;
  private started: Promise<void> | undefined;

  private constructor(
    private readonly key: string,
    readonly connection: EngineConnection,
    readonly streamPrefix: string,
    readonly timings: Timings,
  ) {
    this.reads = new Reads(connection, timings.call);
    this.catchUp = new CatchUp(connection, this.reads, streamPrefix, timings.call);
    this.head = new HeadOfLog(this.reads, this.catchUp, streamPrefix);
    this.tail = new Tail(connection, this.reads, this.head, this.recent, streamPrefix, timings);
    const lookup = new AppendLookup(this.reads, this.tail, this.head, this.recent, streamPrefix);
    this.appends = new Appends(connection, this.tail, this.head, lookup, this.recent, streamPrefix, timings);
  }

  /** @throws Error if the connection string is malformed */
  static acquire(url: string, streamPrefix: string, timings: Timings): SharedLog {
    const key = JSON.stringify([url, streamPrefix]);
    const log = SharedLog.open.get(key) ?? new SharedLog(key, EngineConnection.acquire(url), streamPrefix, timings);
    SharedLog.open.set(key, log);
    log.users += 1;
    return log;
  }

  /** Starts the tail. @throws EventStoreUnavailable; may be called again then */
  async start(): Promise<void> {
    this.started ??= this.tail.start();
    try {
      await this.started;
    } catch (error) {
      this.started = undefined;
      throw error;
    }
  }

  /** Leaves the log. The last user waits a little for appends in flight, and closes the connection. */
  async release(): Promise<void> {
    this.users -= 1;
    if (this.users > 0) return;
    SharedLog.open.delete(this.key);
    await withTimeout(this.appends.idle(), this.timings.call, () =>
      unavailable(new Error('appends are still in flight')),
    ).catch(() => {
      // The callers get an unknown outcome.
    });
    this.tail.close();
    this.connection.release();
  }
}
