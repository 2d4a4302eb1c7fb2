import { clientEvents } from '../../../projections/client-events.projection.js';
import type { DocumentDatabase, DocumentStore, StoredDocument } from '../../document-store/document-store.js';

const DATABASE = 'event-queue-activity';
/** How long what is to be stored waits for more of its kind: a thousand queues that wake up together cost one write. */
const GATHER_MS = 1000;
const MOST_AT_ONCE = 500;
const MAX_REMEMBERED = 100_000;

/** When a queue was asked last, and how far it has been looked through for nothing. Coarse. */
interface ActivityDocument extends StoredDocument {
  /** The queue's id. */
  readonly _id: string;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
  readonly after: number;
  readonly through: number;
  /** Of the feed that was looked through: another version may have more to say. */
  readonly feedVersion: number;
}

interface Stretch {
  /** Between this id … */
  readonly after: number;
  /** … and this one, nothing is for the queue. */
  readonly through: number;
}

interface Remembered {
  after: number;
  through: number;
  writtenAt: number;
  /** It has been looked through further than is stored. */
  moved: boolean;
}

/**
 * What is worth knowing of queues and safe to lose: it is in no log. A queue that nothing is known of counts as just
 * seen, and is looked through from where its client has come.
 */
export class QueueActivity {
  private readonly remembered = new Map<string, Remembered>();
  private readonly unwritten = new Map<string, ActivityDocument>();
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();

  private constructor(
    private readonly database: DocumentDatabase,
    /** How stale a stored time may be, milliseconds. */
    private readonly coarseness: number,
    private readonly onFailure: (error: unknown) => void,
    private readonly now: () => number,
  ) {}

  static async open(
    store: DocumentStore,
    coarseness: number,
    onFailure: (error: unknown) => void,
    now: () => number = Date.now,
  ): Promise<QueueActivity> {
    const database = await store.database(DATABASE);
    await database.ensure({ queues: {} });
    return new QueueActivity(database, coarseness, onFailure, now);
  }

  /**
   * Somebody asks the queue, whose client has everything up to `cursor`: from where it has to be looked through. Stored
   * no more often than is coarse enough.
   */
  async asked(queueId: string, cursor: number): Promise<number> {
    const known = this.remembered.get(queueId) ?? (await this.recall(queueId));
    const now = this.now();
    if (now - known.writtenAt >= this.coarseness) {
      known.writtenAt = now;
      known.moved = false;
      this.store(queueId, known, now);
    }
    return cursor >= known.after ? Math.max(cursor, known.through) : cursor;
  }

  lookedThrough(queueId: string, { after, through }: Stretch): void {
    const known = this.remembered.get(queueId);
    if (!known) return;
    known.after = after;
    known.through = through;
    known.moved = true;
  }

  /** Milliseconds since each queue was asked; 0, from now on, for those that nothing is known of. */
  async idleTimes(queueIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const now = this.now();
    const found = await this.queues().find({ _id: { $in: queueIds } });
    const seenAt = new Map([...found, ...this.unwritten.values()].map((document) => [document._id, document.seenAt]));
    const idle = new Map<string, number>();
    for (const queueId of queueIds) {
      const at = seenAt.get(queueId);
      if (at === undefined) this.store(queueId, { after: 0, through: 0 }, now);
      idle.set(queueId, at === undefined ? 0 : now - at);
    }
    return idle;
  }

  async forget(queueId: string): Promise<void> {
    this.remembered.delete(queueId);
    this.unwritten.delete(queueId);
    await this.queues().deleteOne({ _id: queueId });
  }

  private async recall(queueId: string): Promise<Remembered> {
    const stored = await this.queues().findOne({ _id: queueId });
    const isCurrent = stored?.feedVersion === clientEvents.version;
    const recalled = {
      after: isCurrent ? stored.after : 0,
      through: isCurrent ? stored.through : 0,
      writtenAt: stored?.seenAt ?? Number.NEGATIVE_INFINITY,
      moved: false,
    };
    this.remember(queueId, recalled);
    return recalled;
  }

  /** The longest known goes first: it is recalled when its queue is asked again. */
  private remember(queueId: string, what: Remembered): void {
    this.remembered.set(queueId, what);
    if (this.remembered.size <= MAX_REMEMBERED) return;
    const [oldest] = this.remembered.keys();
    if (oldest !== undefined) this.remembered.delete(oldest);
  }

  private store(queueId: string, { after, through }: Stretch, seenAt: number): void {
    this.unwritten.set(queueId, { _id: queueId, seenAt, after, through, feedVersion: clientEvents.version });
    this.timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref();
  }

  /** Resolves when what was to be stored is, or cannot be. */
  flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.writing = this.writing.then(() => this.write()).catch(this.onFailure);
    return this.writing;
  }

  /** Nest's hook: the next process need not look through what this one has. */
  onApplicationShutdown(): Promise<void> {
    for (const [queueId, known] of this.remembered) if (known.moved) this.store(queueId, known, known.writtenAt);
    return this.flush();
  }

  private async write(): Promise<void> {
    while (this.unwritten.size > 0) {
      const documents = [...this.unwritten.values()].slice(0, MOST_AT_ONCE);
      for (const { _id } of documents) this.unwritten.delete(_id);
      const operations = documents.map((replacement) => ({
        replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
      }));
      await this.database.transaction(async (transaction) => {
        await transaction.collection<ActivityDocument>('queues').bulkWrite(operations);
      });
    }
  }

  private queues() {
    return this.database.collection<ActivityDocument>('queues');
  }
}
