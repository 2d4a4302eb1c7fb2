import { type Fence, Fenced, storeCheckpoint } from '../../src/platform/cluster/fence.js';
import {
  type DocumentDatabase,
  type DocumentId,
  type DocumentStore,
  TransactionTooLarge,
} from '../../src/platform/documents/document-store.js';
import { type EventPlace, placeOf, type Recorded } from '../../src/platform/kernel/event.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import { BatchWriter, type BegunBatch } from './batch-writer.js';
import { type DecodedBatch, isTransient, newestUpTo } from './decode-batch.js';
import { ReadDocuments } from './read-documents.js';
import { RememberedIds } from './remembered-ids.js';
import { MOST_IN_TRANSACTION, NOTHING, type WriteSize } from './write-size.js';

/** A projection's function, or the store, refused an event. The documents are as they were before the event. */
export class ApplyFailed extends Error {
  constructor(
    readonly projection: string,
    readonly event: { readonly id: string; readonly type: string; readonly position: Position },
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'ApplyFailed';
  }
}

/** Below this estimate, shorter transactions do not help: fewer events are applied at a time. */
const LEAST_BYTES = 512 * 1024;

/** A build of a projection's documents: a database of its own, and its position in the log. */
export class Generation {
  /** Event types that the projection handles. */
  readonly types: readonly string[];
  private storedPosition: Position;
  /** The newest event, of any type, that this process knows to lie at or before `position`. */
  private newest: EventPlace | undefined;
  /** Events up to this position were applied before the first call of `begin`. */
  private beganAt: Position;
  /** A batch is being worked out or written. */
  isApplying = false;
  private readonly writer: BatchWriter;
  private ids: RememberedIds | null = null;
  private isClosed = false;
  private readers = 0;
  private onIdle: (() => void) | undefined;
  /** Most bytes in a transaction, as they are estimated. Less than usual after an estimate that was too low. */
  private bytes: number;

  private constructor(
    readonly projection: Projection,
    readonly database: DocumentDatabase,
    /** All events up to this position have been applied. */
    public position: Position,
    private readonly fence: Fence | undefined,
    private readonly mostInTransaction: WriteSize,
    private readonly read = new ReadDocuments(),
  ) {
    this.types = Object.keys(projection.on);
    this.storedPosition = position;
    this.beganAt = position;
    this.bytes = mostInTransaction.bytes;
    this.writer = new BatchWriter(
      { projection, database, fence, read, most: mostInTransaction },
      (upTo, event, wrote) => {
        // Without changes, the checkpoint is stored later.
        if (wrote) this.storedPosition = upTo;
        this.position = Math.max(this.position, upTo);
        if (event) this.newest = placeOf(event);
      },
    );
  }

  /**
   * An empty generation. A database of that name is removed before. Call `complete` after the load.
   * @param fence of the projection's lease, if several processes may fill the generation
   */
  static async create(
    store: DocumentStore,
    projection: Projection,
    name: string,
    fence?: Fence,
    most = MOST_IN_TRANSACTION,
  ): Promise<Generation> {
    await store.dropDatabase(name);
    const database = await store.database(name);
    await database.ensure(projection.collections, { indexesLater: true });
    await fence?.close(database);
    await database.transaction((transaction) => transaction.setCheckpoint(START));
    return new Generation(projection, database, START, fence, most, new ReadDocuments({ isEmpty: true }));
  }

  /** null for an unfinished database, which has no checkpoint. */
  static async open(
    store: DocumentStore,
    projection: Projection,
    name: string,
    fence?: Fence,
    most = MOST_IN_TRANSACTION,
  ): Promise<Generation | null> {
    const database = await openDatabase(store, projection, name);
    await fence?.close(database);
    const position = await database.checkpoint();
    if (position === null) {
      await database.close();
      return null;
    }
    return new Generation(projection, database, position, fence, most);
  }

  get name(): string {
    return this.database.name;
  }

  /** `position` is newer than the stored checkpoint: the events in between changed no document. */
  get isAheadOfCheckpoint(): boolean {
    return this.position > this.storedPosition;
  }

  /** Grows with all headway, also while one event is applied in parts. */
  get headway(): number {
    return this.writer.partsStored;
  }

  /** Call once before the first `begin` on a generation that another process has begun: an event may be half applied. */
  async goOn(): Promise<void> {
    await this.writer.finishEvent();
    this.beganAt = this.position;
  }

  /** From now on, a large event is left half applied when the signal aborts; whoever opens the database next goes on. */
  stopWith(signal: AbortSignal): void {
    this.writer.signal = signal;
  }

  private get most(): WriteSize {
    return { ...this.mostInTransaction, bytes: this.bytes };
  }

  handles(type: string): boolean {
    return Object.hasOwn(this.projection.on, type);
  }

  /**
   * Applies the new events that the projection handles, in as many transactions as their size needs, each with the
   * checkpoint. Without such events, only `position` moves.
   * @param newest an event at or before `upTo`, perhaps of a type that the batch leaves out
   * @throws ApplyFailed; or an error that isTransient() recognizes: call `recover` and try again
   */
  async apply(batch: DecodedBatch, upTo: Position, newest?: EventPlace): Promise<void> {
    if (upTo <= this.position) return;
    this.isApplying = true;
    try {
      await this.writer.finishEvent();
      if (upTo <= this.position) return;
      const bad = batch.undecodable.find(({ event }) => event.position > this.position && this.handles(event.type));
      const before = bad?.event.position ?? Number.POSITIVE_INFINITY;
      const events = batch.events.filter(
        (event) => event.position > this.position && event.position < before && this.handles(event.type),
      );
      // The position of an event, because a log may be read from positions of events only.
      const end = bad ? (events.at(-1)?.position ?? this.position) : upTo;
      const known = newestUpTo(end, [this.newest, newest], batch);
      if (events.length > 0) await this.applyAll(events, end, known);
      this.position = end;
      this.newest = known;
      if (bad) throw new ApplyFailed(this.projection.name, bad.event, bad.error);
    } finally {
      this.isApplying = false;
    }
  }

