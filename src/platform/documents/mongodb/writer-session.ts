import {
  type Binary,
  type ClientSession,
  MongoError,
  MongoErrorLabel,
  ReadPreference,
  type TransactionOptions,
} from 'mongodb';
import { BackOff } from '../../kernel/back-off.js';
import { DURABLE, type MongoConnection } from '../../mongodb/mongo-connection.js';
import { isConflict, isInterrupted, NoAnswer, transientReason } from '../../mongodb/mongo-failure.js';
import type { DatabaseRecord, DatabaseRecords } from './database-records.js';

/** A transaction in the way for longer is taken for a dead process's: ms. */
const PATIENCE = 1000;

/**
 * The session of a database's transactions. A process that dies leaves its transaction open, and MongoDB keeps the
 * written documents locked for up to a minute (`transactionLifetimeLimitSeconds`). So every process records its session
 * with the database, and a process that is kept from writing ends the others' sessions. A live process's transaction
 * then fails, and is repeated.
 */
export class WriterSession {
  private session: ClientSession | null = null;
  /** The time since which every transaction has met a conflict; null after a success. */
  private conflictSince: number | null = null;

  constructor(
    private readonly connection: MongoConnection,
    private readonly records: DatabaseRecords,
    private readonly record: DatabaseRecord,
    /** Another session of this process that writes the database. */
    private readonly alsoOwn: () => Binary | null = () => null,
  ) {}

  async transaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    const session = this.session ?? (await this.begin());
    try {
      const result = await inTransaction(this.connection, session, work);
      this.conflictSince = null;
      return result;
    } catch (error) {
      // A call may still be under way in the session.
      if (transientReason(error) !== null) this.abandonSession();
      if (isConflict(error)) await this.meetConflict();
      throw error;
    }
  }

  /** Runs a write without a transaction, which waits for transactions that are in its way. */
  async unhindered<T>(write: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => void this.endOthers(), PATIENCE);
    try {
      return await write();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the transactions of all other processes. */
  async endOthers(): Promise<void> {
    const own = [this.session && idOf(this.session), this.alsoOwn()].filter((id) => id !== null);
    try {
      const others = await this.records.sessions(this.record, own);
      if (others.length === 0) return;
      const killSessions = others.map((id) => ({ id }));
      await this.connection.call(() => this.connection.database.command({ killSessions }));
    } catch {
      // Some servers do not permit it: then the transaction ends by the server's clock.
    }
  }

  async close(): Promise<void> {
    const { session } = this;
    if (!session) return;
    this.session = null;
    try {
      await this.records.removeSession([this.record], idOf(session));
    } catch {
      // Another process may end the session later, which does no harm.
    }
    await retire(session);
  }

  private async begin(): Promise<ClientSession> {
    const session = this.connection.startSession();
    // An open transaction of a dead process may lock the record, too.
    await this.unhindered(() => this.records.addSession([this.record], idOf(session)));
    this.session = session;
    return session;
  }

  private abandonSession(): void {
    if (this.session) void retire(this.session);
    this.session = null;
  }

  private async meetConflict(): Promise<void> {
    this.conflictSince ??= performance.now();
    if (performance.now() - this.conflictSince > PATIENCE) await this.endOthers();
  }
}

/**
 * Ends a session for good. The driver would use it again for single commands, which other processes would then interrupt:
 * they end all recorded sessions.
 */
export async function retire(session: ClientSession): Promise<void> {
  session.serverSession.isDirty = true;
  await session.endSession();
}

export function idOf(session: ClientSession): Binary {
  const { id } = session.id ?? {};
  if (!id) throw new Error('the session has ended');
  return id;
}

/**
 * Read concern is the server's default, `local`: a snapshot would not see a collection that has just been created. A
 * commit by the majority covers its reads. It is not named, because some servers refuse it with some first commands.
 */
const TRANSACTION: TransactionOptions = { writeConcern: DURABLE, readPreference: ReadPreference.primary };

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
