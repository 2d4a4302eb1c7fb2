import { type Answer, Connection } from './connection.js';
import { cyclic } from './cyclic.js';
import { p50, p99 } from './figures.js';

export interface LoadResult {
  /** Answers a second. */
  readonly perSecond: number;
  /** Milliseconds, like `p99`. */
  readonly p50: number;
  readonly p99: number;
  readonly answers: number;
  /** The part of one processor that the driver used; 1 is all of it. */
  readonly driverCpu: number;
}

interface Load {
  readonly port: number;
  /** Makes the n-th request, from 0. */
  readonly request: (n: number) => Buffer;
}

export function after(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() >= end;
}

export function whenSettled(work: Promise<unknown>): () => boolean {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  work.then(settle, settle);
  return () => isSettled;
}

/**
 * Keeps `concurrency` requests under way: the next is sent when one is answered. Any answer but a success ends it.
 * If there are several ports, they take turns.
 */
export async function closedLoop({
  port,
  request,
  concurrency,
  isOver,
}: {
  port: number | readonly number[];
  request: Load['request'];
  concurrency: number;
  isOver: () => boolean;
}): Promise<LoadResult> {
  const ports = typeof port === 'number' ? [port] : port;
  const connections = await Promise.all(
    Array.from({ length: concurrency }, (_, n) => Connection.open(cyclic(ports, n))),
  );
  try {
    return await repeated({
      concurrency,
      isOver,
      work: async (n, slot) => mustBeSuccess(await cyclic(connections, slot).send(request(n))),
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** Keeps `concurrency` pieces of work of this process under way. */
export async function repeated({
  concurrency,
  isOver,
  work,
}: {
  readonly concurrency: number;
  readonly isOver: () => boolean;
  /** Does the n-th piece, from 0, in one of the `concurrency` slots. */
  readonly work: (n: number, slot: number) => Promise<void>;
}): Promise<LoadResult> {
  const latencies: number[] = [];
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

/** Milliseconds by which the driver's own timer may be late; they do not count as the server's. */
const LATE_TIMER = 1.5;

/**
 * Sends at a steady rate however long the answers take, and counts each answer from the moment at which its request
 * was due: what waits behind a slow answer counts as slow.
 */
export async function steadyRate({
  port,
  request,
  perSecond,
  isOver,
}: Load & { perSecond: number; isOver: () => boolean }): Promise<LoadResult> {
  const idle = await Connection.openMany(port, 4);
  const opened = new Set(idle);
  const latencies: number[] = [];
  const failures: unknown[] = [];
  const underWay = new Set<Promise<void>>();

  const send = async (n: number, from: number) => {
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

/** Takes the connection that was used last. If it has been idle for long, all are closed. */
function usableOf(idle: Connection[]) {
  const last = idle.pop();
  if (last === undefined || last.isUsable) return last;
  for (const connection of [last, ...idle.splice(0)]) connection.close();
  return undefined;
}

function startWatch() {
  return { startedAt: performance.now(), cpu: process.cpuUsage() };
}

function resultOf(latencies: readonly number[], watch: ReturnType<typeof startWatch>): LoadResult {
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

function mustBeSuccess({ status, body }: Answer) {
  if (status !== 200) throw new Error(`answered ${status}: ${body.toString('utf8')}`);
}
