import { hash, randomUUID } from 'node:crypto';
import {
  type DocumentDatabase,
  type DocumentStore,
  DocumentStoreUnavailable,
  type StoredDocument,
} from '../../documents/document-store.js';
import { Mutex } from '../../kernel/mutex.js';

const DATABASE = 'login-attempts';
const COUNTS = 'counts';
/** What other processes have counted is asked for again after this time, if it has used up a limit. */
const FRESH_MS = 1000;
const SWEEP_EVERY_MS = 3_600_000;
/** Clocks of processes differ: a window's counts stay a little longer than the window. */
const GRACE_MS = 60_000;

/** A count of one process in one window of time. */
interface CountDocument extends StoredDocument {
  readonly _id: string;
  /** Of the window, over all processes. */
  readonly key: string;
  readonly process: string;
  readonly count: number;
  /** End of the window, milliseconds since 1970. */
  readonly until: number;
}

/** What is counted, in windows of so many milliseconds that begin at whole multiples of them. */
export interface Counted {
  readonly name: string;
  readonly windowMs: number;
  /** The number that is added or removed; default 1. */
  readonly points?: number;
}

interface Count {
  readonly key: string;
  readonly until: number;
  own: number;
  /** Of other processes, when last asked. */
  others: number;
  askedAt: number;
}

interface SharedCountsOptions {
  readonly onFailure: (error: DocumentStoreUnavailable) => void;
  readonly now?: () => number;
}

/**
 * Counts over all processes and across restarts. Each process stores counts of its own, and adds up those of all. A count
 * is stored before the others are read, so that of attempts at the same moment at most as many pass as may. While the
 * documents are away, a process goes on with what it knows.
 */
export class SharedCounts {
  private readonly process = randomUUID();
  private readonly counts = new Map<string, Count>();
  private readonly unwritten = new Set<Count>();
  private readonly writing = new Mutex();
  private sweptAt = Number.NEGATIVE_INFINITY;
  private readonly now: () => number;

  private constructor(
    private readonly database: DocumentDatabase,
    private readonly options: SharedCountsOptions,
  ) {
    this.now = options.now ?? Date.now;
  }

  static async open(store: DocumentStore, options: SharedCountsOptions): Promise<SharedCounts> {
    const database = await store.database(DATABASE);
    await database.ensure({ [COUNTS]: { indexes: [{ keys: { key: 1 } }, { keys: { until: 1 } }] } });
    return new SharedCounts(database, options);
  }

  /** The count as far as this process knows without asking. */
  known(counted: Counted): number {
    const count = this.counts.get(this.keyOf(counted));
    if (!count) return 0;
    return count.own + (this.now() - count.askedAt < FRESH_MS ? count.others : 0);
  }

  /** Milliseconds until the present window ends. */
  remaining({ windowMs }: Counted): number {
    return windowMs - (this.now() % windowMs);
  }

  /** Adds the points of each. @returns the counts over all processes, each with what this process had counted by now */
  async add(counted: readonly Counted[]): Promise<readonly number[]> {
    this.sweep();
    const counts = counted.map((one) => this.count(one));
    const own = counts.map((count, index) => {
      count.own += counted[index]?.points ?? 1;
      return count.own;
    });
    try {
      await this.write(counts);
      await this.askOthers(counts);
    } catch (error) {
      this.failed(error);
    }
    return counts.map(({ others }, index) => (own[index] ?? 0) + others);
  }

  /** Takes the points from each, if its window has not ended. */
  remove(counted: readonly Counted[]): void {
    const counts = counted.flatMap((one) => {
      const count = this.counts.get(this.keyOf(one));
      if (!count) return [];
      count.own = Math.max(0, count.own - (one.points ?? 1));
      return [count];
    });
    void this.write(counts).catch((error: unknown) => this.failed(error));
  }

  /** Resolves when nothing is written any more. */
  idle(): Promise<void> {
    return this.writing.idle();
  }

  private keyOf({ name, windowMs }: Counted): string {
    return hash('sha256', `${windowMs} ${Math.floor(this.now() / windowMs)} ${name}`);
  }

  private count(counted: Counted): Count {
    const key = this.keyOf(counted);
    const known = this.counts.get(key);
    if (known) return known;
    const until = this.now() + this.remaining(counted);
    const count: Count = { key, until, own: 0, others: 0, askedAt: Number.NEGATIVE_INFINITY };
    this.counts.set(key, count);
    return count;
  }

  /** Stores what is counted now. Counts that come while others are written are written together. */
  private write(counts: readonly Count[]): Promise<void> {
    for (const count of counts) this.unwritten.add(count);
    return this.writing.run(async () => {
      const operations = [...this.unwritten].map(({ key, until, own }) => {
        const replacement: CountDocument = {
          _id: `${key} ${this.process}`,
          key,
          process: this.process,
          count: own,
          until,
        };
        return { replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } };
      });
      this.unwritten.clear();
      if (operations.length > 0) await this.documents().bulkWrite(operations);
    });
  }

  private async askOthers(counts: readonly Count[]): Promise<void> {
    const found = await this.documents().find({ key: { $in: counts.map(({ key }) => key) } });
    const askedAt = this.now();
    for (const count of counts) {
      const others = found.filter(({ key, process }) => key === count.key && process !== this.process);
      count.others = others.reduce((sum, { count: theirs }) => sum + theirs, 0);
      count.askedAt = askedAt;
    }
  }

  /** Forgets windows that have ended. */
  private sweep(): void {
    const now = this.now();
    if (now - this.sweptAt < SWEEP_EVERY_MS) return;
    this.sweptAt = now;
    for (const [key, { until }] of this.counts) if (until <= now) this.counts.delete(key);
    const ended = { until: { $lt: now - GRACE_MS } };
    void this.writing
      .run(async () => void (await this.documents().deleteMany(ended)))
      .catch((error: unknown) => this.failed(error));
  }

  private failed(error: unknown): void {
    if (!(error instanceof DocumentStoreUnavailable)) throw error;
    this.options.onFailure(error);
  }

  private documents() {
    return this.database.collection<CountDocument>(COUNTS);
  }
}
