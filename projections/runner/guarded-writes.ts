import type { BulkOperation, Filter, StoredDocument } from '../../src/document-store/document-store.js';
import type { Position } from '../../src/kernel/position.js';

type Operation = BulkOperation<StoredDocument>;

/**
 * A write of the event at a position that leaves alone what a later event has changed, and does nothing where it was
 * done before. A put of a newer document fails with DuplicateKey.
 */
export function guarded(operation: Operation, position: Position): Operation {
  if ('replaceOne' in operation) {
    const { replacement, filter } = operation.replaceOne;
    // Documents without a position are written by one event alone.
    if (!('position' in replacement)) return operation;
    return { replaceOne: { ...operation.replaceOne, filter: both(filter, notAfter(position)) } };
  }
  if ('updateOne' in operation) {
    const { updateOne } = operation;
    return { updateOne: { ...updateOne, filter: both(updateOne.filter, before(position)) } };
  }
  if ('updateMany' in operation) {
    const { updateMany } = operation;
    return { updateMany: { ...updateMany, filter: both(updateMany.filter, before(position)) } };
  }
  if ('deleteOne' in operation) {
    return { deleteOne: { filter: both(operation.deleteOne.filter, notAfter(position)) } };
  }
  if ('deleteMany' in operation) {
    return { deleteMany: { filter: both(operation.deleteMany.filter, notAfter(position)) } };
  }
  return operation;
}

/** Whether a DuplicateKey says that there is a newer document. */
export const isGuarded = (operation: Operation): boolean =>
  'insertOne' in operation || ('replaceOne' in operation && 'position' in operation.replaceOne.replacement);

const notAfter = (position: Position): Filter<StoredDocument> => ({ position: { $gt: position } });

const before = (position: Position): Filter<StoredDocument> => ({ position: { $gte: position } });

/** Documents without a position pass. */
const both = (filter: Filter<StoredDocument>, not: Filter<StoredDocument>): Filter<StoredDocument> => ({
  ...filter,
  $nor: [...asList(filter.$nor), not],
});

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
