import { randomUUID } from 'node:crypto';
import { BackOff } from '../../kernel/back-off.js';
import type { JsonObject } from '../../kernel/json.js';
import { BatchQueue } from '../../mongodb/batch-queue.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { transientReason } from '../../mongodb/mongo-failure.js';
import { type Bus, BusUnavailable, Listeners, type ReportFailure, warn } from '../bus.js';
import {
  type BusMessage,
  type BusMessages,
  busMessages,
  ChangeStreamSource,
  contentOf,
  haveThemExpire,
} from './change-stream-source.js';

const FORMAT = 1;
/** Most messages in one write. */
const MOST_AT_ONCE = 500;

/** A bus over a collection whose documents expire, followed by a change stream. */
export class MongoBus implements Bus {
  /** Id of this bus; a process may have several. */
  private readonly own = randomUUID();
  private readonly listeners: Listeners;
  private readonly messages: BusMessages;
  private readonly source: ChangeStreamSource;
  private readonly writes = new BatchQueue<BusMessage, undefined>((messages) => this.write(messages), MOST_AT_ONCE);
  private count = 0;
  private readonly closing = new AbortController();

  private constructor(
    private readonly connection: MongoConnection,
    private readonly failed: ReportFailure,
  ) {
    this.listeners = new Listeners(failed);
    this.messages = busMessages(connection);
    this.source = new ChangeStreamSource(connection, this.messages, this.own, () => this.listeners.tellGap());
  }

  /**
   * Opens the bus: no message of others that is published after it resolves is missed.
   *
   * @param failed called with errors of listeners and failures to hear other processes
   * @throws StartRefused
   */
  static async open(connection: MongoConnection, failed: ReportFailure = warn): Promise<MongoBus> {
    const bus = new MongoBus(connection, failed);
    await connection.claimFormat('bus', FORMAT);
    await connection.starting(async () => {
      await haveThemExpire(connection, bus.messages);
      await bus.source.open();
    });
    void bus.listen();
    return bus;
  }

  async publish(topic: string, message: JsonObject): Promise<void> {
    if (this.closing.signal.aborted) throw new BusUnavailable('the bus is closed');
    this.listeners.tell(topic, message);
    const _id = { source: this.own, count: ++this.count };
    try {
      await this.writes.add({ _id, topic, message: JSON.stringify(message), at: new Date() });
    } catch (error) {
      throw new BusUnavailable(`bus: ${transientReason(error) ?? String(error)}`, { cause: error });
    }
  }

  subscribe(topic: string, listener: (message: JsonObject) => void): () => void {
    return this.listeners.add(topic, listener);
  }

  onGap(listener: () => void): () => void {
    return this.listeners.addOnGap(listener);
  }

  /** Waits until earlier messages are on their way; a wait for others' messages ends by itself. */
  async close(): Promise<void> {
    this.closing.abort();
    this.listeners.clear();
    await this.source.close();
    await this.writes.idle();
  }

  private async listen(): Promise<void> {
    const backOff = new BackOff();
    const { signal } = this.closing;
    let isAway = false;
    while (!signal.aborted) {
      try {
        this.tell(await this.source.next());
        backOff.reset();
        isAway = false;
      } catch (error) {
        if (signal.aborted) return;
        if (!isAway) this.failed(error);
        isAway = true;
        await backOff.wait(signal);
      }
    }
  }

  private tell(messages: readonly BusMessage[]): void {
    for (const message of messages) this.listeners.tell(message.topic, contentOf(message));
  }

  private async write(messages: readonly BusMessage[]): Promise<readonly undefined[]> {
    await this.connection.call(() => this.messages.insertMany(messages, { ordered: true }));
    return [];
  }
}
