// Runs what says something about EventStoreDB and MongoDB on those that EVENTSTORE_URL and MONGODB_URL name:
//   npm run test:engines [-- jest arguments]
// Exit code 75: what stands in for MongoDB has stopped answering, which says nothing about what was tested.
// Paths among the arguments, or `--part NAME`, are run instead of everything. Without EVENTSTORE_URL, the stand-in of the tests is started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { EventStoreDbEventStore } from '../dist/src/event-store/eventstoredb/eventstoredb-event-store.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const STAND_IN = join(ROOT, 'test/support/eventstoredb/stand-in.js');

/** What needs EventStoreDB alone. */
const ON_EVENTSTOREDB = ['test/contracts/.*\\.eventstoredb\\.spec'];
/** What needs both: the adapters' contracts, then the whole server, in one process and in many. */
const PARTS = {
  contracts: ['test/contracts/.*\\.mongodb\\.spec', 'test/mongodb/'],
  server: [
    'test/cli/(copy-distributed|grant|reading-distributed)\\.spec',
    'test/clients/',
    'test/history/',
    'test/event-queues/raised-feed\\.spec',
  ],
  // Those that are left out are about the edge alone, around controllers of their own.
  http: ['test/http/(?!edge-)'],
  // Left out: the files of the embedded engines.
  faults: ['test/faults/(?!(deleted|drafted)-words)'],
};
const ON_BOTH = [...ON_EVENTSTOREDB, ...Object.values(PARTS).flat()];

const STAND_IN_HANGS = 75;
const PATIENCE_MS = 45_000;
const STALL_MS = 15_000;

const { MONGODB_URL = '' } = process.env;
let isInPython = false;
let { EVENTSTORE_URL = '' } = process.env;
const { part, given } = partOf(process.argv.slice(2));

const standIn = EVENTSTORE_URL ? null : await startStandIn();
if (standIn) EVENTSTORE_URL = standIn.url;
try {
  console.log(`EventStoreDB: ${await eventStoreDbVersion(EVENTSTORE_URL)}${standIn ? `, ${standIn.about}` : ''}`);
  console.log(`MongoDB: ${MONGODB_URL ? await mongodbVersion(MONGODB_URL) : 'skipped: set MONGODB_URL'}`);
  process.exitCode = await runJest();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await standIn?.stop();
}

function partOf(args) {
  const at = args.indexOf('--part');
  if (at < 0) return { given: args };
  const part = args[at + 1];
  if (!Object.hasOwn(PARTS, part)) {
    console.error(`--part ${part}: there are ${Object.keys(PARTS).join(', ')}`);
    process.exit(1);
  }
  return { part, given: args.toSpliced(at, 2) };
}

async function startStandIn() {
  const folder = mkdtempSync(join(tmpdir(), 'annals-eventstoredb-'));
  // Its standard input is a pipe from here: it ends with this process, however that ends.
  const child = spawn(process.execPath, [STAND_IN, '--with-parent', '--folder', folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const url = await Promise.race([
    once(child.stdout, 'data').then(([line]) => /esdb:\S+\?tls=false/.exec(`${line}`)?.[0]),
    ended.then(() => undefined),
  ]);
  if (!url) throw new Error('the stand-in for EventStoreDB did not start');
  return {
    url,
    about: 'as the stand-in in test/support says it: set EVENTSTORE_URL for a server',
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function eventStoreDbVersion(url) {
  const store = await EventStoreDbEventStore.open({ url, streamPrefix: '', readOnly: true });
  try {
    return store.engineVersion();
  } finally {
    await store.close();
  }
}

async function mongodbVersion(url) {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 10_000 });
  try {
    const { version, secantusVersion, buildEnvironment } = await client.db('admin').command({ buildInfo: 1 });
    if (secantusVersion === undefined) return version;
    isInPython = buildEnvironment?.cc !== 'rustc';
    return `${version}, as SecantusDB ${secantusVersion} in ${isInPython ? 'Python' : 'Rust'} says it, a stand-in`;
  } finally {
    await client.close();
  }
}

async function runJest() {
  const namesFiles = given.some((argument) => argument.startsWith('test/'));
  const patterns = namesFiles ? [] : MONGODB_URL ? (PARTS[part] ?? ON_BOTH) : ON_EVENTSTOREDB;
  const jest = spawn(
    process.execPath,
    [
      '--experimental-vm-modules',
      'node_modules/jest/bin/jest.js',
      '--maxWorkers=2',
      // The same as embedded takes several times as long through a server in Python.
      `--testTimeout=${isInPython ? 180_000 : 60_000}`,
      ...given,
      ...patterns,
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, EVENTSTORE_URL, MONGODB_URL, TEST_ENGINES: MONGODB_URL ? 'distributed' : 'embedded' },
    },
  );
  const ended = once(jest, 'exit');
  const stopWatching = watchInPython(() => jest.kill('SIGKILL'));
  const [code] = await ended;
  const stood = await stopWatching();
  return stood === 'hung' || (stood === 'stalled' && code !== 0) ? STAND_IN_HANGS : (code ?? 1);
}

/**
 * SecantusDB in Python now and then goes on for ever with a write, and holds up all others: seen when clients had died in
 * the middle of theirs. @returns the way to stop watching, which tells whether it `hung` until the end, `stalled` for so long
 * that specs may have given up, or was `well`
 */
function watchInPython(onHang) {
  if (!isInPython) return async () => 'well';
  const client = new MongoClient(MONGODB_URL, { serverSelectionTimeoutMS: PATIENCE_MS, socketTimeoutMS: PATIENCE_MS });
  let hangs = false;
  let longestMs = 0;
  let askedAt = performance.now();
  let stopped = false;
  const watching = (async () => {
    while (!stopped && !hangs) {
      askedAt = performance.now();
      try {
        await client.db('watch').collection('beats').replaceOne({ _id: 1 }, { at: Date.now() }, { upsert: true });
      } catch (error) {
        if (stopped) return;
        console.error(`SecantusDB does not answer: ${error.message}`);
        hangs = true;
        onHang();
      }
      longestMs = Math.max(longestMs, performance.now() - askedAt);
      await pause(1000);
    }
  })();
  return async () => {
    stopped = true;
    longestMs = Math.max(longestMs, performance.now() - askedAt);
    await client.close(true);
    await watching;
    if (hangs) return 'hung';
    return longestMs > STALL_MS ? 'stalled' : 'well';
  };
}
