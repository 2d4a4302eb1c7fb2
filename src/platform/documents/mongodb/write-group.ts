import type { Binary, ClientSession } from 'mongodb';
import { BatchQueue } from '../../mongodb/batch-queue.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { isConflict, isEnded, transientReason } from '../../mongodb/mongo-failure.js';
import type { WriteResult } from '../document-store.js';
import type { DatabaseRecord, DatabaseRecords } from './database-records.js';
import type { PreparedWrite } from './prepared-write.js';
import { inTransaction } from './session-transaction.js';
import { idOf, retire } from './writer-session.js';

/** Sends several databases' writes in one transaction. */
export type SendTogether = (
  writes: readonly PreparedWrite[],
  session: ClientSession,
) => Promise<readonly (readonly WriteResult[])[]>;

type Outcome = PromiseSettledResult<readonly WriteResult[]>;

/** Most writes in one transaction of several databases. */
const MOST_DATABASES = 16;
/** Operations of a write. Larger writes gain nothing by waiting for others. */
export const MOST_IN_GROUP = 100;

/**
 * Commits the small writes that databases ask for at the same moment in one transaction, because a commit costs as much
 * as several writes. If one of them cannot be stored, each is tried by itself.
 */
export class WriteGroup {
  private readonly writes = new BatchQueue<PreparedWrite, Outcome>((writes) => this.store(writes), MOST_DATABASES);
  private session: ClientSession | null = null;
  /** Incarnations of the databases with which the session is noted: see WriterSession. */
  private readonly noted = new Map<string, DatabaseRecord>();

  constructor(
    private readonly connection: MongoConnection,
    private readonly records: DatabaseRecords,
    private readonly send: SendTogether,
  ) {}

  async add(write: PreparedWrite): Promise<readonly WriteResult[]> {
    if (!write.isSmall) return write.alone();
    const outcome = await this.writes.add(write);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /** null before the first transaction. */
  sessionId(): Binary | null {
    return this.session && idOf(this.session);
  }

  async close(): Promise<void> {
    const { session } = this;
    if (!session) return;
    this.session = null;
    try {
      await this.records.removeSession([...this.noted.values()], idOf(session));
    } catch {
      // Another process may end the session later, which does no harm.
    }
    await retire(session);
  }

  private async store(writes: readonly PreparedWrite[]): Promise<readonly Outcome[]> {
    if (writes.length === 1) return Promise.allSettled(writes.map((write) => write.alone()));
    try {
      const session = await this.sessionFor(writes);
      const results = await inTransaction(this.connection, session, () => this.send(writes, session));
      for (const write of writes) write.stored();
      return results.map((value) => ({ status: 'fulfilled', value }));
    } catch (error) {
      if (transientReason(error) !== null) this.abandonSession();
      if (isAway(error)) throw error;
      return Promise.allSettled(writes.map((write) => write.alone()));
    }
  }

  private async sessionFor(writes: readonly PreparedWrite[]): Promise<ClientSession> {
    this.session ??= this.connection.startSession();
    const { session } = this;
    const fresh = writes.map(({ record }) => record).filter(({ incarnation }) => !this.noted.has(incarnation));
    if (fresh.length > 0) {
      await this.records.addSession(fresh, idOf(session));
      for (const record of fresh) this.noted.set(record.incarnation, record);
    }
    return session;
  }

  /** A call may still be under way in the session. */
  private abandonSession(): void {
    if (this.session) void retire(this.session);
    this.session = null;
    this.noted.clear();
  }
}

/** Each write by itself would fail in the same way. */
const isAway = (error: unknown): boolean => transientReason(error) !== null && !isEnded(error) && !isConflict(error);
