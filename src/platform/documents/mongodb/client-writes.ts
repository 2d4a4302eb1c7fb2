import {
  type AnyClientBulkWriteModel,
  type BulkWriteResult,
  type ClientBulkWriteResult,
  type ClientSession,
  type Document,
  MongoClientBulkWriteError,
  MongoServerError,
} from 'mongodb';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { isDuplicateKey } from '../../mongodb/mongo-failure.js';
import { DuplicateKey, type WriteResult } from '../document-store.js';
import type { NativeDocument, NativeOperation } from './document-operations.js';

type Model = AnyClientBulkWriteModel<Document>;

/** Writes to one collection of MongoDB. */
export interface NativeWrites {
  /** Name in the port. */
  readonly collection: string;
  /** Name in MongoDB, with the database. */
  readonly namespace: string;
  readonly operations: readonly NativeOperation[];
}

const NOTHING: WriteResult = { matched: 0, modified: 0, inserted: 0, deleted: 0 };

/**
 * Writes to several collections in one command, in order (`bulkWrite`, since MongoDB 8.0).
 *
 * @returns the result of each collection's writes
 * @throws DuplicateKey
 */
export async function writeTogether(
  connection: MongoConnection,
  writes: readonly NativeWrites[],
  session: ClientSession,
): Promise<readonly WriteResult[]> {
  const models = writes.flatMap(({ namespace, operations }) =>
    operations.map((operation) => modelOf(namespace, operation)),
  );
  if (models.length === 0) return writes.map(() => NOTHING);
  const result = await connection
    .call(
      () => connection.bulkWrite(models, { session, ordered: true, verboseResults: true }),
      connection.batchTimeout(models.length),
    )
    .catch((error: unknown) => {
      throw refusedOf(error, writes);
    });
  let from = 0;
  return writes.map(({ operations }) => {
    const until = from + operations.length;
    const own = resultOf(result, from, until);
    from = until;
    return own;
  });
}

/** Writes to several collections with a command or more for each, in order. */
export async function writeOneByOne(
  connection: MongoConnection,
  writes: readonly NativeWrites[],
  session: ClientSession,
): Promise<readonly WriteResult[]> {
  const results: WriteResult[] = [];
  for (const { collection, namespace, operations } of writes) {
    const stored = connection.database.collection<NativeDocument>(namespace.slice(namespace.indexOf('.') + 1));
    const write = () => stored.bulkWrite([...operations], { ordered: true, session });
    if (operations.length === 0) results.push(NOTHING);
    else
      results.push(
        await connection.call(write, connection.batchTimeout(operations.length)).then(writeResult, (error: unknown) => {
          throw isDuplicateKey(error) ? new DuplicateKey(collection) : error;
        }),
      );
  }
  return results;
}

export const writeResult = (result: BulkWriteResult): WriteResult => ({
  matched: result.matchedCount,
  modified: result.modifiedCount,
  inserted: result.insertedCount + result.upsertedCount,
  deleted: result.deletedCount,
});

function modelOf(namespace: string, operation: NativeOperation): Model {
  const [[name, what] = []] = Object.entries(operation);
  return { namespace, name, ...what } as Model;
}

/** The error that a collection's own bulk write would throw: the failure itself, or the refused write's error. */
function refusedOf(error: unknown, writes: readonly NativeWrites[]): unknown {
  if (!(error instanceof MongoClientBulkWriteError)) return error;
  const [refused] = error.writeErrors;
  if (!refused) return error.cause ?? error;
  const [at, { message, code }] = refused;
  const own = new MongoServerError({ message, code });
  const collections = writes.flatMap(({ collection, operations }) => operations.map(() => collection));
  return isDuplicateKey(own) ? new DuplicateKey(collections[at] ?? '') : own;
}

/** The result of the operations numbered from `from`, before `until`. */
function resultOf(
  { insertResults, updateResults, deleteResults }: ClientBulkWriteResult,
  from: number,
  until: number,
): WriteResult {
  let [matched, modified, inserted, deleted] = [0, 0, 0, 0];
  for (let at = from; at < until; at++) {
    const update = updateResults?.get(at);
    const upserted = Number(update?.didUpsert ?? false);
    // MongoDB counts an upserted document as matched.
    matched += (update?.matchedCount ?? 0) - upserted;
    modified += update?.modifiedCount ?? 0;
    inserted += upserted + Number(insertResults?.has(at) ?? false);
    deleted += deleteResults?.get(at)?.deletedCount ?? 0;
  }
  return { matched, modified, inserted, deleted };
}
