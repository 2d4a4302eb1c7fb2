import { type ClientSession, MongoError, MongoErrorLabel, ReadPreference, type TransactionOptions } from 'mongodb';
import { BackOff } from '../../kernel/back-off.js';
import { DURABLE, type MongoConnection } from '../../mongodb/mongo-connection.js';
import { NoAnswer } from '../../mongodb/mongo-failure.js';

/**
 * Read concern is the server's own, `local`: a snapshot would not see a collection that has just been made; what a
 * majority takes over was read from one. It is not named, because not every server takes it with every first command.
 */
const TRANSACTION: TransactionOptions = {
  writeConcern: DURABLE,
  readPreference: ReadPreference.primary,
};

/** How long a commit without an answer is asked for again: ms. */
const COMMIT_BOUND = 30_000;
/** How long the failure waits to be told: ms. */
const ABORT_BOUND = 1000;

/**
 * Runs `work` once, in a transaction of MongoDB: it may have effects that a second run would repeat, so a transaction
 * that the server gave up fails. Only the commit, of which a repeat changes nothing, is asked for again.
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

async function abort(connection: MongoConnection, session: ClientSession): Promise<void> {
  try {
    await connection.call(() => session.abortTransaction(), ABORT_BOUND);
  } catch {
    // What made the transaction fail is the error to tell; the server ends it by its own clock.
  }
}

async function commit(connection: MongoConnection, session: ClientSession): Promise<void> {
  const end = performance.now() + COMMIT_BOUND;
  const backOff = new BackOff();
  for (;;) {
    try {
      return await connection.call(() => session.commitTransaction());
    } catch (error) {
      if (!isUnknown(error) || performance.now() > end) throw error;
      await backOff.wait();
    }
  }
}

function isUnknown(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  return error instanceof MongoError && error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult);
}
