// Everybody else: people who send, read and look while the server is under attack. They have a thread of their own, so that
// what they wait for is the server and not the attackers.
import { parentPort, workerData } from 'node:worker_threads';
import { CHANNELS } from '../data/organization.js';
import { Connection } from '../driver/connection.js';
import { p50, p99 } from '../driver/figures.js';
import { type Account, requestOf } from '../driver/request.js';
import { HEALTH } from '../servers/annals.js';
import { pause } from './attack.js';
import type { OthersReport, OthersRequest } from './others.js';

const { port, accounts } = workerData as OthersRequest;

/** Milliseconds between two requests of one person. */
const PAUSE_MS = 10;

let isOver = false;
const latencies: number[] = [];
const errors = new Map<string, number>();

const requestsOf = (account: Account): ((n: number) => Buffer)[] => [
  (n) =>
    requestOf('POST', '/messages', account, {
      type: 'stream',
      to: String(CHANNELS.ten),
      topic: 'as usual',
      content: `message ${n}`,
    }),
  () => requestOf('GET', '/messages', account, { anchor: 'newest', num_before: '20', num_after: '0', narrow: NARROW }),
  () => requestOf('GET', '/users/me', account),
  () => HEALTH,
];

const NARROW = JSON.stringify([{ operator: 'channel', operand: CHANNELS.ten }]);

async function ask(request: (n: number) => Buffer): Promise<void> {
  let connection = await Connection.open(port);
  for (let n = 0; !isOver; n++) {
    const askedAt = performance.now();
    try {
      const { status } = await connection.send(request(n));
      if (status !== 200) count(`status ${status}`);
    } catch (error) {
      if (isOver) return;
      count(error instanceof Error ? error.message : String(error));
      connection = await Connection.open(port);
    }
    latencies.push(performance.now() - askedAt);
    await pause(PAUSE_MS);
  }
  connection.close();
}

const count = (error: string): void => void errors.set(error, (errors.get(error) ?? 0) + 1);

const all = Promise.all(accounts.flatMap((account) => requestsOf(account).map(ask)));
parentPort?.postMessage('begun');

parentPort?.once('message', async () => {
  isOver = true;
  await all;
  const report: OthersReport = { p50: p50(latencies), p99: p99(latencies), asked: latencies.length, errors };
  parentPort?.postMessage(report);
});
