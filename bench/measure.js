// @ts-check
// Starts the server on a log of a million messages, drives it over HTTP from this process, and prints one table. What
// the figures mean stands in measurements/*; what they depend on, under the table.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Organization, USERS } from './data/organization.js';
import { diskMiB, prepareData } from './data/prepare.js';
import { describeMachine } from './machine.js';
import { quick, thorough } from './measurements/bench.js';
import { measureDelivery } from './measurements/delivery.js';
import { measureReads } from './measurements/reads.js';
import { measureRebuild } from './measurements/rebuild.js';
import { measureSends } from './measurements/sends.js';
import { measureStartUp } from './measurements/start-up.js';
import { measureSubscribers } from './measurements/subscribers.js';
import { readOptions } from './options.js';
import { tableOf, writeJson } from './report.js';
import { startAnnals } from './servers/annals.js';
import { killChildren } from './servers/child.js';
import { startYardstick } from './servers/yardstick.js';

const SMALL = 10_000;

/** In this order: what only reads comes first. */
const MEASUREMENTS = {
  'start-up': measureStartUp,
  reads: measureReads,
  delivery: measureDelivery,
  sends: measureSends,
  subscribers: measureSubscribers,
  rebuild: measureRebuild,
};

const options = readOptions(Object.keys(MEASUREMENTS));
if (options.help !== null) {
  console.log(options.help);
  process.exit(0);
}

const beganAt = performance.now();
const say = (/** @type {string} */ line) =>
  console.error(`${((performance.now() - beganAt) / 1000).toFixed(0).padStart(5)} s  ${line}`);

const directory = mkdtempSync(join(tmpdir(), 'annals-bench-'));
/** What has been measured so far: shown also where the rest fails or is interrupted. */
const report = {
  startedAt: new Date().toISOString(),
  machine: describeMachine(directory),
  options: { messages: options.messages, quick: options.quick },
  /** @type {import('./measurements/result.js').Row[]} */
  rows: [],
  /** @type {import('./measurements/result.js').Target[]} */
  targets: [],
};

process.once('exit', () => {
  killChildren();
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  if (report.rows.length === 0) return;
  console.log(tableOf(report));
  say(`the same as JSON: ${writeJson(report, fileURLToPath(new URL('results', import.meta.url)))}`);
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(1));
await run();

async function run() {
  // One more than are counted: the reader of one channel is in no other.
  const organization = new Organization(
    options.quick ? { users: 1201, channels: 100 } : { users: 10_001, channels: 1000 },
  );
  if (options.profileDirectory !== null) mkdirSync(options.profileDirectory, { recursive: true });

  const serve = async (/** @type {number} */ messages, /** @type {string} */ name) => {
    const prepared = await prepareData({
      organization,
      messages,
      directory: join(directory, name),
      keep: options.keep,
      say,
    });
    const { child, port, readySeconds } = await startAnnals({
      dataDirectory: prepared.dataDirectory,
      reader: organization.account(USERS.readerOfAll),
      profileDirectory: options.profileDirectory,
    });
    say(`${messages.toLocaleString('en-US')} messages are served after ${readySeconds.toFixed(1)} s`);
    const memoryAtStart = child.residentMemory();
    return {
      ...prepared,
      child,
      port,
      messages,
      readySeconds,
      memoryAtStart,
      diskMiB: await diskMiB(prepared.dataDirectory),
    };
  };
  const big = await serve(options.messages, 'big');
  const small = await serve(SMALL, 'small');
  const yardsticks = { nest: await startYardstick('bare-nest'), fastify: await startYardstick('bare-fastify') };
  const bench = { organization, big, small, yardsticks, effort: options.quick ? quick : thorough, say };

  for (const [name, measure] of Object.entries(MEASUREMENTS)) {
    if (!options.only.includes(name)) continue;
    const { rows, targets } = await measure(bench);
    report.rows.push(...rows);
    report.targets.push(...targets);
  }
  for (const child of [big.child, small.child, yardsticks.nest, yardsticks.fastify]) await child.stop();
}
