import { randomUUID } from 'node:crypto';
import { CHANNELS, type Organization } from '../data/organization.js';
import type { MessageEvent } from '../driver/answers.js';
import { Audience, type Delivery } from '../driver/audience.js';
import { Connection } from '../driver/connection.js';
import { p50, p99 } from '../driver/figures.js';
import type { Child } from '../servers/child.js';
import type { Bench } from './bench.js';
import { sendOfEvent, sendToBusyChannel } from './requests.js';
import type { Result, Row } from './result.js';

/** Milliseconds between two messages, in which all clients begin to poll again. */
const PAUSE = 30;

/**
 * Measures the time from the sending of a message to its arrival at every client that polls for it; in turn with a bare
 * Fastify that answers as many polls with the same bytes.
 */
export async function measureDelivery({ organization, big, yardsticks, effort, say }: Bench): Promise<Result> {
  const rows: Row[] = [];
  let ratio = Number.NaN;
  for (const queues of effort.queues) {
    say(`registering ${plural(queues)}`);
    const messages = effort.deliveriesTo(queues);
    const accounts = readersOf(organization, queues);
    const ours = await Delivered.to(big.child, accounts);
    const bare = await Delivered.to(yardsticks.fastify, accounts);
    say(`${messages} messages to ${plural(queues)}, and to as many of bare Fastify`);
    for (let n = 0; n < messages + effort.warmUpDeliveries; n++) {
      const counts = n >= effort.warmUpDeliveries;
      await ours.deliver((content) => sendToBusyChannel(organization, content), counts);
      await bare.deliver((content) => sendOfEvent(ours.lastEvent, content), counts);
    }
    const [own, least] = [ours.row(`send to ${each(queues)}`), bare.row(`  bare Fastify to as many`)];
    rows.push(own, least);
    ratio = own.p99 / least.p99;
    await ours.stop();
    await bare.stop();
  }
  const what = `send to ${each(effort.queues.at(-1) ?? 0)}, p99`;
  return { rows, targets: [{ what, value: ratio, unit: '× bare Fastify', bound: 'at most', limit: 3 }] };
}

const plural = (queues: number) => (queues === 1 ? '1 queue' : `${queues} queues`);
const each = (queues: number) => (queues === 1 ? '1 connected queue' : `each of ${queues} connected queues`);

/** Deliveries to the clients of one server, and what they cost it. */
class Delivered {
  readonly #deliveries: Delivery[] = [];
  #cpuBefore: number | null = null;

  private constructor(
    private readonly server: Child,
    private readonly audience: Audience,
    private sender: Connection,
  ) {}

  static async to(server: Child, accounts: Parameters<typeof Audience.polling>[1]): Promise<Delivered> {
    const audience = await Audience.polling(server.port, accounts);
    return new Delivered(server, audience, await Connection.open(server.port));
  }

  get lastEvent(): MessageEvent {
    const { lastEvent } = this.audience;
    if (!lastEvent) throw new Error('no client has got an event');
    return lastEvent;
  }

  /** @param counts false: the message warms up */
  async deliver(requestOf: (content: string) => Buffer, counts: boolean) {
    await pause();
    if (counts) this.#cpuBefore ??= this.server.cpuSeconds();
    if (!this.sender.isUsable) this.sender = await Connection.open(this.server.port);
    const content = `delivery ${randomUUID()}`;
    const delivery = await this.audience.deliver(this.sender, requestOf(content), content);
    if (counts) this.#deliveries.push(delivery);
  }

  row(what: string) {
    const times = this.#deliveries.flatMap(({ sentAt, arrivals }) => arrivals.map((at) => at - sentAt));
    const toLast = this.#deliveries.map(({ sentAt, arrivals }) => Math.max(...arrivals) - sentAt);
    const cpu = ((this.server.cpuSeconds() ?? Number.NaN) - (this.#cpuBefore ?? Number.NaN)) / times.length;
    return {
      what,
      value: p50(times),
      unit: 'ms',
      p50: p50(times),
      p99: p99(times),
      note: `the last one after ${p50(toLast).toFixed(1)} ms; ${(cpu * 1e6).toFixed(0)} µs of processor time each`,
    };
  }

  async stop() {
    this.sender.close();
    await this.audience.stop();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

function readersOf(organization: Organization, queues: number) {
  const readers = organization.subscribersOf(CHANNELS.busy).slice(-queues);
  if (readers.length < queues) throw new Error(`the busy channel has fewer than ${queues} subscribers`);
  return readers.map((userId) => organization.account(userId));
}

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
  say(`registering ${plural(queues)}`);
  const audience = await Audience.polling(pollAt, readersOf(organization, queues));
  const sender = await Connection.open(sendTo);
  say(`${messages} messages to ${plural(queues)}`);
  const deliveries: Delivery[] = [];
  for (let n = 0; n < messages + warmUp; n++) {
    await pause();
    const content = `delivery ${randomUUID()}`;
    const delivery = await audience.deliver(sender, sendToBusyChannel(organization, content), content);
    if (n >= warmUp) deliveries.push(delivery);
  }
  sender.close();
  await audience.stop();
  return deliveries;
}
