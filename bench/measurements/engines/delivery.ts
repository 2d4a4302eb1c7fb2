import { setTimeout as pause } from 'node:timers/promises';
import { p50, p99 } from '../../driver/figures.js';
import { deliver } from '../delivery.js';
import type { Result } from '../result.js';
import { insertOne, watchBare } from './bare-documents.js';
import { appendBare, followBare, sealedEvents } from './bare-log.js';
import type { EngineBench, EngineEffort } from './bench.js';

/** Milliseconds between two messages, the same as between deliveries. */
const PAUSE = 30;

/**
 * Measures the time from a send through one process to its arrival at a client that polls another; beside it, the time
 * from an append to a subscription of the engine's own client.
 */
export async function measureEngineDelivery(bench: EngineBench): Promise<Result> {
  const { organization, engines, fleet, effort, say } = bench;
  const [sending, polled] = await fleet.apis(2);
  if (!sending || !polled) throw new Error('it takes two processes');
  await fleet.settled();

  say(`${effort.deliveries} appends to a subscription of the bare client, and inserts to its change stream`);
  const next = sealedEvents(organization);
  await appendBare(engines, next());
  const bare = await inTurn(
    () => appendBare(engines, next()),
    (onArrival) => followBare(engines, engines.bareStream, onArrival),
    effort,
  );
  const bareStream = await inTurn(
    () => insertOne(engines),
    (onArrival) => watchBare(engines, onArrival),
    effort,
  );

  const logged: number[] = [];
  const stop = await followBare(engines, `${engines.streamPrefix}messages`, () => logged.push(performance.now()));
  const deliveries = await deliver({
    organization,
    sendTo: sending.port,
    pollAt: polled.port,
    queues: 1,
    messages: effort.deliveries,
    warmUp: effort.warmUpDeliveries,
    say,
  });
  await stop();
  const times = deliveries.flatMap(({ sentAt, arrivals }) => arrivals.map((at) => at - sentAt));
  // One message at a time, and nobody else sends: the n-th event is the n-th message.
  const inLog = logged.slice(effort.warmUpDeliveries);
  const toLog = deliveries.map(({ sentAt }, n) => (inLog[n] ?? Number.NaN) - sentAt);
  const fromLog = deliveries.map(({ arrivals }, n) => Math.max(...arrivals) - (inLog[n] ?? Number.NaN));
  const row = (what: string, values: readonly number[]) => ({
    what,
    value: p50(values),
    unit: 'ms',
    p50: p50(values),
    p99: p99(values),
  });
  return {
    rows: [
      row('bare client: append to its subscription', bare),
      row('bare client: insert to its change stream', bareStream),
      {
        ...row('send through one process to a poll at another', times),
        note: `${(p50(times) / p50(bare)).toFixed(1)} × the bare client`,
      },
      row('  of that, until a bare subscription has the event', toLog),
      row('  of that, from there to the poll', fromLog),
    ],
    targets: [
      { what: 'send to a poll at another process, p50', value: p50(times), unit: 'ms', bound: 'at most', limit: 50 },
    ],
  };
}

/**
 * Writes one after the other, and waits for the arrival of each.
 *
 * @returns milliseconds from each writing to its arrival
 */
async function inTurn(
  write: () => Promise<void>,
  listen: (onArrival: () => void) => Promise<() => Promise<void>>,
  { deliveries, warmUpDeliveries }: EngineEffort,
): Promise<number[]> {
  let arrived = () => {};
  const stop = await listen(() => arrived());
  const times: number[] = [];
  for (let n = 0; n < warmUpDeliveries + deliveries; n++) {
    await pause(PAUSE);
    const arrival = new Promise<number>((resolve) => {
      arrived = () => resolve(performance.now());
    });
    const sentAt = performance.now();
    await write();
    const at = await arrival;
    if (n >= warmUpDeliveries) times.push(at - sentAt);
  }
  await stop();
  return times;
}
