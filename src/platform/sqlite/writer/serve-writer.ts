import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { emptyWriteAheadLog, type SqliteConnection, sqliteCode } from '../driver.js';
import { type FromWriter, type Stored, type ToWriter, WriterRefused } from './writer-protocol.js';

/** Applies the requests of one kind of file. Runs in the writer's thread, one group at a time. */
export interface GroupWriter<Request, Outcome> {
  readonly connection: SqliteConnection;
  /** Runs inside the group's transaction. An error fails the whole group: a request's own failure is an outcome. */
  apply(request: Request): Outcome;
  /** Forgets everything remembered from the group: its transaction is undone. */
  rolledBack(): void;
  /** Runs once the group is on disk, before its requests are answered. @returns the answers */
  finish?(outcomes: readonly Outcome[]): readonly Outcome[];
  /** Frees everything that `open` took, the connection included. */
  close(): void;
}

/** Bounds the wait of a group's first request for its last. */
const MOST_IN_A_GROUP = 1000;

/** The body of a writer's thread. Requests queued during a commit share the next commit. */
export function serveWriter<Data, Request, Outcome>(open: (data: Data) => GroupWriter<Request, Outcome>): void {
  if (!parentPort) throw new Error('a writer runs in a thread of its own');
  const port = parentPort;
  const tell = (message: FromWriter<Outcome>) => port.postMessage(message);

  let writer: GroupWriter<Request, Outcome>;
  try {
    writer = open(workerData as Data);
  } catch (error) {
    const reason = error instanceof WriterRefused ? error.reason : null;
    tell({ kind: 'refused', error: { reason, message: messageOf(error) } });
    port.close();
    return;
  }

  port.on('message', (first: ToWriter<Request>) => {
    const inbox = new Inbox(port, first);
    for (let group = inbox.next(); group.length > 0; group = inbox.next()) {
      tell(commit(writer, group));
    }
    if (inbox.closing) {
      port.close();
      writer.close();
    }
  });
  tell({ kind: 'ready' });
}

/** Takes all messages that have arrived, without a turn of the event loop between two commits. */
class Inbox<Request> {
  closing = false;
  private waiting: Request[] = [];

  constructor(
    private readonly port: MessagePort,
    first: ToWriter<Request>,
  ) {
    this.receive(first);
  }

  next(): readonly Request[] {
    for (let received = receiveMessageOnPort(this.port); received; received = receiveMessageOnPort(this.port)) {
      this.receive(received.message as ToWriter<Request>);
    }
    const group = this.waiting.slice(0, MOST_IN_A_GROUP);
    this.waiting = this.waiting.slice(MOST_IN_A_GROUP);
    return group;
  }

  private receive(message: ToWriter<Request>): void {
    if (message.kind === 'close') this.closing = true;
    else this.waiting.push(...message.requests);
  }
}

function commit<Request, Outcome>(
  writer: GroupWriter<Request, Outcome>,
  group: readonly Request[],
): FromWriter<Outcome> {
  const { connection } = writer;
  let stage: 'applying' | 'committing' | 'committed' = 'applying';
  try {
    connection.exec('BEGIN IMMEDIATE');
    const outcomes = group.map((request) => writer.apply(request));
    stage = 'committing';
    const begun = performance.now();
    connection.exec('COMMIT');
    const seconds = (performance.now() - begun) / 1000;
    stage = 'committed';
    return { kind: 'committed', outcomes: writer.finish?.(outcomes) ?? outcomes, seconds };
  } catch (error) {
    let stored: Stored = 'unknown';
    if (stage !== 'committed') {
      undo(connection);
      writer.rolledBack();
      if (stage === 'applying' || isUndone(connection, error)) stored = 'no';
    }
    return { kind: 'failed', count: group.length, message: messageOf(error), stored };
  }
}

function undo(connection: SqliteConnection): void {
  try {
    connection.exec('ROLLBACK');
  } catch (error) {
    // After some errors SQLite has ended the transaction itself: there is nothing to roll back.
    if (!/no transaction is active/.test(messageOf(error))) throw error;
  }
}

/**
 * Whether no restart can find the commit. A commit becomes valid by its last frame: if frames could not be written, it
 * is not valid. If they were written and a sync failed, the frame may be in the file until the file is emptied.
 */
function isUndone(connection: SqliteConnection, error: unknown): boolean {
  if (['SQLITE_FULL', 'SQLITE_IOERR_WRITE'].includes(sqliteCode(error) ?? '')) return true;
  return emptyWriteAheadLog(connection) === 'emptied';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
