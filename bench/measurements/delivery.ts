import { randomUUID } from 'node:crypto';
import { CHANNELS, type Organization } from '../data/organization.js';
import type { EventBatch, Registration } from '../driver/answers.js';
import { Connection } from '../driver/connection.js';
import { p50, p99 } from '../driver/figures.js';
import { type Account, requestOf, successOf } from '../driver/request.js';
import type { Bench } from './bench.js';
import { sendToBusyChannel } from './requests.js';
import type { Result, Row } from './result.js';

/** Milliseconds after which a message counts as lost. */
const PATIENCE = 30_000;

/** Queues that are registered at once: few, since a rush of registrations is not measured. */
const REGISTRATIONS_AT_ONCE = 16;

/** Milliseconds between two messages, in which all clients begin to poll again. */
const PAUSE = 30;

/** A client that polls its queue, and polls again as soon as an event has come. */
class Poller {
  #lastEventId = -1;
  #queueId = '';
  #stopped = false;
  #polling: Promise<void> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly account: Account,
    private readonly onMessage: (content: string, at: number) => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  async register() {
    const wanted = { event_types: '["message"]', fetch_event_types: '["message"]', apply_markdown: 'false' };
    const { queue_id, last_event_id } = successOf<Registration>(
      await this.connection.send(requestOf('POST', '/register', this.account, wanted)),
    );
    this.#queueId = queue_id;
    this.#lastEventId = last_event_id;
  }

  start() {
    this.#polling = this.#poll().catch((error) => {
      if (!this.#stopped) this.onFailure(error);
    });
  }

  async stop(port: number) {
    this.#stopped = true;
    this.connection.close();
    await this.#polling;
    const connection = await Connection.open(port);
    successOf(await connection.send(requestOf('DELETE', '/events', this.account, { queue_id: this.#queueId })));
    connection.close();
  }

  async #poll() {
    while (!this.#stopped) {
      const acknowledged = { queue_id: this.#queueId, last_event_id: String(this.#lastEventId) };
      const answer = await this.connection.send(requestOf('GET', '/events', this.account, acknowledged));
      const at = performance.now();
      for (const event of successOf<EventBatch>(answer).events) {
        this.#lastEventId = Math.max(this.#lastEventId, event.id);
        if (event.type === 'message') this.onMessage(event.message.content, at);
      }
    }
  }
}

/** Measures the time from the sending of a message to its arrival at every client that polls for it. */
export async function measureDelivery({ organization, big, effort, say }: Bench): Promise<Result> {
  const rows = [];
  for (const queues of effort.queues) {
    const deliveries = await deliver({
      organization,
      sendTo: big.port,
      pollAt: big.port,
      queues,
      messages: effort.deliveriesTo(queues),
      warmUp: effort.warmUpDeliveries,
      say,
    });
    rows.push(rowOf(queues, deliveries));
  }
  return { rows, targets: [] };
}

function rowOf(queues: number, deliveries: readonly Delivery[]): Row {
  const times = deliveries.flatMap(({ sentAt, arrivals }) => arrivals.map((at) => at - sentAt));
  const toLast = deliveries.map(({ sentAt, arrivals }) => Math.max(...arrivals) - sentAt);
  return {
    what: `send to ${queues === 1 ? '1 connected queue' : `each of ${queues} connected queues`}`,
    value: p50(times),
    unit: 'ms',
    p50: p50(times),
    p99: p99(times),
    note: queues === 1 ? '' : `the last one after ${p50(toLast).toFixed(1)} ms`,
  };
}

/** One message's times, in milliseconds on this process's clock. */
type Delivery = { readonly sentAt: number; readonly arrivals: readonly number[] };

/** Sends messages one after the other, each after the one before has arrived at all queues. */
export async function deliver({
  organization,
  sendTo,
  pollAt,
  queues,
  messages,
  warmUp,
  say,
}: {
  readonly organization: Organization;
  /** The port of the process that messages are sent to. */
  readonly sendTo: number;
  /** The port of the process that clients poll. */
  readonly pollAt: number;
  readonly queues: number;
  readonly messages: number;
  /** Messages that are sent before and do not count. */
  readonly warmUp: number;
  readonly say: (line: string) => void;
}): Promise<Delivery[]> {
  const readers = organization.subscribersOf(CHANNELS.busy).slice(-queues);
  if (readers.length < queues) throw new Error(`the busy channel has fewer than ${queues} subscribers`);
  say(`registering ${queues === 1 ? '1 queue' : `${queues} queues`}`);
  const connections = await Connection.openMany(pollAt, queues);
  let expected: { content: string; arrivals: number[]; done: () => void; fail: (error: unknown) => void } = {
    content: '',
    arrivals: [],
    done: () => {},
    fail: () => {},
  };
  const unexpected: string[] = [];
  const onMessage = (content: string, at: number) => {
    if (content !== expected.content) return void unexpected.push(content);
    expected.arrivals.push(at);
    if (expected.arrivals.length === queues) expected.done();
  };
  const pollers = connections.map(
    (connection, index) =>
      new Poller(connection, organization.account(readers[index] ?? 0), onMessage, (error) => expected.fail(error)),
  );
  const unregistered = [...pollers];
  await Promise.all(
    Array.from({ length: REGISTRATIONS_AT_ONCE }, async () => {
      for (let poller = unregistered.pop(); poller; poller = unregistered.pop()) await poller.register();
    }),
  );
  for (const poller of pollers) poller.start();

  const sender = await Connection.open(sendTo);
  say(`${messages} messages to ${queues === 1 ? '1 connected queue' : `${queues} connected queues`}`);
  const deliveries: Delivery[] = [];
  for (let n = 0; n < messages + warmUp; n++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const content = `delivery ${randomUUID()}`;
    const request = sendToBusyChannel(organization, content);
    const arrived = new Promise<void>((resolve, reject) => {
      expected = { content, arrivals: [], done: resolve, fail: reject };
    });
    const timeout = setTimeout(() => {
      expected.fail(new Error(`${expected.arrivals.length} of ${queues} queues got ${content}`));
    }, PATIENCE);
    const sentAt = performance.now();
    successOf(await sender.send(request));
    await arrived;
    clearTimeout(timeout);
    if (n >= warmUp) deliveries.push({ sentAt, arrivals: expected.arrivals });
  }
  sender.close();
  await Promise.allSettled(pollers.map((poller) => poller.stop(pollAt)));
  if (unexpected.length > 0) throw new Error(`${unexpected.length} messages arrived twice or from elsewhere`);
  return deliveries;
}
