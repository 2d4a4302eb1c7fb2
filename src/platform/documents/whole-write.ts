import type { EventPlace } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import type {
  BulkOperation,
  CollectionWrites,
  DocumentTransaction,
  StoredDocument,
  WriteResult,
} from './document-store.js';

/** A transaction's writes, all known before it begins. */
export interface WholeWrite {
  /** Written in order. */
  readonly writes: readonly CollectionWrites[];
  /** Stored with the writes; absent: the checkpoint stays. */
  readonly checkpoint?: Position;
  /** The newest event known to lie at or before the checkpoint; absent: the stored event stays. */
  readonly event?: EventPlace;
  /** Comes before the writes. It must match a document, or nothing is stored. */
  readonly condition?: WriteCondition;
}

export interface WriteCondition {
  readonly collection: string;
  readonly operation: BulkOperation<StoredDocument>;
}

/** The condition of a write matched no document. Nothing was stored. */
export class ConditionFailed extends Error {
  constructor(database: string) {
    super(`the condition of a write to ${database} does not hold`);
    this.name = 'ConditionFailed';
  }
}

/** All of the writes, the condition's included. */
export function allWrites({ condition, writes }: WholeWrite): readonly CollectionWrites[] {
  if (!condition) return writes;
  return [{ collection: condition.collection, operations: [condition.operation] }, ...writes];
}

/**
 * The results of a write without its condition's.
 * @param results of `allWrites`
 * @throws ConditionFailed
 */
export function resultsOf(
  { condition }: WholeWrite,
  database: string,
  results: readonly WriteResult[],
): readonly WriteResult[] {
  if (!condition) return results;
  if (results[0]?.matched === 0) throw new ConditionFailed(database);
  return results.slice(1);
}

/** Runs a whole write in a transaction of its own. @throws ConditionFailed, DuplicateKey */
export async function writeIn(
  transaction: DocumentTransaction,
  database: string,
  write: WholeWrite,
): Promise<readonly WriteResult[]> {
  return resultsOf(write, database, await transaction.writeAll(allWrites(write), write.checkpoint, write.event));
}
