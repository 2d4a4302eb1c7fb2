import { randomUUID } from 'node:crypto';
import { BackOff } from '../../kernel/back-off.js';
import type { JsonObject } from '../../kernel/json.js';
import { BatchQueue } from '../../mongodb/batch-queue.js';
import type { MongoConnection } from '../../mongodb/mongo-connection.js';
import { passingReason } from '../../mongodb/mongo-failure.js';
import { type Bus, BusUnavailable } from '../bus.js';
import { Listeners, type ReportFailure, warn } from '../listeners.js';
import { type BusMessage, type BusMessages, busMessages, contentOf, haveThemExpire } from './bus-messages.js';
import { ChangeStreamSource } from './change-stream-source.js';
import type { MessageSource } from './message-source.js';
import { PollingSource } from './polling-source.js';

const FORMAT = 1;
/** Messages in one write. */
const MOST_AT_ONCE = 500;

/** A collection whose documents expire, followed by a change stream, or by polling where the server has none. */
export class MongoBus implements Bus {
  /** Of this process, or of this bus where a process has several. */
  private readonly own = randomUUID();
  private readonly listeners: Listeners;
  private readonly messages: BusMessages;
  private readonly source: MessageSource;
  private readonly writes = new BatchQueue<BusMessage, undefined>((messages) => this.write(messages), MOST_AT_ONCE);
  private count = 0;
  private readonly closing = new AbortController();

  private constructor(
    private readonly connection: MongoConnection,
    private readonly failed: ReportFailure,
    polls: boolean,
  ) {
    this.listeners = new Listeners(failed);
    this.messages = busMessages(connection);
    const Source = polls ? PollingSource : ChangeStreamSource;
    this.source = new Source(connection, this.messages, this.own, () => this.listeners.tellGap());
  }

  /**
   * From when it resolves, nothing that others publish is missed.
   *
   * @param failed told what a listener threw, and what keeps it from hearing the others
   * @param options `polls`: does without change streams; as it must where the server has none
   * @throws StartRefused
   */
  static async open(
    connection: MongoConnection,
    failed: ReportFailure = warn,
    { polls = !connection.hasTransactions } = {},
  ): Promise<MongoBus> {
    const bus = new MongoBus(connection, failed, polls);
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
      throw new BusUnavailable(`bus: ${passingReason(error) ?? String(error)}`, { cause: error });
    }
  }

  subscribe(topic: string, listener: (message: JsonObject) => void): () => void {
    return this.listeners.add(topic, listener);
  }

  onGap(listener: () => void): () => void {
    return this.listeners.addOnGap(listener);
  }

  /** What was published before is on its way; a wait for others' messages ends by itself. */
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
