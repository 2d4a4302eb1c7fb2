import {
  type AnyClientBulkWriteModel,
  type ClientBulkWriteResult,
  type ClientSession,
  type Document,
  MongoClientBulkWriteError,
  MongoServerError,
} from 'mongodb';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { violatedIndex } from '../../mongodb/mongo-failure.js';
import { DuplicateKey, type WriteResult } from '../document-store.js';
import type { NativeOperation } from './document-operations.js';

type Model = AnyClientBulkWriteModel<Document>;

/** Writes to one collection of MongoDB. */
export interface NativeWrites {
  /** As the port calls it. */
  readonly collection: string;
  /** The collection's name in MongoDB, with its database. */
  readonly namespace: string;
  readonly operations: readonly NativeOperation[];
}

const NOTHING: WriteResult = { matched: 0, modified: 0, inserted: 0, deleted: 0 };

/**
 * Writes to several collections in one command, in order (`bulkWrite`, since MongoDB 8.0).
 *
 * @returns what became of each collection's writes
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

function modelOf(namespace: string, operation: NativeOperation): Model {
  const [[name, what] = []] = Object.entries(operation);
  return { namespace, name, ...what } as Model;
}

/** What the driver says of a collection's own bulk write: the failure itself, or that of the one write that was refused. */
function refusedOf(error: unknown, writes: readonly NativeWrites[]): unknown {
  if (!(error instanceof MongoClientBulkWriteError)) return error;
  const [refused] = error.writeErrors;
  if (!refused) return error.cause ?? error;
  const [at, { message, code }] = refused;
  const own = new MongoServerError({ message, code });
  const violated = violatedIndex(own);
  const collections = writes.flatMap(({ collection, operations }) => operations.map(() => collection));
  return violated === null ? own : new DuplicateKey(collections[at] ?? '', violated);
}

/** Of the operations from one number up to another. */
function resultOf(
  { insertResults, updateResults, deleteResults }: ClientBulkWriteResult,
  from: number,
  until: number,
): WriteResult {
  let [matched, modified, inserted, deleted] = [0, 0, 0, 0];
  for (let at = from; at < until; at++) {
    const update = updateResults?.get(at);
    const upserted = Number(update?.didUpsert ?? false);
    // What was upserted counts as matched there.
    matched += (update?.matchedCount ?? 0) - upserted;
    modified += update?.modifiedCount ?? 0;
    inserted += upserted + Number(insertResults?.has(at) ?? false);
    deleted += deleteResults?.get(at)?.deletedCount ?? 0;
  }
  return { matched, modified, inserted, deleted };
}
