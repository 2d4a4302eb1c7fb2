import { BSON } from 'mongodb';
import { TransactionTooLarge } from '../document-store.js';
import type { NativeOperation } from './document-operations.js';

/** Most bytes of BSON in a transaction. MongoDB refuses 16 MB, and counts what it adds for indexes and its oplog. */
export const MOST_BYTES = 8 * 1024 * 1024;
/** Bytes that may come on top of the largest write: one write is never refused for its size, only many together. */
const BESIDES = 64 * 1024;
/** The oplog names each document and its collection. */
const BYTES_OF_ENTRY = 100;

/** The bytes that a transaction writes. */
export class TransactionSize {
  private bytes = 0;
  private largest = 0;

  constructor(private readonly database: string) {}

  /** @throws TransactionTooLarge before anything of these operations is written */
  add(operations: readonly NativeOperation[]): void {
    for (const operation of operations) {
      const bytes = bytesOf(operation);
      this.bytes += bytes;
      this.largest = Math.max(this.largest, bytes);
    }
    if (this.bytes > MOST_BYTES && this.bytes - this.largest > BESIDES) {
      throw new TransactionTooLarge(this.database, MOST_BYTES);
    }
  }
}

export function bytesOf(operation: NativeOperation): number {
  if ('insertOne' in operation) return BYTES_OF_ENTRY + BSON.calculateObjectSize(operation.insertOne.document);
  if ('replaceOne' in operation) return BYTES_OF_ENTRY + BSON.calculateObjectSize(operation.replaceOne.replacement);
  if ('updateOne' in operation) return BYTES_OF_ENTRY + BSON.calculateObjectSize(operation.updateOne.update);
  if ('updateMany' in operation) {
    const { filter, update } = operation.updateMany;
    return idsIn(filter) * (BYTES_OF_ENTRY + BSON.calculateObjectSize(update));
  }
  return 'deleteMany' in operation ? idsIn(operation.deleteMany.filter) * BYTES_OF_ENTRY : BYTES_OF_ENTRY;
}

/** Number of documents that a filter names by ids; 1 for any other filter. */
function idsIn(filter: object): number {
  const { _id } = filter as { readonly _id?: { readonly $in?: unknown } };
  return Array.isArray(_id?.$in) ? _id.$in.length : 1;
}
