// Starts the server on a log of a million messages, drives it over HTTP from this process, and prints one table. The
// files in measurements/ explain the figures; the lines under the table describe the machine.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Organization, USERS } from './data/organization.js';
import { diskMiB, prepareData } from './data/prepare.js';
import { measureAudit } from './measurements/audit.js';
import { quick, thorough } from './measurements/bench.js';
import { measureDelivery } from './measurements/delivery.js';
import { measureMoves } from './measurements/moves.js';
import { measurePermissionCheck } from './measurements/permission-check.js';
import { measurePresence } from './measurements/presence.js';
import { measureReading } from './measurements/reading.js';
import { measureReads } from './measurements/reads.js';
import { measureRebuild } from './measurements/rebuild.js';
import { measureRegister } from './measurements/register.js';
import { measureSearch } from './measurements/search.js';
import { measureSends } from './measurements/sends.js';
import { measureStartUp } from './measurements/start-up.js';
import { measureSubscribers } from './measurements/subscribers.js';
import { measureTreeCost } from './measurements/tree-cost.js';
import { readOptions } from './options.js';
import { startAnnals } from './servers/annals.js';
import { startYardstick } from './servers/yardstick.js';
import { beginSession } from './session.js';

const SMALL = 10_000;

/** The measurements in their order: those that only read come first. */
const MEASUREMENTS = {
  'start-up': measureStartUp,
  'permission-check': measurePermissionCheck,
  reads: measureReads,
  search: measureSearch,
  register: measureRegister,
  presence: measurePresence,
  audit: measureAudit,
  reading: measureReading,
  delivery: measureDelivery,
  sends: measureSends,
  'tree-cost': measureTreeCost,
  subscribers: measureSubscribers,
  moves: measureMoves,
  rebuild: measureRebuild,
};

const options = readOptions(Object.keys(MEASUREMENTS), { messages: 1_000_000, quickly: 20_000, least: SMALL });
if (options.help !== null) {
  console.log(options.help);
  process.exit(0);
}
const { directory, report, say } = beginSession(options);
await run();

async function run() {
  // One user more than a round number: the reader of one channel is not in the channel of everybody.
  const organization = new Organization(
    options.quick ? { users: 1201, channels: 100 } : { users: 10_001, channels: 1000 },
  );
  if (options.profileDirectory !== null) mkdirSync(options.profileDirectory, { recursive: true });

  const serve = async (messages: number, name: string) => {
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
  const effort = options.quick ? quick : thorough;
  const bench = { organization, big, small, yardsticks, directory, effort, say };

  for (const [name, measure] of Object.entries(MEASUREMENTS)) {
    if (!options.only.includes(name)) continue;
    const { rows, targets } = await measure(bench);
    report.rows.push(...rows);
    report.targets.push(...targets);
  }
  for (const child of [big.child, small.child, yardsticks.nest, yardsticks.fastify]) await child.stop();
}
