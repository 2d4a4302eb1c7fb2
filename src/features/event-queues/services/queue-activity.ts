import { type FactoryProvider, Logger } from '@nestjs/common';
import { clientEvents } from '../../../../projections/client-events/client-events.projection.js';
import {
  DOCUMENT_STORE,
  type DocumentDatabase,
  type DocumentStore,
  type StoredDocument,
} from '../../../platform/documents/document-store.js';
import { GatheredWrites } from '../../../platform/documents/gathered-writes.js';
import { HOUR_MS } from '../../../platform/kernel/durations.js';
import { LruMap } from '../../../platform/kernel/lru-map.js';

const DATABASE = 'event-queue-activity';
const MAX_REMEMBERED = 100_000;

/** When a queue was last polled, and the part of the feed that has nothing for it. Coarse. */
interface ActivityDocument extends StoredDocument {
  /** The queue's id. */
  readonly _id: string;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
  readonly after: number;
  readonly through: number;
  /** Version of the feed: another version may have events in the same range. */
  readonly feedVersion: number;
}

/** The queue has no event after `after` up to `through`. */
interface ScannedRange {
  readonly after: number;
  readonly through: number;
}

interface Remembered {
  after: number;
  through: number;
  writtenAt: number;
  /** The range is newer than the stored one. */
  moved: boolean;
}

/**
 * When queues were polled and how far they were scanned. Safe to lose, and in no log: a queue without a document counts as
 * just polled, and is scanned from its client's cursor.
 */
export class QueueActivity {
  private readonly remembered = new LruMap<string, Remembered>(MAX_REMEMBERED);

  private constructor(
    private readonly database: DocumentDatabase,
    private readonly writes: GatheredWrites<ActivityDocument>,
    /** How stale a stored time may be, milliseconds. */
    private readonly coarseness: number,
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
    const writes = new GatheredWrites<ActivityDocument>({ database, collection: 'queues', onFailure });
    return new QueueActivity(database, writes, coarseness, now);
  }

  /**
   * Records a poll of the queue, at most once in `coarseness` ms.
   * @param cursor the newest id that the client has
   * @returns the id from which the feed has to be scanned
   */
  async recordPoll(queueId: string, cursor: number): Promise<number> {
    const known = this.remembered.get(queueId) ?? (await this.recall(queueId));
    const now = this.now();
    if (now - known.writtenAt >= this.coarseness) {
      known.writtenAt = now;
      known.moved = false;
      this.store(queueId, known, now);
    }
    return cursor >= known.after ? Math.max(cursor, known.through) : cursor;
  }

  recordScan(queueId: string, { after, through }: ScannedRange): void {
    const known = this.remembered.get(queueId);
    if (!known) return;
    known.after = after;
    known.through = through;
    known.moved = true;
  }

  /** Milliseconds since each queue was polled. A queue without a document counts as polled now. */
  async idleTimes(queueIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const now = this.now();
    const found = await this.queues().find({ _id: { $in: queueIds } });
    const seenAt = new Map([...found, ...this.writes.unwritten].map((document) => [document._id, document.seenAt]));
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
    this.writes.drop(queueId);
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
    this.remembered.set(queueId, recalled);
    return recalled;
  }

  private store(queueId: string, { after, through }: ScannedRange, seenAt: number): void {
    this.writes.put({ _id: queueId, seenAt, after, through, feedVersion: clientEvents.version });
  }

  /** Resolves when the gathered documents are stored, or have failed. */
  flush(): Promise<void> {
    return this.writes.flush();
  }

  /** Stores the scanned ranges, so that the next process need not scan them again. */
  onApplicationShutdown(): Promise<void> {
    for (const [queueId, known] of this.remembered) if (known.moved) this.store(queueId, known, known.writtenAt);
    return this.flush();
  }

  private queues() {
    return this.database.collection<ActivityDocument>('queues');
  }
}

export const queueActivity: FactoryProvider<QueueActivity> = {
  provide: QueueActivity,
  inject: [DOCUMENT_STORE],
  useFactory: (store: DocumentStore) => {
    const log = new Logger('EventQueues');
    return QueueActivity.open(store, HOUR_MS, (error) => log.error(`activity is not stored: ${String(error)}`));
  },
};
