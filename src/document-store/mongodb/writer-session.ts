import { type Binary, type ClientSession, MongoServerError } from 'mongodb';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { passingReason } from '../../mongodb/mongo-failure.js';
import type { DatabaseRecord, DatabaseRecords } from './database-records.js';
import { inTransaction } from './session-transaction.js';

/** How long another's transaction may be in the way before it is taken for that of a dead process: ms. */
const PATIENCE = 1000;
const WRITE_CONFLICT = 112;

/**
 * The session of a database's transactions. A process that dies within one leaves it open, and MongoDB keeps what it has
 * written locked for up to a minute (`transactionLifetimeLimitSeconds`). So every process notes its session with the
 * database, and one that is kept from writing ends those of the others; a live one's transaction fails, and is repeated.
 */
export class WriterSession {
  private session: ClientSession | null = null;
  /** Since when every transaction has met another's. */
  private conflictSince: number | null = null;

  constructor(
    private readonly connection: MongoConnection,
    private readonly records: DatabaseRecords,
    private readonly record: DatabaseRecord,
  ) {}

  async transaction<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    const session = this.session ?? (await this.begin());
    try {
      const result = await inTransaction(this.connection, session, work);
      this.conflictSince = null;
      return result;
    } catch (error) {
      // A call may still be under way in it.
      if (passingReason(error) !== null) this.leave();
      if (error instanceof MongoServerError && error.code === WRITE_CONFLICT) await this.meetConflict();
      throw error;
    }
  }

  /** A write without a transaction, which waits as long as one is in its way. */
  async unhindered<T>(write: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => void this.endOthers(), PATIENCE);
    try {
      return await write();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the transactions of all processes but this one. */
  async endOthers(): Promise<void> {
    const own = this.session ? [idOf(this.session)] : [];
    try {
      const others = await this.records.sessions(this.record, own);
      if (others.length === 0) return;
      const killSessions = others.map((id) => ({ id }));
      await this.connection.call(() => this.connection.database.command({ killSessions }));
    } catch {
      // Some servers do not let their users: then the transaction ends by the server's clock.
    }
  }

  async close(): Promise<void> {
    const { session } = this;
    if (!session) return;
    this.session = null;
    try {
      await this.records.removeSession(this.record, idOf(session));
    } catch {
      // To be ended later by another process does no harm to a session that is at its end.
    }
    await session.endSession();
  }

  private async begin(): Promise<ClientSession> {
    const session = this.connection.startSession();
    // A transaction that is left open may hold the record too.
    await this.unhindered(() => this.records.addSession(this.record, idOf(session)));
    this.session = session;
    return session;
  }

  private leave(): void {
    void this.session?.endSession();
    this.session = null;
  }

  private async meetConflict(): Promise<void> {
    this.conflictSince ??= performance.now();
    if (performance.now() - this.conflictSince > PATIENCE) await this.endOthers();
  }
}

function idOf(session: ClientSession): Binary {
  const { id } = session.id ?? {};
  if (!id) throw new Error('the session has ended');
  return id;
}
