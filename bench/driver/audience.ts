import type { EventBatch, MessageEvent, Registration } from './answers.js';
import { Connection } from './connection.js';
import { type Account, requestOf, successOf } from './request.js';

/** Milliseconds after which a message counts as lost. */
const PATIENCE = 30_000;

/** Queues that are registered at once: few, since a rush of registrations is not measured. */
const REGISTRATIONS_AT_ONCE = 16;

/** One message's times, in milliseconds on this process's clock. */
export type Delivery = { readonly sentAt: number; readonly arrivals: readonly number[] };

/** A client that polls its queue, and polls again as soon as an event has come. */
class Poller {
  #lastEventId = -1;
  #queueId = '';
  #stopped = false;
  #connection: Connection | undefined;
  #polling: Promise<void> | undefined;

  constructor(
    private readonly port: number,
    private readonly account: Account,
    private readonly onMessage: (event: MessageEvent, at: number) => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  async register() {
    const wanted = { event_types: '["message"]', fetch_event_types: '["message"]', apply_markdown: 'false' };
    // Servers close connections that ask for nothing for long.
    const connection = await Connection.open(this.port);
    this.#connection = connection;
    const { queue_id, last_event_id } = successOf<Registration>(
      await connection.send(requestOf('POST', '/register', this.account, wanted)),
    );
    this.#queueId = queue_id;
    this.#lastEventId = last_event_id;
    this.#polling = this.#poll(connection).catch((error) => {
      if (!this.#stopped) this.onFailure(error);
    });
  }

  async stop() {
    this.#stopped = true;
    this.#connection?.close();
    await this.#polling;
    const connection = await Connection.open(this.port);
    successOf(await connection.send(requestOf('DELETE', '/events', this.account, { queue_id: this.#queueId })));
    connection.close();
  }

  async #poll(connection: Connection) {
    while (!this.#stopped) {
      const acknowledged = { queue_id: this.#queueId, last_event_id: String(this.#lastEventId) };
      const answer = await connection.send(requestOf('GET', '/events', this.account, acknowledged));
      const at = performance.now();
      for (const event of successOf<EventBatch>(answer).events) {
        this.#lastEventId = Math.max(this.#lastEventId, event.id);
        if (event.type === 'message') this.onMessage(event, at);
      }
    }
  }
}

/** Clients that poll one server, each its own queue. */
export class Audience {
  #pollers: readonly Poller[] = [];
  #expected: { content: string; arrivals: number[]; done: () => void; fail: (error: unknown) => void } = {
    content: '',
    arrivals: [],
    done: () => {},
    fail: () => {},
  };
  #unexpected = 0;
  /** The last event that a client got. */
  lastEvent: MessageEvent | null = null;

  /** @param accounts one for each queue */
  static async polling(port: number, accounts: readonly Account[]): Promise<Audience> {
    const audience = new Audience();
    const onMessage = (event: MessageEvent, at: number) => audience.#arrived(event, at);
    const onFailure = (error: unknown) => audience.#expected.fail(error);
    const pollers = accounts.map((account) => new Poller(port, account, onMessage, onFailure));
    const unregistered = [...pollers];
    await Promise.all(
      Array.from({ length: REGISTRATIONS_AT_ONCE }, async () => {
        for (let poller = unregistered.pop(); poller; poller = unregistered.pop()) await poller.register();
      }),
    );
    audience.#pollers = pollers;
    return audience;
  }

  /**
   * Sends a message, and waits until every client has it.
   *
   * @param content what no other message says
   */
  async deliver(sender: Connection, request: Buffer, content: string): Promise<Delivery> {
    const arrived = new Promise<void>((resolve, reject) => {
      this.#expected = { content, arrivals: [], done: resolve, fail: reject };
    });
    const expected = this.#expected;
    const timeout = setTimeout(() => {
      expected.fail(new Error(`${expected.arrivals.length} of ${this.#pollers.length} queues got ${content}`));
    }, PATIENCE);
    const sentAt = performance.now();
    successOf(await sender.send(request));
    await arrived;
    clearTimeout(timeout);
    return { sentAt, arrivals: expected.arrivals };
  }

  async stop() {
    await Promise.allSettled(this.#pollers.map((poller) => poller.stop()));
    if (this.#unexpected > 0) throw new Error(`${this.#unexpected} messages arrived twice or from elsewhere`);
  }

  #arrived(event: MessageEvent, at: number) {
    const expected = this.#expected;
    if (event.message.content !== expected.content) {
      this.#unexpected++;
      return;
    }
    this.lastEvent = event;
    expected.arrivals.push(at);
    if (expected.arrivals.length === this.#pollers.length) expected.done();
  }
}
