import type { DocumentTransaction } from '../../src/document-store/document-store.js';
import type { Recorded } from '../../src/kernel/event.js';
import type { Change, OwnDocuments, Projection } from '../projection.js';
import { type BatchCollection, PendingChanges } from './pending-changes.js';
import { ReadDocuments } from './read-documents.js';

/**
 * Writes what events change, in order, within a transaction. Types that the projection does not handle are passed over.
 */
export async function applyEvents(
  projection: Projection,
  transaction: DocumentTransaction,
  events: readonly Recorded[],
): Promise<void> {
  await transaction.writeAll((await pendingChanges(projection, transaction, events)).take());
}

/**
 * What events change, as far as it need not be written for the ones after it to see it.
 *
 * @param read what earlier batches have read of the same database
 */
export async function pendingChanges(
  projection: Projection,
  transaction: { collection(name: string): BatchCollection },
  events: readonly Recorded[],
  read = new ReadDocuments(),
): Promise<PendingChanges> {
  const pending = new PendingChanges(transaction, projection.collections, read);
  const { looksUp = {} } = projection;
  await pending.readAhead(events.flatMap((event) => looksUp[event.type]?.(event) ?? []));
  for (const event of events) {
    const changes = changesOf(projection, event, pending);
    pending.add(isPromise(changes) ? await changes : changes);
  }
  return pending;
}

/** None where the projection does not handle it. */
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
