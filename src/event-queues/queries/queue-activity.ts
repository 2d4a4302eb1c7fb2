import { clientEvents } from '../../../projections/client-events.projection.js';
import type { DocumentDatabase, DocumentStore, StoredDocument } from '../../document-store/document-store.js';

const DATABASE = 'event-queue-activity';
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

interface Remembered extends Stretch {
  readonly writtenAt: number;
}

/**
 * What is worth knowing of queues and safe to lose: it is in no log. A queue that nothing is known of counts as just
 * seen, and is looked through from where its client has come.
 */
export class QueueActivity {
  private readonly remembered = new Map<string, Remembered>();

  private constructor(
    private readonly database: DocumentDatabase,
    /** How stale a stored time may be, milliseconds. */
    private readonly coarseness: number,
    private readonly now: () => number,
  ) {}

  static async open(store: DocumentStore, coarseness: number, now: () => number = Date.now): Promise<QueueActivity> {
    const database = await store.database(DATABASE);
    await database.ensure({ queues: {} });
    return new QueueActivity(database, coarseness, now);
  }

  /**
   * Somebody asks the queue, whose client has everything up to `cursor`: from where it has to be looked through. Stored
   * no more often than is coarse enough.
   */
  async asked(queueId: string, cursor: number): Promise<number> {
    const known = this.remembered.get(queueId) ?? (await this.recall(queueId));
    const now = this.now();
    if (now - known.writtenAt >= this.coarseness) {
      this.remember(queueId, { ...known, writtenAt: now });
      await this.store(queueId, known, now);
    }
    return cursor >= known.after ? Math.max(cursor, known.through) : cursor;
  }

  lookedThrough(queueId: string, stretch: Stretch): void {
    const writtenAt = this.remembered.get(queueId)?.writtenAt ?? Number.NEGATIVE_INFINITY;
    this.remember(queueId, { ...stretch, writtenAt });
  }

  /** Milliseconds since each queue was asked; 0, from now on, for those that nothing is known of. */
  async idleTimes(queueIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const now = this.now();
    const found = await this.queues().find({ _id: { $in: queueIds } });
    const seenAt = new Map(found.map((document) => [document._id, document.seenAt]));
    const idle = new Map<string, number>();
    for (const queueId of queueIds) {
      const at = seenAt.get(queueId);
      if (at === undefined) await this.store(queueId, { after: 0, through: 0 }, now);
      idle.set(queueId, at === undefined ? 0 : now - at);
    }
    return idle;
  }

  async forget(queueId: string): Promise<void> {
    this.remembered.delete(queueId);
    await this.queues().deleteOne({ _id: queueId });
  }

  private async recall(queueId: string): Promise<Remembered> {
    const stored = await this.queues().findOne({ _id: queueId });
    const isCurrent = stored?.feedVersion === clientEvents.version;
    const recalled = {
      after: isCurrent ? stored.after : 0,
      through: isCurrent ? stored.through : 0,
      writtenAt: stored?.seenAt ?? Number.NEGATIVE_INFINITY,
    };
    this.remember(queueId, recalled);
    return recalled;
  }

  private remember(queueId: string, what: Remembered): void {
    this.remembered.delete(queueId);
    this.remembered.set(queueId, what);
    if (this.remembered.size <= MAX_REMEMBERED) return;
    const [oldest] = this.remembered.keys();
    if (oldest !== undefined) this.remembered.delete(oldest);
  }

  private async store(queueId: string, { after, through }: Stretch, seenAt: number): Promise<void> {
    const document: ActivityDocument = { _id: queueId, seenAt, after, through, feedVersion: clientEvents.version };
    await this.queues().replaceOne({ _id: queueId }, document, { upsert: true });
  }

  private queues() {
    return this.database.collection<ActivityDocument>('queues');
  }
}
