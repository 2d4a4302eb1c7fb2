// Starts processes of Annals on EventStoreDB and MongoDB, drives them over HTTP from this process, and prints one
// table: every figure beside the one of the engine's own client from the same run.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Organization } from './data/organization.js';
import { seedLog } from './data/seed.js';
import { type EngineBench, quickly, thoroughly } from './measurements/engines/bench.js';
import { measureEngineDelivery } from './measurements/engines/delivery.js';
import { measureOperations } from './measurements/engines/operations.js';
import { measureEngineRebuild } from './measurements/engines/rebuild.js';
import { measureSendsThrough } from './measurements/engines/sends.js';
import { readOptions } from './options.js';
import { type Engines, openEngineServers } from './servers/engines.js';
import { Fleet } from './servers/fleet.js';
import { beginSession } from './session.js';

/** The measurements in their order: the rebuild is of the log that the others leave. */
const MEASUREMENTS = {
  'sends-1': (bench: EngineBench) => measureSendsThrough(1, bench),
  'sends-2': (bench: EngineBench) => measureSendsThrough(2, bench),
  delivery: measureEngineDelivery,
  operations: measureOperations,
  rebuild: measureEngineRebuild,
};

/** Messages of a day, one a minute. Spread thinner, a short log would measure the feed's hourly records alone. */
const MESSAGES_A_DAY = 1440;

const options = readOptions(Object.keys(MEASUREMENTS), { messages: 10_000, quickly: 1000, least: 1 });
if (options.help !== null) {
  console.log(options.help);
  process.exit(0);
}
let engines: Engines | null = null;
let closing: Promise<void> | undefined;
const close = () => {
  closing ??= engines?.close() ?? Promise.resolve();
  return closing;
};
const { directory, report, say } = beginSession(options, close);
try {
  await run();
} finally {
  await close();
}

async function run() {
  const organization = new Organization(options.quick ? { users: 201, channels: 20 } : { users: 1201, channels: 100 });
  if (options.profileDirectory !== null) mkdirSync(options.profileDirectory, { recursive: true });
  engines = await openEngineServers(directory, say);
  report.engines = engines.about;
  const { events, seconds } = await seedLog({
    engines: { dataDirectory: join(directory, 'seed'), distributed: engines.settings },
    organization,
    messages: options.messages,
    days: Math.min(20, options.messages / MESSAGES_A_DAY),
    onProgress: () => {},
  });
  say(`wrote ${events.toLocaleString('en-US')} events in ${seconds.toFixed(1)} s; the worker builds everything`);
  const fleet = await Fleet.start({ directory, engines, profileDirectory: options.profileDirectory });
  say('built');
  const bench = { organization, engines, fleet, effort: options.quick ? quickly : thoroughly, say };
  for (const [name, measure] of Object.entries(MEASUREMENTS)) {
    if (!options.only.includes(name)) continue;
    const { rows, targets } = await measure(bench);
    report.rows.push(...rows);
    report.targets.push(...targets);
  }
  say('ending all processes');
  await fleet.stop();
}
