import type { DocumentTransaction } from '../../src/platform/documents/document-store.js';
import type { Recorded } from '../../src/platform/kernel/event.js';
import type { Change, OwnDocuments, Projection } from '../../src/platform/read-models/projection.js';
import { type BatchCollection, PendingChanges } from './pending-changes.js';
import { ReadDocuments } from './read-documents.js';

/** Applies events in order, within a transaction. Types that the projection does not handle are passed over. */
export async function applyEvents(
  projection: Projection,
  transaction: DocumentTransaction,
  events: readonly Recorded[],
): Promise<void> {
  await transaction.writeAll((await pendingChanges(projection, transaction, events)).take());
}

/**
 * Works out the changes of events. A change that a later event must read from the store is written at once, the others
 * are left pending.
 *
 * @param read documents that earlier batches have read from the same database
 */
export async function pendingChanges(
  projection: Projection,
  transaction: { collection(name: string): BatchCollection },
  events: readonly Recorded[],
  read = new ReadDocuments(),
): Promise<PendingChanges> {
  const pending = new PendingChanges(transaction, projection.collections, read);
  const { prefetch = {} } = projection;
  await pending.readAhead(events.flatMap((event) => prefetch[event.type]?.(event) ?? []));
  for (const event of events) {
    const changes = changesOf(projection, event, pending);
    pending.add(isPromise(changes) ? await changes : changes);
  }
  return pending;
}

/** No changes if the projection does not handle the event. */
export function changesOf(
  { on }: Projection,
  event: Recorded,
  documents: OwnDocuments,
): readonly Change[] | Promise<readonly Change[]> {
  return on[event.type]?.(event, documents) ?? [];
}

function isPromise(changes: readonly Change[] | Promise<readonly Change[]>): changes is Promise<readonly Change[]> {
  return 'then' in changes;
}
