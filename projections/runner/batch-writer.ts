import { type Fence, storeCheckpoint } from '../../src/platform/cluster/fence.js';
import type { DocumentDatabase } from '../../src/platform/documents/document-store.js';
import type { EventPlace, Recorded } from '../../src/platform/kernel/event.js';
import type { Position } from '../../src/platform/kernel/position.js';
import type { Change, Projection } from '../../src/platform/read-models/projection.js';
import { EventsInParts, LargeEvent, type Part } from './apply-events.js';
import { PartWriter } from './part-writer.js';
import { PartedEvent } from './parted-event.js';
import type { ReadDocuments } from './read-documents.js';
import type { WriteSize } from './write-size.js';

/** Up to twice as many documents of a collection stay in memory between batches. Some read models have large documents. */
const MOST_READ: WriteSize = { documents: 4000, bytes: 4 * 1024 * 1024 };

/** A batch whose changes are worked out. */
export interface BegunBatch {
  /** Resolves when the batch is stored. */
  readonly written: Promise<void>;
}

/** Where a batch ends, and how it is written. */
interface BatchEnd {
  readonly upTo: Position;
  /** An event at or before `upTo`, which is stored with the checkpoint. */
  readonly newest: EventPlace | undefined;
  /** The most that a transaction may write. */
  readonly most: WriteSize;
  /** Stores the checkpoint of a batch that changes nothing, too. */
  readonly isStored?: true;
}

interface BatchWriterOptions {
  readonly projection: Projection;
  readonly database: DocumentDatabase;
  readonly fence: Fence | undefined;
  /** Documents of the database that need not be read. */
  readonly read: ReadDocuments;
  /** The most that a part of one event's changes may be. */
  readonly most: WriteSize;
}

/** How a part is stored. */
interface Step {
  readonly writer: PartWriter;
  readonly checkpoint: Position;
  readonly event: EventPlace | undefined;
  /** Stores the checkpoint of a part that changes nothing, too. */
  readonly isStored: boolean;
}

/** Works out batches of events and writes them, part by part. One part is worked out while others are written. */
export class BatchWriter {
  /** The write of the last part begun. After a failure all later parts fail, until `reset`. */
  written: Promise<void> = Promise.resolve();
  /** Number of parts stored: it grows with all headway. */
  partsStored = 0;
  /** Ends an event that is applied in parts between two of them. */
  signal: AbortSignal | undefined;
  /** An event may be half applied, by this process or another. */
  private mayBeParted = true;

  /** @param stored called when a part is applied; `wrote`: the checkpoint is stored, too */
  constructor(
    private readonly options: BatchWriterOptions,
    private readonly stored: (upTo: Position, event: EventPlace | undefined, wrote: boolean) => void,
  ) {}

  /** Resolves when the events' changes are worked out. Writes nothing after a failed write. */
  async begin(events: readonly Recorded[], { upTo, newest, most, isStored }: BatchEnd): Promise<BegunBatch> {
    await this.finishEvent();
    const { projection, database, fence, read } = this.options;
    if (events.length === 0) {
      const before = this.written;
      const pass = async (): Promise<void> => {
        await before;
        if (isStored) await storeCheckpoint(database, upTo, fence, newest);
        this.stored(upTo, newest, isStored === true);
      };
      this.write(pass());
    }
    const parts = new EventsInParts(projection, events, read, most);
    while (!parts.isDone) {
      const writer = new PartWriter(database, fence, this.written);
      const before = this.written;
      const part = await parts.next(writer).catch((error: unknown) => {
        this.write(this.refuse(before, writer, error));
        throw error;
      });
      const [end, event] = parts.isDone ? [upTo, newest] : [part.last.position, part.last];
      const step: Step = { writer, checkpoint: end, event, isStored: parts.isDone && isStored === true };
      this.write(this.store(part, step).catch((error: unknown) => this.refuse(before, writer, error)));
      // What a large event changes is unknown before it is stored.
      if (part.changes instanceof LargeEvent) await this.written;
    }
    read.evict(MOST_READ);
    return { written: this.written };
  }

  /** Goes on with an event that was left half applied. */
  async finishEvent(): Promise<void> {
    if (!this.mayBeParted) return;
    const applied = await this.parted().resume();
    if (applied !== null) this.stored(applied, undefined, true);
    this.mayBeParted = false;
  }

  /** Forgets all that is known of the database, after a failure. Resolves when nothing is being written. */
  async reset(): Promise<void> {
    await this.written.catch(() => {});
    this.options.read.clear();
    this.written = Promise.resolve();
    this.mayBeParted = true;
  }

  private write(written: Promise<void>): void {
    this.written = written;
    // The caller handles the failure.
    written.catch(() => {});
  }

  /** Rejects when the part is taken back and the parts before are stored, or refused. */
  private async refuse(before: Promise<void>, writer: PartWriter, error: unknown): Promise<never> {
    this.options.read.clear();
    await writer.giveUp(error);
    await before.catch(() => {});
    throw error;
  }

  private async store({ changes, last }: Part, { writer, checkpoint, event, isStored }: Step): Promise<void> {
    if (changes instanceof LargeEvent) {
      await writer.ready();
      this.mayBeParted = true;
      await this.parted().apply(last, changes.changes);
      this.mayBeParted = false;
      this.stored(last.position, last, true);
    } else if (changes.touched || isStored) {
      await writer.finish({ writes: changes.drain(), checkpoint, ...(event && { event }) });
      this.partsStored++;
      this.stored(checkpoint, event, true);
    } else await writer.ready();
    this.stored(checkpoint, event, false);
  }

  private parted(): PartedEvent {
    const { database, projection, fence, most } = this.options;
    const { collections } = projection;
    // A failure may hide that all are stored.
    const onBegin = (changes: readonly Change[]): void => this.forget(changes);
    const onPart = (): void => void this.partsStored++;
    return new PartedEvent({ database, collections, fence, most, onBegin, onPart, signal: this.signal });
  }

  /** Forgets documents that have changed, and expects the new ones. */
  private forget(changes: readonly Change[]): void {
    const { read } = this.options;
    read.clear();
    for (const { collection, operation } of changes) {
      if ('insertOne' in operation) read.in(collection).expect(operation.insertOne.document._id);
      if ('replaceOne' in operation) read.in(collection).expect(operation.replaceOne.replacement._id);
    }
  }
}
