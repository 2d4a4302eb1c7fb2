// Runs the specs that use EventStoreDB and MongoDB on the servers that EVENTSTORE_URL and MONGODB_URL name:
//   npm run test:engines [-- jest arguments]
// Paths among the arguments, or `--part NAME`, select specs, and `--turn=1/3` a third of them. Without EVENTSTORE_URL, the tests' stand-in is started. Without
// MONGODB_URL, only specs that need EventStoreDB alone are run. A stand-in for MongoDB gets a proxy in front of it, which refuses
// what MongoDB refuses.
import { MongoClient } from 'mongodb';
import { EventStoreDbEventStore } from '../src/platform/log/eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbServer } from '../test/support/engines/eventstoredb/server.js';
import { MongodbProxy } from '../test/support/engines/mongodb/mongodb-proxy.js';
import { isPart, ON_BOTH, ON_EVENTSTOREDB, PARTS, type Part, STAND_IN_HANGS } from './engine-specs.js';
import { runJest, specsOf, withDefaults } from './jest.js';
import { inTurn } from './spec-groups.js';
import { watchStandIn } from './stand-in-watch.js';

const { EVENTSTORE_URL = '', MONGODB_URL = '' } = process.env;
const { part, turn, given } = partOf(process.argv.slice(2));

const standIn = EVENTSTORE_URL ? null : await EventStoreDbServer.start();
let proxy: MongodbProxy | undefined;
try {
  const eventStoreUrl = standIn?.url ?? EVENTSTORE_URL;
  const about = standIn ? ', as the stand-in in test/support says it: set EVENTSTORE_URL for a server' : '';
  console.log(`EventStoreDB: ${await eventStoreDbVersion(eventStoreUrl)}${about}`);
  const mongodb = MONGODB_URL ? await mongodbVersion() : { about: 'skipped: set MONGODB_URL', standIn: null };
  console.log(`MongoDB: ${mongodb.about}`);
  if (mongodb.standIn) proxy = await MongodbProxy.start(MONGODB_URL);
  process.exitCode = await runSpecs(eventStoreUrl, proxy?.url ?? MONGODB_URL, mongodb.standIn === 'Python');
} finally {
  await proxy?.stop();
  await standIn?.stop();
}

interface Given {
  readonly part?: Part;
  readonly turn: string;
  readonly given: readonly string[];
}

function partOf(args: readonly string[]): Given {
  const isTurn = (argument: string) => argument.startsWith('--turn=');
  const turn = args.find(isTurn)?.slice('--turn='.length) ?? '1/1';
  const others = args.filter((argument) => !isTurn(argument));
  const at = others.indexOf('--part');
  if (at < 0) return { turn, given: others };
  const part = others[at + 1] ?? '';
  if (!isPart(part)) throw new Error(`--part ${part}: there are ${Object.keys(PARTS).join(', ')}`);
  return { part, turn, given: others.toSpliced(at, 2) };
}

async function eventStoreDbVersion(url: string): Promise<string> {
  const store = await EventStoreDbEventStore.open({ url, streamPrefix: '', readOnly: true });
  try {
    return store.engineVersion();
  } finally {
    await store.close();
  }
}

async function mongodbVersion(): Promise<{ readonly about: string; readonly standIn: 'Python' | 'Rust' | null }> {
  const client = new MongoClient(MONGODB_URL, { serverSelectionTimeoutMS: 10_000 });
  try {
    const { version, secantusVersion, buildEnvironment } = await client.db('admin').command({ buildInfo: 1 });
    if (secantusVersion === undefined) return { about: version, standIn: null };
    const standIn = buildEnvironment?.cc === 'rustc' ? 'Rust' : 'Python';
    return { about: `${version}, as SecantusDB ${secantusVersion} in ${standIn} says it, a stand-in`, standIn };
  } finally {
    await client.close();
  }
}

async function runSpecs(eventStoreUrl: string, mongodbUrl: string, isInPython: boolean): Promise<number> {
  const [named, options] = [given.filter(isPath), given.filter((argument) => !isPath(argument))];
  const hang = new AbortController();
  const stopWatching = isInPython ? watchStandIn(MONGODB_URL, () => hang.abort()) : null;
  const wanted = named.length > 0 ? named : !MONGODB_URL ? ON_EVENTSTOREDB : part ? PARTS[part] : ON_BOTH;
  const code = await runJest({
    // Everything takes several times as long as embedded.
    options: withDefaults(options, ['--testTimeout=240000']),
    specs: await inTurn(await specsOf(wanted), turn),
    environment: {
      ...process.env,
      EVENTSTORE_URL: eventStoreUrl,
      MONGODB_URL: mongodbUrl,
      // For specs that bring a proxy of their own.
      MONGODB_BARE_URL: MONGODB_URL,
      TEST_ENGINES: MONGODB_URL ? 'distributed' : 'embedded',
    },
    signal: hang.signal,
  });
  const stood = await stopWatching?.();
  return stood === 'hung' || (stood === 'stalled' && code !== 0) ? STAND_IN_HANGS : code;
}

function isPath(argument: string): boolean {
  return argument.startsWith('test/');
}
