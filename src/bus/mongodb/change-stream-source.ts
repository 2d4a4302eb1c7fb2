import { type ChangeStream, type ChangeStreamInsertDocument, MongoServerError, type ResumeToken } from 'mongodb';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { type BusMessage, type BusMessages, haveThemExpire } from './bus-messages.js';
import type { MessageSource } from './message-source.js';

/** How long the server waits for a message before it answers that there is none: ms. */
const AWAIT = 1000;
/** The same where its answer is what is waited for. */
const FIRST_AWAIT = 1;

/** The oplog does not reach back to where a stream ended, or the collection was dropped. */
const NO_WAY_BACK = { InvalidResumeToken: 260, ChangeStreamFatalError: 280, ChangeStreamHistoryLost: 286 };

type Insert = ChangeStreamInsertDocument<BusMessage>;
type Stream = ChangeStream<BusMessage, Insert>;

/** The server has ended the stream: the collection was dropped. */
class StreamEnded extends Error {}

/** Inserts in the order of the oplog, which is that of each publisher: it writes one batch after the other. */
export class ChangeStreamSource implements MessageSource {
  private stream: Stream | null = null;
  /** What the read that opened the stream has found. */
  private first: Insert | null = null;
  private resumeToken: ResumeToken | undefined;

  /**
   * @param own the process itself, whose messages are left out
   * @param gap called when messages may have been missed
   */
  constructor(
    private readonly connection: MongoConnection,
    private readonly messages: BusMessages,
    private readonly own: string,
    private readonly gap: () => void,
  ) {}

  /** A short read says that there is a stream, and from where: what is heard later goes on from there. */
  async open(): Promise<void> {
    const opening = this.watch(FIRST_AWAIT);
    this.first = await this.read(opening);
    this.forget(opening);
    this.stream = this.watch(AWAIT);
  }

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

  /** From where the last one has ended. */
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
    // The collection may be another one.
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
    // The server forgets its cursor by itself where it does not hear of this.
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
