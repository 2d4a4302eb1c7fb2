import {
  type ChangeStream,
  type ChangeStreamInsertDocument,
  type Collection,
  MongoServerError,
  type ResumeToken,
} from 'mongodb';
import type { JsonObject } from '../../kernel/json.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';

/** Milliseconds for which the server waits for a message before it answers without one. */
const AWAIT = 1000;
/** Milliseconds for the first read, which waits for the answer alone. */
const FIRST_AWAIT = 1;

/** Error codes after which a stream cannot be resumed: the oplog does not reach back, or the collection was dropped. */
const NO_WAY_BACK = { InvalidResumeToken: 260, ChangeStreamFatalError: 280, ChangeStreamHistoryLost: 286 };

type Insert = ChangeStreamInsertDocument<BusMessage>;
type Stream = ChangeStream<BusMessage, Insert>;

/** The server has ended the stream because the collection was dropped. */
class StreamEnded extends Error {}

/**
 * Messages of other processes in the order of the oplog, which is each publisher's order: it writes one batch after the
 * other.
 */
export class ChangeStreamSource {
  private stream: Stream | null = null;
  /** The message that the opening read has found. */
  private first: Insert | null = null;
  private resumeToken: ResumeToken | undefined;

  /**
   * @param own id of this process, whose messages are left out
   * @param gap called when messages may have been missed
   */
  constructor(
    private readonly connection: MongoConnection,
    private readonly messages: BusMessages,
    private readonly own: string,
    private readonly gap: () => void,
  ) {}

  /**
   * Opens the stream: no message that is published after it resolves is missed. A short read confirms the stream and
   * its position, from which `next` goes on.
   */
  async open(): Promise<void> {
    const opening = this.watch(FIRST_AWAIT);
    this.first = await this.read(opening);
    this.forget(opening);
    this.stream = this.watch(AWAIT);
  }

  /**
   * Reads the messages since the last call; waits a little if there are none.
   *
   * @throws the failure that keeps it from hearing: call again later
   */
  async next(): Promise<readonly BusMessage[]> {
    if (!this.stream) await this.openAgain();
    const { first, stream } = this;
    this.first = null;
    const change = first ?? (stream && (await this.read(stream)));
    return change ? [change.fullDocument] : [];
  }

  async close(): Promise<void> {
    if (this.stream) this.forget(this.stream);
  }

  /** Opens a stream where the last one ended. */
  private watch(maxAwaitTimeMS: number): Stream {
    const others = { operationType: 'insert', 'fullDocument._id.source': { $ne: this.own } };
    const resumed = this.resumeToken === undefined ? {} : { resumeAfter: this.resumeToken };
    return this.messages.watch<BusMessage, Insert>([{ $match: others }], { maxAwaitTimeMS, ...resumed });
  }

  private async openAgain(): Promise<void> {
    const isAnew = this.resumeToken === undefined;
    await this.open();
    if (!isAnew) return;
    this.gap();
    // The collection may be a new one.
    await haveThemExpire(this.connection, this.messages);
  }

  private async read(stream: Stream): Promise<Insert | null> {
    try {
      const change = await this.connection.call(() => stream.tryNext(), AWAIT + this.connection.callTimeout);
      if (change === null && stream.closed) throw new StreamEnded('the change stream of the bus has ended');
      this.resumeToken = stream.resumeToken ?? this.resumeToken;
      return change;
    } catch (error) {
      this.forget(stream);
      if (hasNoWayBack(error)) this.resumeToken = undefined;
      throw error;
    }
  }

  private forget(stream: Stream): void {
    this.stream = null;
    // The server drops its cursor by itself if it misses this.
    stream.close().catch(() => undefined);
  }
}

function hasNoWayBack(error: unknown): boolean {
  if (error instanceof StreamEnded) return true;
  if (!(error instanceof MongoServerError)) return false;
  return (
    Object.values(NO_WAY_BACK).includes(Number(error.code)) || error.hasErrorLabel('NonResumableChangeStreamError')
  );
}

/** A message as the collection holds it. */
export interface BusMessage {
  /** Id of the publishing process, and the number of the message among its messages. */
  readonly _id: { readonly source: string; readonly count: number };
  readonly topic: string;
  /** JSON text, so that MongoDB interprets nothing in it. */
  readonly message: string;
  /** Time by the publisher's clock. */
  readonly at: Date;
}

export type BusMessages = Collection<BusMessage>;

/** Seconds after which a message is removed. A listener that has missed it asks for its subject by then. */
const KEPT = 60;
/** `NamespaceNotFound`. */
const NO_SUCH_COLLECTION = 26;

export function busMessages(connection: MongoConnection): BusMessages {
  return connection.database.collection<BusMessage>('bus');
}

/** Creates the index that removes old messages if it is missing. A read-only user needs no right to. */
export async function haveThemExpire(connection: MongoConnection, messages: BusMessages): Promise<void> {
  if (await expire(connection, messages)) return;
  await connection.call(() => messages.createIndex({ at: 1 }, { expireAfterSeconds: KEPT }));
}

async function expire(connection: MongoConnection, messages: BusMessages): Promise<boolean> {
  try {
    const indexes = await connection.call(() => messages.indexes());
    return indexes.some(({ expireAfterSeconds }) => expireAfterSeconds === KEPT);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NO_SUCH_COLLECTION) return false;
    throw error;
  }
}

export function contentOf({ message }: BusMessage): JsonObject {
  return JSON.parse(message);
}
