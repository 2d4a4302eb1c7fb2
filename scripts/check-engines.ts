// Runs the specs that can fail only on EventStoreDB and MongoDB, on the servers that EVENTSTORE_URL and MONGODB_URL name, or on
// stand-ins.
// Usage: node scripts/run.js scripts/check-engines.ts FOLDER TURN; reports of Jest go to FOLDER/*.jest.json. Contracts are run
// whole; of the others, the part whose turn it is, such as 1/6.
import { join } from 'node:path';
import { type Part, STAND_IN_HANGS } from './engine-specs.js';
import { type Environment, runTests } from './processes.js';
import { builtInRust, installInPython, withSecantusDb } from './secantusdb.js';
import { thirdOf } from './turn.js';

const ATTEMPTS = 3;

const [folder = '', turn = '1/1'] = process.argv.slice(2);
const failed: string[] = [];

const test = (name: string, words: string, environment: Environment = {}): Promise<number> =>
  runTests(
    `node scripts/run.js scripts/test-engines.ts --json --outputFile='${join(folder, name)}.jest.json' ${words}`,
    environment,
  );

/** Runs specs on a new server, because killed clients make it slow. Repeats them if the server stops answering. */
async function onSecantusDb(server: string, name: string, words: string): Promise<void> {
  let code = STAND_IN_HANGS;
  for (let attempt = 1; code === STAND_IN_HANGS && attempt <= ATTEMPTS; attempt++) {
    code = await withSecantusDb(server, join(folder, name), (url) =>
      test(name, words, { MONGODB_URL: url, MONGODB_DISPOSABLE: '1' }),
    );
  }
  if (code !== 0) failed.push(name);
}

/** Runs parts one by one, with the options that they name. */
async function partsOnSecantusDb(server: string, parts: Readonly<Partial<Record<Part, string>>>): Promise<void> {
  for (const [part, options] of Object.entries(parts)) await onSecantusDb(server, part, `--part ${part} ${options}`);
}

async function onStandIns(): Promise<void> {
  const inTurn = `--turn=${turn} --maxWorkers=1`;
  const third = `--turn=${thirdOf(turn)} --maxWorkers=2`;
  const inRust = builtInRust();
  if (inRust) {
    // Four at once: the specs of faults mostly wait until a dead process is given up, and more of them run out of their time.
    await Promise.all([
      partsOnSecantusDb(inRust, { contracts: '--maxWorkers=2', proxy: '', server: third }),
      partsOnSecantusDb(inRust, { longer: inTurn }),
      partsOnSecantusDb(inRust, { faults: inTurn }),
    ]);
    return;
  }
  console.log(
    'SecantusDB is not built with cargo (CONTRIBUTING.md says how): fewer specs are run, on the one in Python.',
  );
  const inPython = await installInPython(folder);
  await partsOnSecantusDb(inPython, { contracts: '--maxWorkers=2', proxy: '--maxWorkers=1', server: third });
  // Killed clients may leave it hanging, too: they have servers of their own.
  await onSecantusDb(inPython, 'processes', "'test/faults/(many|moves)-processes'");
  await onSecantusDb(inPython, 'builds', 'test/projections/runner/builds-killed.mongodb');
}

if (!process.env.MONGODB_URL) await onStandIns();
else if ((await test('everything', '')) !== 0) failed.push('everything');
if (failed.length > 0) {
  console.error(`Failed on the engines: ${failed.join(', ')}`);
  process.exitCode = 1;
}
