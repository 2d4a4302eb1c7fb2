// @ts-check
import { randomUUID } from 'node:crypto';
import { CHANNELS } from '../data/organization.js';
import { Connection } from '../driver/connection.js';
import { p50, p99 } from '../driver/figures.js';
import { requestOf, successOf } from '../driver/request.js';
import { sendToBusyChannel } from './requests.js';

/** After so many milliseconds a message counts as lost. */
const PATIENCE = 30_000;

/** What is measured is the delivery, not the rush to register. */
const REGISTRATIONS_AT_ONCE = 16;

/** How long all polls have been waiting before the next message is sent, milliseconds. */
const PAUSE = 30;

/** A client that waits for its queue's next event, and asks again as soon as it has it. */
class Poller {
  #lastEventId = -1;
  #queueId = '';
  #stopped = false;
  /** @type {Promise<void> | undefined} */
  #polling;

  /**
   * @param {Connection} connection
   * @param {import('../driver/request.js').Account} account
   * @param {(content: string, at: number) => void} onMessage
   * @param {(error: unknown) => void} onFailure
   */
  constructor(connection, account, onMessage, onFailure) {
    this.connection = connection;
    this.account = account;
    this.onMessage = onMessage;
    this.onFailure = onFailure;
  }

  async register() {
    const wanted = { event_types: '["message"]', fetch_event_types: '["message"]', apply_markdown: 'false' };
    const { queue_id, last_event_id } = successOf(
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

  /** @param {number} port */
  async stop(port) {
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
      for (const event of successOf(answer).events) {
        this.#lastEventId = Math.max(this.#lastEventId, event.id);
        if (event.type === 'message') this.onMessage(event.message.content, at);
      }
    }
  }
}

/**
 * From the sending of a message to its arrival at every client that waits for it.
 *
 * @param {import('./bench.js').Bench} bench
 * @returns {Promise<import('./result.js').Result>}
 */
export async function measureDelivery({ organization, big, effort, say }) {
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

/**
 * @param {number} queues
 * @param {readonly Delivery[]} deliveries
 * @returns {import('./result.js').Row}
 */
function rowOf(queues, deliveries) {
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

/**
 * On the clock of this process, milliseconds.
 *
 * @typedef {{ readonly sentAt: number, readonly arrivals: readonly number[] }} Delivery
 */

/**
 * Sends messages one after the other, each when the one before has arrived at all queues.
 *
 * @param {object} options
 * @param {import('../data/organization.js').Organization} options.organization
 * @param {number} options.sendTo port
 * @param {number} options.pollAt port
 * @param {number} options.queues
 * @param {number} options.messages
 * @param {number} options.warmUp messages before, of which nothing is told
 * @param {(line: string) => void} options.say
 * @returns {Promise<Delivery[]>}
 */
export async function deliver({ organization, sendTo, pollAt, queues, messages, warmUp, say }) {
  const readers = organization.subscribersOf(CHANNELS.busy).slice(-queues);
  if (readers.length < queues) throw new Error(`the busy channel has fewer than ${queues} subscribers`);
  say(`registering ${queues === 1 ? '1 queue' : `${queues} queues`}`);
  const connections = await Connection.openMany(pollAt, queues);
  /** @type {{ content: string, arrivals: number[], done: () => void, fail: (error: unknown) => void }} */
  let expected = { content: '', arrivals: [], done: () => {}, fail: () => {} };
  /** @type {string[]} */
  const unexpected = [];
  const onMessage = (/** @type {string} */ content, /** @type {number} */ at) => {
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
  /** @type {Delivery[]} */
  const deliveries = [];
  for (let n = 0; n < messages + warmUp; n++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const content = `delivery ${randomUUID()}`;
    const request = sendToBusyChannel(organization, content);
    /** @type {Promise<void>} */
    const arrived = new Promise((resolve, reject) => {
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
