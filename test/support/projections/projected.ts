import { applyEvents } from '../../../projections/runner/apply-events.js';
import type { DocumentDatabase, StoredDocument } from '../../../src/platform/documents/document-store.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';
import { withScratch } from '../scratch.js';

export type Documents = Readonly<Record<string, readonly StoredDocument[]>>;

/**
 * Applies a history to a projection. Every event is applied twice; the second time must change nothing (D12).
 *
 * @returns documents by collection, in the order of their ids
 */
export function projected(projection: Projection, events: readonly Recorded[]): Promise<Documents> {
  return withScratch(async (directory) => {
    const store = await SqliteDocumentStore.open(directory);
    try {
      const database = await store.database('projected');
      await database.ensure(projection.collections);
      // In one transaction: each commit would take longer than its event.
      await database.transaction(async (transaction) => {
        for (const event of events) {
          for (const once of [event, event]) await applyEvents(projection, transaction, [once]);
        }
      });
      return await documentsIn(database, projection);
    } finally {
      await store.close();
    }
  });
}

/** Reads all documents of a projection's database, by collection, in the order of their ids. */
export async function documentsIn(database: DocumentDatabase, projection: Projection): Promise<Documents> {
  const documents: Record<string, StoredDocument[]> = {};
  for (const name of Object.keys(projection.collections)) {
    documents[name] = await database.collection(name).find({}, { sort: { _id: 1 }, limit: Number.MAX_SAFE_INTEGER });
  }
  return documents;
}
