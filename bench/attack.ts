// Starts a server, attacks it in several ways, and prints what everybody else waited for meanwhile, in one table.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Attack, type Target as Attacked, randomOf } from './attacks/attack.js';
import { edgeAttacks } from './attacks/edge.js';
import { amongOthers, type OthersReport } from './attacks/others.js';
import { Peak } from './attacks/peak.js';
import { readAttacks, sendHeavyMessages } from './attacks/reads.js';
import { stopUnderAttack } from './attacks/stop.js';
import { Organization, USERS } from './data/organization.js';
import { seedLog } from './data/seed.js';
import { isMet } from './measurements/result.js';
import { startAnnals } from './servers/annals.js';
import { beginSession } from './session.js';

const MESSAGES = 5_000;
const PEACE_MS = 3_000;
/** People who go on with their work. */
const OTHERS = 3;

/** Milliseconds that an attack may add to what others wait for at p99. */
const MOST_WAIT_MS = 100;
/** The server has a heap of 512 MiB: with more room, Node collects garbage late, and memory that nobody needs would count. */
const MOST_MEMORY_MIB = 200;
const MOST_STOP_SECONDS = 15;

const HELP = `npm run attack -- [options]

  --seed <n>         names, passwords and places of the attackers follow from it (1)
  --tolerance <n>    times by which limits of time are raised, for a machine that does other work (1)
  --help
`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    tolerance: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
const [seed, tolerance] = [Number(values.seed), Number(values.tolerance)];
if (values.help || !Number.isSafeInteger(seed) || !(tolerance >= 1)) {
  console.error(HELP);
  process.exit(values.help ? 0 : 1);
}
const { directory, report, say } = beginSession({ messages: MESSAGES, quick: false });
async function run(): Promise<void> {
  const organization = new Organization({ users: 60, channels: 6 });
  const dataDirectory = join(directory, 'attacked');
  await seedLog({ engines: { dataDirectory }, organization, messages: MESSAGES, onProgress: () => {} });
  const reader = organization.account(USERS.readerOfAll);
  const { child, port } = await startAnnals({ dataDirectory, reader, profileDirectory: null });
  const target: Attacked = { port, child, organization, random: randomOf(seed) };
  await sendHeavyMessages(target);
  say('the server is ready to be attacked');

  const peace: Attack = {
    name: 'nobody',
    run: async () => {
      await new Promise((resolve) => setTimeout(resolve, PEACE_MS));
      return '';
    },
  };
  const before = await measured(target, peace);
  for (const attack of [...readAttacks, ...edgeAttacks]) {
    const { others, memory } = await measured(target, attack);
    report.targets.push(
      limit(`${attack.name}: others wait`, others.p99, 'ms', before.others.p99 + MOST_WAIT_MS * tolerance),
      limit(`${attack.name}: more memory`, memory, 'MiB', attack.mostMiB ?? MOST_MEMORY_MIB),
      limit(`${attack.name}: errors of others`, errorsOf(others), '', 0),
    );
  }
  const stopped = await stopUnderAttack(target);
  report.rows.push({ what: 'told to stop under attack', value: stopped.seconds, unit: 's', note: stopped.told });
  report.targets.push(limit('a stop under attack', stopped.seconds, 's', MOST_STOP_SECONDS));
}

async function measured(target: Attacked, attack: Attack) {
  say(`attacking: ${attack.name}`);
  const { port, child, organization } = target;
  const before = child.residentMemory();
  const memory = new Peak(child);
  const accounts = Array.from({ length: OTHERS }, (_, n) => organization.account(organization.ordinaryUser(40 + n)));
  const { done, others } = await amongOthers({ port, accounts }, () => attack.run(target));
  const more = memory.stop() - before;
  const errors = [...others.errors].map(([error, count]) => `${count} times ${error}`);
  report.rows.push({
    what: attack.name,
    value: more,
    unit: 'MiB more',
    p50: others.p50,
    p99: others.p99,
    note: [done, ...errors].filter((text) => text !== '').join('; '),
  });
  return { others, memory: more };
}

const errorsOf = ({ errors }: OthersReport): number => [...errors.values()].reduce((sum, count) => sum + count, 0);

function limit(what: string, value: number, unit: string, most: number) {
  return { what, value, unit, bound: 'at most' as const, limit: most };
}

await run();
if (!report.targets.every(isMet)) process.exitCode = 1;
