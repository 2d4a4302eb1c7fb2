import type {
  CollectionWrites,
  DocumentDatabase,
  DocumentStore,
  DocumentTransaction,
} from '../../src/document-store/document-store.js';
import { type EventPlace, placeOf, type Recorded } from '../../src/kernel/event.js';
import { type Position, START } from '../../src/kernel/position.js';
import { type Fence, Fenced, storeCheckpoint } from '../../src/processes/fence.js';
import type { Projection } from '../projection.js';
import { pendingChanges } from './apply-events.js';
import { ComingTransaction } from './coming-transaction.js';
import { type DecodedBatch, isPassing } from './decode-batch.js';
import { newestUpTo } from './newest-up-to.js';
import { ReadDocuments } from './read-documents.js';
import { StepByStep, stepByStepCollections } from './step-by-step.js';

/** A projection's function, or the store, refused an event; the documents are as they were before it. */
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

/** Documents of one collection that are kept in memory between batches: these, and up to as many from before. */
const MOST_READ = 4000;

/** A batch of which it is known what it changes. */
export interface BegunBatch {
  /** Resolves when it is stored. */
  readonly written: Promise<void>;
}

/** One build of a projection's documents: a database of its own, and how far it has been filled. */
export class Generation {
  /** Event types that it is filled from. */
  readonly types: readonly string[];
  private storedPosition: Position;
  /** At `position` or before it: the newest event that this process knows to lie there, of whatever type. */
  private newest: EventPlace | undefined;
  private applying = false;
  /** The batch that was begun last; what comes after one that failed fails, until `recover`. */
  private written: Promise<void> = Promise.resolve();
  /** null where batches are written in transactions. */
  private readonly steps: StepByStep | null;
  private isClosed = false;
  private readers = 0;
  private onIdle: (() => void) | undefined;

  private constructor(
    readonly projection: Projection,
    readonly database: DocumentDatabase,
    /** Everything up to here has been applied. */
    public position: Position,
    private readonly fence: Fence | undefined,
    private readonly read = new ReadDocuments(),
  ) {
    this.types = Object.keys(projection.on);
    this.storedPosition = position;
    this.steps = stepsIn(database, projection, fence);
  }

  /**
   * An empty one; what a database of that name held before is removed.
   * @param fence where processes take turns at filling it
   */
  static async create(store: DocumentStore, projection: Projection, name: string, fence?: Fence): Promise<Generation> {
    await store.dropDatabase(name);
    const database = await openDatabase(store, projection, name);
    await fence?.close(database);
    await database.transaction((transaction) => transaction.setCheckpoint(START));
    // What is written step by step is not told of.
    const read = new ReadDocuments({ isEmpty: database.isAtomic });
    return new Generation(projection, database, START, fence, read);
  }

  /** null where the database was never finished: it has no checkpoint. */
  static async open(
    store: DocumentStore,
    projection: Projection,
    name: string,
    fence?: Fence,
  ): Promise<Generation | null> {
    const database = await openDatabase(store, projection, name);
    await fence?.close(database);
    await stepsIn(database, projection, fence)?.finish();
    const position = await database.checkpoint();
    if (position === null) {
      await database.close();
      return null;
    }
    return new Generation(projection, database, position, fence);
  }

  get name(): string {
    return this.database.name;
  }

  /** There is progress that only memory knows: nothing was written since. */
  get isAheadOfCheckpoint(): boolean {
    return this.position > this.storedPosition;
  }

  handles(type: string): boolean {
    return Object.hasOwn(this.projection.on, type);
  }

  /**
   * Applies what it handles and has not applied yet, in one transaction with the checkpoint; where there is nothing to
   * write, only `position` moves.
   * @param newest an event before or at `upTo`, of types perhaps that it does not handle and the batch leaves out
   * @throws ApplyFailed; or what isPassing() recognises: call `recover` and try again
   */
  async apply(batch: DecodedBatch, upTo: Position, newest?: EventPlace): Promise<void> {
    if (upTo <= this.position) return;
    this.applying = true;
    try {
      const bad = batch.undecodable.find(({ event }) => event.position > this.position && this.handles(event.type));
      const before = bad?.event.position ?? Number.POSITIVE_INFINITY;
      const events = batch.events.filter(
        (event) => event.position > this.position && event.position < before && this.handles(event.type),
      );
      // A log may be read from the positions of events only.
      const end = bad ? (events.at(-1)?.position ?? this.position) : upTo;
      const known = newestUpTo(end, [this.newest, newest], batch);
      if (events.length > 0) await this.applyAll(events, end, known);
      this.position = end;
      this.newest = known;
      if (bad) throw new ApplyFailed(this.projection.name, bad.event, bad.error);
    } finally {
      this.applying = false;
    }
  }

