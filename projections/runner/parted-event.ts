import { setImmediate } from 'node:timers/promises';
import { type Fence, writeBehind } from '../../src/platform/cluster/fence.js';
import {
  type BulkOperation,
  type CollectionSpec,
  type CollectionWrites,
  type DocumentDatabase,
  type StoredDocument,
  TransactionTooLarge,
  type WholeWrite,
} from '../../src/platform/documents/document-store.js';
import { type EventPlace, placeOf } from '../../src/platform/kernel/event.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import type { Change } from '../../src/platform/read-models/projection.js';
import { endOfPart, partOf, stepsOf } from './parts-of-changes.js';
import type { WriteSize } from './write-size.js';

/** The plan to apply one event in parts. It is there from the moment when all pages are stored until the last part is. */
interface PlanDocument extends StoredDocument {
  readonly _id: 'plan';
  readonly position: Position;
  /** The newest event known to lie at or before `position`. */
  readonly event: EventPlace;
  /** The pages of changes have the ids 1 to this number. */
  readonly pages: number;
  /** Number of steps done: see `stepsOf`. */
  readonly done: number;
}

interface PageDocument extends StoredDocument {
  readonly _id: number;
  /** JSON: MongoDB before 5.0 takes no documents with fields like `$set`. */
  readonly changes: string;
}

const PLAN = 'eventInParts';

/** Characters of JSON in a page. */
const PAGE = 2 * 1024 * 1024;
/** Ids in a change of a page: a change that names more is cut. */
const IDS = 10_000;

interface PartedEventOptions {
  readonly database: DocumentDatabase;
  readonly collections: Readonly<Record<string, CollectionSpec>>;
  readonly fence: Fence | undefined;
  /** The most that a part may change. */
  readonly most: WriteSize;
  /** Called with all changes before the first of them is stored by this process. */
  readonly onBegin: (changes: readonly Change[]) => void;
  /** Called when a part is stored. */
  readonly onPart: () => void;
  /** Ends the work between two parts: whoever opens the database next goes on. */
  readonly signal: AbortSignal | undefined;
}

/** Whether an event has been applied in part: the documents are ahead of their checkpoint then. */
export async function isAmidEvent(database: DocumentDatabase): Promise<boolean> {
  if (!(await database.has(PLAN))) return false;
  return (await database.collection<PlanDocument>(PLAN).findOne({ _id: 'plan' })) !== null;
}

/**
 * Applies an event that changes more than one transaction may write. The changes are stored first, as a plan, because
 * they cannot be worked out again once some of them are applied. Then each part moves the plan on, and the last part
 * moves the checkpoint. Whoever opens the database next goes on with a plan that is there.
 */
export class PartedEvent {
  private most: WriteSize;

  constructor(private readonly options: PartedEventOptions) {
    this.most = options.most;
  }

  private get database(): DocumentDatabase {
    return this.options.database;
  }

  /** @throws Fenced, DocumentStoreUnavailable, the signal's reason: call `resume`, or start anew without a plan */
  async apply(event: EventPlace, changes: readonly Change[]): Promise<void> {
    await this.database.ensure({ [PLAN]: {} });
    let pages = 0;
    for (const json of pagesOf(changes)) {
      pages++;
      const page: PageDocument = { _id: pages, changes: json };
      // Pages of an attempt that was interrupted are replaced.
      await this.store({ writes: [planned({ insertOne: { document: page } }, pages === 1 ? EVERYTHING : undefined)] });
    }
    const plan: PlanDocument = { _id: 'plan', position: event.position, event: placeOf(event), pages, done: 0 };
    await this.store({ writes: [planned({ insertOne: { document: plan } })] });
    await this.goOn(plan, changes);
  }

  /** Goes on with a plan that was interrupted. @returns the position of its event; null: there was none */
  async resume(): Promise<Position | null> {
    if (!(await this.database.has(PLAN))) return null;
    const plan = await this.database.collection<PlanDocument>(PLAN).findOne({ _id: 'plan' });
    if (!plan) return null;
    if (plan.position <= ((await this.database.checkpoint()) ?? START)) {
      // A process of an older version, which knows no plans, has applied the event since.
      await this.store({ writes: [planned(EVERYTHING)] });
      return null;
    }
    const changes: Change[] = [];
    for (let _id = 1; _id <= plan.pages; _id++) {
      const page = await this.database.collection<PageDocument>(PLAN).findOne({ _id });
      if (!page) throw new Error(`${this.database.name} has lost page ${_id} of the event at ${plan.position}`);
      for (const change of JSON.parse(page.changes) as Change[]) changes.push(change);
    }
    await this.goOn(plan, changes);
    return plan.position;
  }

  private async goOn(plan: PlanDocument, changes: readonly Change[]): Promise<void> {
    const { position, event } = plan;
    const all = stepsOf(changes);
    const { collections, signal, onBegin, onPart } = this.options;
    onBegin(changes);
    for (let done = plan.done; done < all; ) {
      signal?.throwIfAborted();
      const until = endOfPart(changes, done, this.most, collections);
      const writes = writesOf(partOf(changes, done, until));
      try {
        if (until < all) await this.store({ writes: [...writes, planned(movedOn(until))] });
        else await this.store({ writes: [...writes, planned(EVERYTHING)], checkpoint: position, event });
        done = until;
        onPart();
      } catch (error) {
        if (!(error instanceof TransactionTooLarge) || until - done === 1) throw error;
        this.most = { documents: Math.ceil((until - done) / 2), bytes: this.most.bytes / 2 };
      }
      // An embedded engine leaves the event loop no turn.
      await setImmediate();
    }
  }

  private store(write: WholeWrite): Promise<void> {
    return writeBehind(this.options.fence, this.database, write);
  }
}

const EVERYTHING: BulkOperation<StoredDocument> = { deleteMany: { filter: {} } };

const movedOn = (done: number): BulkOperation<StoredDocument> => ({
  updateOne: { filter: { _id: 'plan' }, update: { $set: { done } } },
});

const planned = (
  operation: BulkOperation<StoredDocument>,
  before?: BulkOperation<StoredDocument>,
): CollectionWrites => ({ collection: PLAN, operations: before ? [before, operation] : [operation] });

/** Keeps the order of changes: writes to one collection are joined only if they follow each other. */
function writesOf(changes: readonly Change[]): CollectionWrites[] {
  const writes: { collection: string; operations: BulkOperation<StoredDocument>[] }[] = [];
  for (const { collection, operation } of changes) {
    const last = writes.at(-1);
    if (last?.collection === collection) last.operations.push(operation);
    else writes.push({ collection, operations: [operation] });
  }
  return writes;
}

/** The changes as JSON, in pages. */
function* pagesOf(changes: readonly Change[]): Generator<string> {
  let page: string[] = [];
  let length = 0;
  for (const change of cutAll(changes)) {
    const json = JSON.stringify(change);
    if (page.length > 0 && length + json.length > PAGE) {
      yield `[${page.join(',')}]`;
      page = [];
      length = 0;
    }
    page.push(json);
    length += json.length;
  }
  yield `[${page.join(',')}]`;
}

function* cutAll(changes: readonly Change[]): Generator<Change> {
  for (const change of changes) {
    for (let from = 0; from < stepsOf([change]); from += IDS) yield* partOf([change], from, from + IDS);
  }
}
