// @ts-check
import { Connection } from './connection.js';
import { p50, p99 } from './figures.js';

/**
 * @typedef {object} LoadResult
 * @property {number} perSecond answers a second
 * @property {number} p50 milliseconds
 * @property {number} p99 milliseconds
 * @property {number} answers
 * @property {number} driverCpu part of one processor that the driver used, from 0
 */

/**
 * @typedef {object} Load
 * @property {number} port
 * @property {(n: number) => Buffer} request the n-th request, from 0
 */

/** @param {number} seconds @returns {() => boolean} */
export function after(seconds) {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() >= end;
}

/** @param {Promise<unknown>} work @returns {() => boolean} */
export function whenSettled(work) {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  work.then(settle, settle);
  return () => isSettled;
}

/**
 * Keeps `concurrency` requests under way: the next is sent when one is answered. Any answer but a success ends it.
 *
 * @param {{ port: number | readonly number[], request: Load['request'], concurrency: number, isOver: () => boolean }} load
 *   several ports: connections go to each in turn
 * @returns {Promise<LoadResult>}
 */
export async function closedLoop({ port, request, concurrency, isOver }) {
  const ports = typeof port === 'number' ? [port] : port;
  const connections = await Promise.all(
    Array.from({ length: concurrency }, (_, n) => Connection.open(ports[n % ports.length] ?? 0)),
  );
  try {
    return await repeated({
      concurrency,
      isOver,
      work: async (n, slot) => mustBeSuccess(await /** @type {Connection} */ (connections[slot]).send(request(n))),
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}

/**
 * The same for any work of this process.
 *
 * @param {object} load
 * @param {number} load.concurrency
 * @param {() => boolean} load.isOver
 * @param {(n: number, slot: number) => Promise<void>} load.work the n-th, from 0, and which of the `concurrency` does it
 * @returns {Promise<LoadResult>}
 */
export async function repeated({ concurrency, isOver, work }) {
  /** @type {number[]} */
  const latencies = [];
  let n = 0;
  const watch = startWatch();
  await Promise.all(
    Array.from({ length: concurrency }, async (_, slot) => {
      let startedAt = performance.now();
      while (!isOver()) {
        await work(n++, slot);
        const doneAt = performance.now();
        latencies.push(doneAt - startedAt);
        startedAt = doneAt;
      }
    }),
  );
  return resultOf(latencies, watch);
}

/** A timer fires up to so many milliseconds late: that is the driver's, not the server's. */
const LATE_TIMER = 1.5;

/**
 * Sends at a steady rate however long the answers take, and counts each answer from the moment at which its request
 * was due: what waits behind a slow answer counts as slow.
 *
 * @param {Load & { perSecond: number, isOver: () => boolean }} load
 * @returns {Promise<LoadResult>}
 */
export async function steadyRate({ port, request, perSecond, isOver }) {
  const idle = await Connection.openMany(port, 4);
  const opened = new Set(idle);
  /** @type {number[]} */
  const latencies = [];
  /** @type {unknown[]} */
  const failures = [];
  /** @type {Set<Promise<void>>} */
  const underWay = new Set();

  /** @param {number} n @param {number} from */
  const send = async (n, from) => {
    const connection = usableOf(idle) ?? (await Connection.open(port));
    opened.add(connection);
    const answer = await connection.send(request(n));
    latencies.push(performance.now() - from);
    mustBeSuccess(answer);
    idle.push(connection);
  };

  const watch = startWatch();
  for (let n = 0; !isOver() && failures.length === 0; n++) {
    const dueAt = watch.startedAt + (n / perSecond) * 1000;
    const wait = dueAt - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const sending = send(n, Math.min(performance.now(), dueAt + LATE_TIMER))
      .catch((error) => void failures.push(error))
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
  }
  await Promise.all(underWay);
  const result = resultOf(latencies, watch);
  for (const connection of opened) connection.close();
  if (failures.length > 0) throw failures[0];
  return result;
}

/**
 * The one used last; those that have been idle for long are closed.
 *
 * @param {Connection[]} idle
 */
function usableOf(idle) {
  const last = idle.pop();
  if (last === undefined || last.isUsable) return last;
  for (const connection of [last, ...idle.splice(0)]) connection.close();
  return undefined;
}

function startWatch() {
  return { startedAt: performance.now(), cpu: process.cpuUsage() };
}

/**
 * @param {readonly number[]} latencies
 * @param {ReturnType<typeof startWatch>} watch
 * @returns {LoadResult}
 */
function resultOf(latencies, watch) {
  const elapsed = performance.now() - watch.startedAt;
  const { user, system } = process.cpuUsage(watch.cpu);
  return {
    perSecond: (latencies.length / elapsed) * 1000,
    p50: p50(latencies),
    p99: p99(latencies),
    answers: latencies.length,
    driverCpu: (user + system) / 1000 / elapsed,
  };
}

/** @param {import('./connection.js').Answer} answer */
function mustBeSuccess({ status, body }) {
  if (status !== 200) throw new Error(`answered ${status}: ${body.toString('utf8')}`);
}