  /**
   * Applies in two halves, and stores the checkpoint whatever the batch changes. Resolves when the batch's changes are
   * worked out: the next batch can begin while this one is written.
   * @throws any error, here or from `written`: when no call is under way, call `recover` and `apply`
   */
  async begin(batch: DecodedBatch, upTo: Position): Promise<BegunBatch> {
    if (upTo <= this.beganAt) return { written: this.writer.written };
    if (batch.undecodable.length > 0) {
      await this.writer.written;
      await this.apply(batch, upTo);
      return { written: this.writer.written };
    }
    const events = batch.events.filter(({ type, position }) => position > this.beganAt && this.handles(type));
    const newest = newestUpTo(upTo, [], batch);
    return this.writer.begin(events, { upTo, newest, most: this.most, isStored: true });
  }

  /** Remembers ids for `lacks`. Call before the first event is applied, and only if nobody else writes the documents. */
  rememberIds(): void {
    const { mostlyMissed: name } = this.projection;
    if (name === undefined || this.ids) return;
    this.ids = new RememberedIds((query) => this.reading(() => query(this.database.collection(name))));
    this.read.in(name).remembered = this.ids;
  }

  /** Tells whether there is certainly no such document. */
  lacks(collection: string, id: DocumentId): boolean {
    if (this.ids === null || collection !== this.projection.mostlyMissed) return false;
    return typeof id === 'string' && this.ids.lacks(id);
  }

  /** Asks the database for the position, after a failure whose outcome is unknown. */
  async recover(): Promise<void> {
    await this.writer.reset();
    const stored = await this.database.checkpoint();
    if (stored === null) throw new Error(`database ${this.name} has lost its checkpoint`);
    this.storedPosition = stored;
    this.position = Math.max(this.position, stored);
  }

  /** Creates the indexes that `create` has left for later. `open` does so too. */
  complete(): Promise<void> {
    return this.database.ensure(this.projection.collections);
  }

  /** Does nothing while a batch is applied, which stores its own checkpoint. */
  async storeCheckpoint(): Promise<void> {
    if (this.isApplying || !this.isAheadOfCheckpoint) return;
    const { position, newest } = this;
    await storeCheckpoint(this.database, position, this.fence, newest);
    this.storedPosition = Math.max(this.storedPosition, position);
  }

  /** Resolves when none of the files holds deleted content. */
  purge(): Promise<void> {
    return this.database.purge();
  }

  /** Runs a query. The generation is not closed before the query has its answer. */
  async reading<T>(query: () => Promise<T>): Promise<T> {
    this.readers++;
    try {
      return await query();
    } finally {
      this.readers--;
      if (this.readers === 0) this.onIdle?.();
    }
  }

  /** Closes the database after the running queries. A repeat does nothing. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.readers > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
    await this.database.close();
  }

  /** After a failure, fewer events are written at a time: those before a refused event are applied, and it is known. */
  private async applyAll(events: readonly Recorded[], upTo: Position, newest: EventPlace | undefined): Promise<void> {
    let count = events.length;
    for (let left = events; left.length > 0; left = left.filter(({ position }) => position > this.position)) {
      const some = left.slice(0, count);
      const last = some.length < left.length ? some.at(-1) : undefined;
      try {
        if (count === 1) for (const event of some) await this.writeOne(event, this.most);
        else await this.write(some, last?.position ?? upTo, last ?? newest, this.most);
        this.bytes = Math.min(this.bytes * 2, this.mostInTransaction.bytes);
        count *= 2;
      } catch (error) {
        if (this.mustEnd(error) || error instanceof ApplyFailed) throw error;
        await this.recover();
        await this.writer.finishEvent();
        if (error instanceof TransactionTooLarge && this.bytes > LEAST_BYTES) this.bytes /= 2;
        else count = Math.ceil(some.length / 2);
      }
    }
  }

  /** @throws ApplyFailed if the event is refused */
  private async writeOne(event: Recorded, most: WriteSize): Promise<void> {
    try {
      await this.write([event], event.position, event, most);
    } catch (error) {
      if (this.mustEnd(error)) throw error;
      const isTooLarge = error instanceof TransactionTooLarge && most !== NOTHING;
      if (!isTooLarge) throw new ApplyFailed(this.projection.name, event, error);
      await this.recover();
      // In parts, whatever its size was estimated to be.
      await this.writeOne(event, NOTHING);
    }
  }

  private mustEnd(error: unknown): boolean {
    return isTransient(error) || error instanceof Fenced || this.writer.signal?.aborted === true;
  }

  private async write(
    events: readonly Recorded[],
    upTo: Position,
    newest: EventPlace | undefined,
    most: WriteSize,
  ): Promise<void> {
    await (await this.writer.begin(events, { upTo, newest, most })).written;
  }
}

async function openDatabase(
  store: DocumentStore,
  { collections }: Projection,
  name: string,
): Promise<DocumentDatabase> {
  const database = await store.database(name);
  await database.ensure(collections);
  return database;
}
