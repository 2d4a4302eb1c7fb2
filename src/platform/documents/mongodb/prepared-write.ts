import type { ClientSession } from 'mongodb';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { DocumentStoreUnavailable, type WholeWrite, type WriteResult } from '../document-store.js';
import { resultsOf } from '../whole-write.js';
import { type NativeWrites, writeOneByOne, writeTogether } from './client-writes.js';
import type { CheckpointMove, DatabaseRecord, DatabaseRecords } from './database-records.js';
import { bytesOf } from './transaction-size.js';

const MOST_BYTES = 256 * 1024;

/** A write of one database, which may share a transaction with others. */
export class PreparedWrite {
  /** Its documents are known, and far from the limits of a transaction. */
  readonly isSmall: boolean;

  constructor(
    readonly record: DatabaseRecord,
    readonly write: WholeWrite,
    /** The writes in MongoDB's terms, the condition's included; null if they are not known before the transaction. */
    readonly native: readonly NativeWrites[] | null,
    readonly move: CheckpointMove | null,
    private readonly writeAlone: (isSmall: boolean) => Promise<readonly WriteResult[]>,
    /** Called when the write is stored with others. */
    readonly stored: () => void,
  ) {
    const operations = native?.flatMap((each) => each.operations) ?? [];
    this.isSmall = native !== null && operations.reduce((sum, each) => sum + bytesOf(each), 0) <= MOST_BYTES;
  }

  /** Writes in a transaction of its own. */
  alone(): Promise<readonly WriteResult[]> {
    return this.writeAlone(this.isSmall);
  }
}

/**
 * Writes to several databases within a transaction, in one command if the server has it. The checkpoints come last, and
 * together.
 * @throws ConditionFailed, DuplicateKey, DocumentStoreUnavailable: the transaction must fail with it
 */
export async function sendTogether(
  connection: MongoConnection,
  records: DatabaseRecords,
  writes: readonly PreparedWrite[],
  session: ClientSession,
): Promise<readonly (readonly WriteResult[])[]> {
  const moves = writes.flatMap(({ record, move }) => (move ? [{ record, move }] : []));
  const native = [...writes.flatMap((write) => write.native ?? []), records.checkpointWrites(moves)];
  const send = connection.writesTogether ? writeTogether : writeOneByOne;
  const results = await send(connection, native, session);
  if (results.at(-1)?.matched !== moves.length) throw new DocumentStoreUnavailable('a checkpoint has moved');
  let from = 0;
  return writes.map(({ native: own, write, record }) => {
    const until = from + (own?.length ?? 0);
    const some = results.slice(from, until);
    from = until;
    return resultsOf(write, record._id, some);
  });
}
