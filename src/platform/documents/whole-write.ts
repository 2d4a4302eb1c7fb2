import {
  type CollectionWrites,
  ConditionFailed,
  type DocumentTransaction,
  type WholeWrite,
  type WriteResult,
} from './document-store.js';

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
