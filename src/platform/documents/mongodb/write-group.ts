import type { Binary, ClientSession } from 'mongodb';
import { BatchQueue } from '../../mongodb/batch-queue.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { isConflict, isEnded, transientReason } from '../../mongodb/mongo-failure.js';
import { DocumentStoreUnavailable, type WholeWrite, type WriteResult } from '../document-store.js';
import { resultsOf } from '../whole-write.js';
import { type NativeWrites, writeOneByOne, writeTogether } from './client-writes.js';
import type { CheckpointMove, DatabaseRecord, DatabaseRecords } from './database-records.js';
import { bytesOf } from './document-operations.js';
import { idOf, inTransaction, retire } from './writer-session.js';

/** Sends several databases' writes in one transaction. */
type SendTogether = (
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
  /** Incarnations of the databases that record the session: see WriterSession. */
  private readonly recorded = new Map<string, DatabaseRecord>();

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
      await this.records.removeSession([...this.recorded.values()], idOf(session));
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
    const fresh = writes.map(({ record }) => record).filter(({ incarnation }) => !this.recorded.has(incarnation));
    if (fresh.length > 0) {
      await this.records.addSession(fresh, idOf(session));
      for (const record of fresh) this.recorded.set(record.incarnation, record);
    }
    return session;
  }

  /** A call may still be under way in the session. */
  private abandonSession(): void {
    if (this.session) void retire(this.session);
    this.session = null;
    this.recorded.clear();
  }
}

/** Each write by itself would fail in the same way. */
const isAway = (error: unknown): boolean => transientReason(error) !== null && !isEnded(error) && !isConflict(error);

const MOST_BYTES = 256 * 1024;

/** A write of one database, which may share a transaction with others. */
export class PreparedWrite {
  /** Whether the documents are known, and far from the limits of a transaction. */
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
