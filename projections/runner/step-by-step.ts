import {
  type Collection,
  type CollectionSpec,
  type DocumentDatabase,
  DuplicateKey,
  type StoredDocument,
} from '../../src/document-store/document-store.js';
import { type EventPlace, placeOf, type Recorded } from '../../src/kernel/event.js';
import type { Position } from '../../src/kernel/position.js';
import { type Fence, Fenced } from '../../src/processes/fence.js';
import type { Change, Projection } from '../projection.js';
import { changesOf } from './apply-events.js';
import { guarded, isGuarded } from './guarded-writes.js';
import { PendingChanges } from './pending-changes.js';
import type { ReadDocuments } from './read-documents.js';

/** What one event changes, noted before the first of its writes. */
interface NotedDocument extends StoredDocument {
  readonly _id: 'changes';
  readonly position: Position;
  /** Absent where it was noted by a program that did not know of it. */
  readonly event?: EventPlace;
  /** JSON, since names of fields in an update mean something to the engine. */
  readonly changes: string;
}

const NOTED = 'noted';

/** Besides the projection's own. */
export const stepByStepCollections: Readonly<Record<string, CollectionSpec>> = { [NOTED]: {} };

/**
 * How a projection's documents are written where the engine has no transactions: event by event, what it changes noted
 * first. So an event that was left by halves is finished as it was begun, and what comes after it sees all of it. Each
 * write passes over documents that a later event has changed, so that finishing twice, and finishing late, do nothing.
 */
export class StepByStep {
  constructor(
    private readonly database: DocumentDatabase,
    private readonly projection: Projection,
    private readonly fence: Fence | undefined,
  ) {}

  /** What was begun, by this process or another. Before anything is read. */
  async finish(): Promise<void> {
    const noted = await this.noted().findOne({ _id: 'changes' });
    const stored = await this.database.checkpoint();
    // A database without a checkpoint was never finished, and is nothing.
    if (!noted || stored === null || stored >= noted.position) return;
    await this.carryOut(JSON.parse(noted.changes), noted.position, noted.event);
  }

  /**
   * @param read of the same database, by earlier events
   * @returns false where it changed nothing
   */
  async apply(event: Recorded, read: ReadDocuments): Promise<boolean> {
    const { database, projection } = this;
    const pending = new PendingChanges(database, projection.collections, read);
    const changes = await changesOf(projection, event, pending);
    if (changes.length === 0) return false;
    await this.fence?.enter(database);
    const place = placeOf(event);
    await this.note({ _id: 'changes', position: event.position, event: place, changes: JSON.stringify(changes) });
    read.clear();
    await this.carryOut(changes, event.position, place);
    return true;
  }

  /** @throws Fenced where another process has noted what a later event changes */
  private async note(changes: NotedDocument): Promise<void> {
    try {
      await this.noted().replaceOne({ _id: 'changes', position: { $lte: changes.position } }, changes, {
        upsert: true,
      });
    } catch (error) {
      throw error instanceof DuplicateKey ? new Fenced(this.database.name) : error;
    }
  }

  private async carryOut(changes: readonly Change[], position: Position, event: EventPlace | undefined): Promise<void> {
    for (const { collection, operation } of changes) {
      try {
        await this.database.collection(collection).bulkWrite([guarded(operation, position)]);
      } catch (error) {
        // It is there, and not as the guard asks: a later event has changed it.
        if (!(error instanceof DuplicateKey && isGuarded(operation))) throw error;
      }
    }
    await this.database.transaction((transaction) => transaction.setCheckpoint(position, event));
  }

  private noted(): Collection<NotedDocument> {
    return this.database.collection<NotedDocument>(NOTED);
  }
}
