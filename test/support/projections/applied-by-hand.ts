import { applyEvents } from '../../../projections/runner/apply-events.js';
import type { DocumentDatabase } from '../../../src/platform/documents/document-store.js';
import type { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { type Position, START } from '../../../src/platform/kernel/position.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';
import type { ReadModels } from '../../../src/platform/read-models/read-models.js';

/** Read models to which a spec applies events by hand. Waiting for them always succeeds. */
export class AppliedByHand implements ReadModels {
  private readonly databases = new Map<string, DocumentDatabase>();
  private readonly positions = new Map<string, Position>();

  constructor(private readonly store: SqliteDocumentStore) {}

  /** @param upTo default: the last of the events */
  async apply(projection: Projection, events: readonly Recorded[], upTo?: Position): Promise<void> {
    const database = await this.store.database(projection.name);
    await database.ensure(projection.collections);
    await database.transaction((transaction) => applyEvents(projection, transaction, events));
    this.databases.set(projection.name, database);
    this.positions.set(projection.name, upTo ?? events.at(-1)?.position ?? START);
  }

  collection: ReadModels['collection'] = (projection, name) => {
    const database = this.databases.get(projection.name);
    if (!database) throw new Error(`${projection.name} has no documents`);
    return database.collection(name);
  };

  position(projection: Projection): Position {
    return this.positions.get(projection.name) ?? START;
  }

  async waitFor(): Promise<void> {}

  onApplied(): () => void {
    return () => undefined;
  }
}
