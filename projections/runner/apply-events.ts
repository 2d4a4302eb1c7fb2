import type { CollectionWrites, DocumentTransaction } from '../../src/document-store/document-store.js';
import type { Recorded } from '../../src/kernel/event.js';
import type { Change, OwnDocuments, Projection } from '../projection.js';
import { PendingChanges, ReadDocuments } from './pending-changes.js';

/**
 * Writes what events change, in order, within a transaction. Types that the projection does not handle are passed over.
 *
 * @param read what earlier batches have read of the same database
 * @param write carries out what is left to write at the end, where they changed anything
 * @returns false where they changed nothing
 */
export async function applyEvents(
  projection: Projection,
  transaction: DocumentTransaction,
  events: readonly Recorded[],
  read = new ReadDocuments(),
  write = (writes: readonly CollectionWrites[]): Promise<unknown> => transaction.writeAll(writes),
): Promise<boolean> {
  const pending = new PendingChanges(transaction, projection.collections, read);
  const { looksUp = {} } = projection;
  await pending.readAhead(events.flatMap((event) => looksUp[event.type]?.(event) ?? []));
  for (const event of events) {
    const changes = changesOf(projection, event, pending);
    pending.add(isPromise(changes) ? await changes : changes);
  }
  if (pending.touched) await write(pending.take());
  return pending.touched;
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