  /**
   * As `apply`, in two halves: resolves when it is known what the batch changes, so that the next one can be begun while
   * this one is written.
   * @throws whatever it is, here or from `written`: once nothing is under way, call `recover` and `apply`
   */
  async begin(batch: DecodedBatch, upTo: Position): Promise<BegunBatch> {
    if (this.steps || batch.undecodable.length > 0) {
      await this.written;
      await this.apply(batch, upTo);
      return { written: this.written };
    }
    return this.beginWriting(
      batch.events.filter(({ type }) => this.handles(type)),
      upTo,
      newestUpTo(upTo, [], batch),
    );
  }

  /** After a failure whose outcome is unknown: what the database says has been applied, is. */
  async recover(): Promise<void> {
    this.read.clear();
    this.written = Promise.resolve();
    await this.steps?.finish();
    const stored = await this.database.checkpoint();
    if (stored === null) throw new Error(`database ${this.name} has lost its checkpoint`);
    this.storedPosition = stored;
    this.position = Math.max(this.position, stored);
  }

  /** Leaves it to the batch at hand where there is one. */
  async storeCheckpoint(): Promise<void> {
    if (this.applying || !this.isAheadOfCheckpoint) return;
    const { position, newest } = this;
    await storeCheckpoint(this.database, position, this.fence, newest);
    this.storedPosition = Math.max(this.storedPosition, position);
  }

  /** Resolves when what was deleted is in none of its files. */
  purge(): Promise<void> {
    return this.database.purge();
  }

  /** A query: the generation is kept until it has its answer. */
  async reading<T>(query: () => Promise<T>): Promise<T> {
    this.readers++;
    try {
      return await query();
    } finally {
      this.readers--;
      if (this.readers === 0) this.onIdle?.();
    }
  }

  /** Once the queries that are in it have their answers. A repeat has nothing to do. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.readers > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
    await this.database.close();
  }

  /** What another process has taken over is not written. @throws Fenced */
  private async finish(
    transaction: DocumentTransaction,
    writes: readonly CollectionWrites[],
    upTo: Position,
    newest: EventPlace | undefined,
  ): Promise<void> {
    if (this.fence) await this.fence.writeAll(transaction, this.name, writes, upTo, newest);
    else await transaction.writeAll(writes, upTo, newest);
  }

  private async applyAll(events: readonly Recorded[], upTo: Position, newest: EventPlace | undefined): Promise<void> {
    if (this.steps) {
      for (const event of events) await this.step(this.steps, event);
      return;
    }
    try {
      await this.write(events, upTo, newest);
    } catch (error) {
      if (isPassing(error) || error instanceof Fenced) throw error;
      // Once more, one by one: those before the one that is refused are good, and it is known by name.
      await this.recover();
      for (const event of events) if (event.position > this.position) await this.writeOne(event);
    }
  }

  private async writeOne(event: Recorded): Promise<void> {
    await this.named(event, () => this.write([event], event.position, event));
  }

  private async step(steps: StepByStep, event: Recorded): Promise<void> {
    if (await this.named(event, () => steps.apply(event, this.read))) this.storedPosition = event.position;
    this.position = event.position;
    this.read.keep(MOST_READ);
  }

  /** @throws ApplyFailed where it is the event that is refused */
  private async named<T>(event: Recorded, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw isPassing(error) || error instanceof Fenced ? error : new ApplyFailed(this.projection.name, event, error);
    }
  }

  private async write(events: readonly Recorded[], upTo: Position, newest: EventPlace | undefined): Promise<void> {
    await (await this.beginWriting(events, upTo, newest)).written;
  }

  /** Resolves when it is known what the events change. Nothing is written after what could not be. */
  private async beginWriting(
    events: readonly Recorded[],
    upTo: Position,
    newest: EventPlace | undefined,
  ): Promise<BegunBatch> {
    const before = this.written;
    const coming = new ComingTransaction();
    const changes = pendingChanges(this.projection, coming, events, this.read);
    const written = this.database
      .transaction(async (transaction) => {
        await before;
        coming.begin(transaction);
        const pending = await changes;
        if (pending.touched) await this.finish(transaction, pending.take(), upTo, newest);
        return pending.touched;
      })
      .then(
        (wrote) => {
          // What changed nothing need not be remembered at once.
          if (wrote) this.storedPosition = upTo;
          this.position = upTo;
          if (newest) this.newest = placeOf(newest);
        },
        (error: unknown) => {
          coming.refuse(error);
          this.read.clear();
          throw error;
        },
      );
    // Whoever waits for it is told.
    written.catch(() => {});
    this.written = written;
    await changes;
    this.read.keep(MOST_READ);
    return { written };
  }
}

async function openDatabase(
  store: DocumentStore,
  { collections }: Projection,
  name: string,
): Promise<DocumentDatabase> {
  const database = await store.database(name);
  await database.ensure(database.isAtomic ? collections : { ...collections, ...stepByStepCollections });
  return database;
}

const stepsIn = (database: DocumentDatabase, projection: Projection, fence: Fence | undefined): StepByStep | null =>
  database.isAtomic ? null : new StepByStep(database, projection, fence);
