import type { Binary, ClientSession } from 'mongodb';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { isConflict, transientReason } from '../../mongodb/mongo-failure.js';
import type { DatabaseRecord, DatabaseRecords } from './database-records.js';
import { inTransaction } from './session-transaction.js';

/** A transaction in the way for longer is taken for a dead process's: ms. */
const PATIENCE = 1000;

/**
 * The session of a database's transactions. A process that dies leaves its transaction open, and MongoDB keeps the
 * written documents locked for up to a minute (`transactionLifetimeLimitSeconds`). So every process notes its session
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
 * they end all noted sessions.
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
