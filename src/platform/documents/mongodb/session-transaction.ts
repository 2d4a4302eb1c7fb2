import { type ClientSession, MongoError, MongoErrorLabel, ReadPreference, type TransactionOptions } from 'mongodb';
import { BackOff } from '../../kernel/back-off.js';
import { DURABLE, type MongoConnection } from '../../mongodb/mongo-connection.js';
import { isInterrupted, NoAnswer } from '../../mongodb/mongo-failure.js';

/**
 * Read concern is the server's default, `local`: a snapshot would not see a collection that has just been created. A
 * commit by the majority covers its reads. It is not named, because some servers refuse it with some first commands.
 */
const TRANSACTION: TransactionOptions = {
  writeConcern: DURABLE,
  readPreference: ReadPreference.primary,
};

/** Longest time for repeating a commit of unknown outcome: ms. */
const COMMIT_BOUND = 30_000;
/**
 * Most repeats of a transaction of which nothing was stored. They wait 50 ms, 100 ms and so on: together for longer than a
 * process that is kept from writing waits until it ends the transactions of others (`WriterSession`).
 */
const MOST_REPEATS = 5;
/** Longest time that an abort delays the failure: ms. */
const ABORT_BOUND = 1000;

/**
 * Runs `work` once, in a transaction of MongoDB. A transaction that the server gave up fails, because a second run of
 * `work` might repeat its effects. Only the commit is repeated, which changes nothing.
 *
 * @param session has no transaction under way
 */
export async function inTransaction<T>(
  connection: MongoConnection,
  session: ClientSession,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  session.startTransaction(TRANSACTION);
  try {
    const result = await work(session);
    await commit(connection, session);
    return result;
  } catch (error) {
    if (session.inTransaction()) await abort(connection, session);
    throw error;
  }
}

/**
 * Repeats a transaction of which the server says that nothing is stored.
 *
 * @param transaction has no effects but in MongoDB
 * @param isRepeated tells by the failure whether it is repeated
 */
export async function repeatedIf<T>(
  isRepeated: (error: unknown) => boolean,
  transaction: () => Promise<T>,
): Promise<T> {
  const backOff = new BackOff();
  for (let repeats = 0; ; repeats++) {
    try {
      return await transaction();
    } catch (error) {
      if (!isRepeated(error) || repeats === MOST_REPEATS) throw error;
      await backOff.wait();
    }
  }
}

async function abort(connection: MongoConnection, session: ClientSession): Promise<void> {
  try {
    await connection.call(() => session.abortTransaction(), ABORT_BOUND);
  } catch {
    // The first error is reported. The server ends the transaction by its own clock.
  }
}

/**
 * Repeats a commit until the server tells its outcome: committed, or NoSuchTransaction if nothing is stored.
 *
 * @throws NoAnswer for a commit that is interrupted to the end: the caller must not take it for one that stored nothing
 */
async function commit(connection: MongoConnection, session: ClientSession): Promise<void> {
  const end = performance.now() + COMMIT_BOUND;
  const backOff = new BackOff();
  for (;;) {
    try {
      return await connection.call(() => session.commitTransaction());
    } catch (error) {
      if (!isUnknown(error)) throw error;
      if (performance.now() > end) {
        throw isInterrupted(error) ? new NoAnswer('the commit was interrupted each time', { cause: error }) : error;
      }
      await backOff.wait();
    }
  }
}

function isUnknown(error: unknown): boolean {
  if (error instanceof NoAnswer || isInterrupted(error)) return true;
  return error instanceof MongoError && error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult);
}
