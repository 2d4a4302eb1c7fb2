// Runs the steps of `.ci/run`, all of them or those that are named, and goes on after a failure, so that one run tells everything.
// The last lines are a table of the steps and `N passed, N failed`: tests, and failed steps without a failed test.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REFERENCE_MS, slowness } from './known-work.js';
import { Program } from './processes.js';
import { countTests } from './test-reports.js';
import { ROOT } from './transpile.js';
import { checksInTurn, turnOf } from './turn.js';

/** Folder of a folder for each step. */
const work = mkdtempSync(join(tmpdir(), 'annals-ci-'));
const turn = process.env.SLOW || turnOf(ROOT);

const script = (name: string, words = ''): string => `node scripts/run.js scripts/${name}.ts ${words}`;
const reportOf = (step: string): string => `--json --outputFile='${join(work, step, step)}.jest.json'`;

const COMMANDS: Readonly<Record<string, string>> = {
  types: 'npm run types',
  lint: 'npm run lint',
  arrows: 'npm run arrows',
  build: 'npm run build',
  package: script('check-package'),
  test: script('check-tests', reportOf('test')),
  engines: script('check-engines', `'${join(work, 'engines')}' ${turn}`),
  clients: `npm run test:slow -- test/clients --maxWorkers=1 ${reportOf('clients')}`,
  slow: script('check-slow', `${turn} --maxWorkers=3 ${reportOf('slow')}`),
  node24: script('check-node24'),
  start: script('check-readme'),
  // Others than the attackers wait longer on a machine that is slow. The limits of memory and errors hold as they are.
  attack: 'npm run attack -- --tolerance 30',
  gate: 'npm run bench -- --gate',
};

/** Steps of which a commit runs those whose turn it is. The fourth is run with the first, which is the shortest. */
const BY_TURNS = ['node24', 'attack', 'clients', 'gate'];

/** Lanes of a stage run beside each other, the steps of a lane one by one. */
const STAGES: readonly (readonly (readonly string[])[])[] = [
  [['lint', 'arrows', 'build'], ['types']],
  [['test'], ['package']],
  // Slow specs and those on the engines wait for killed processes. Run beside each other, they keep the processors busy.
  [['clients', 'slow', 'node24'], ['engines']],
  // `start` builds anew: nothing that needs the build runs beside it.
  [['start', 'attack', 'gate']],
];

/** Environment of all steps but `engines`: they run on the embedded engines. */
const EMBEDDED = { EVENTSTORE_URL: undefined, MONGODB_URL: undefined };

interface Result {
  readonly step: string;
  readonly startedAt: number;
  seconds?: number;
  result: string;
}

const secondsSince = (startedAt: number): number => Math.round((performance.now() - startedAt) / 1000);

const results: Result[] = [];
process.on('exit', () => {
  const counts = results.map(({ step, result }) => ({ step, result, ...countTests(join(work, step)) }));
  rmSync(work, { recursive: true, force: true });
  const failed = counts.flatMap(({ step, result, failed }) => (result === 'ok' || failed.length > 0 ? failed : [step]));
  for (const name of failed) console.log(`✕ ${name}`);
  console.log(`\n${'step'.padEnd(10)}seconds  result`);
  for (const { step, startedAt, seconds = secondsSince(startedAt), result } of results)
    console.log(`${step.padEnd(10)}${String(seconds).padStart(7)}  ${result}`);
  console.log(`${counts.reduce((sum, { passed }) => sum + passed, 0)} passed, ${failed.length} failed`);
  if (failed.length > 0) process.exitCode ||= 1;
});

async function runStep(step: string, prints: boolean): Promise<string> {
  const result: Result = { step, startedAt: performance.now(), result: 'not ended' };
  results.push(result);
  mkdirSync(join(work, step));
  if (prints) console.log(`\n=== ${step}`);
  const program = new Program(COMMANDS[step] ?? '', {
    cwd: ROOT,
    environment: step === 'engines' ? {} : EMBEDDED,
    prints,
  });
  const code = await program.ended();
  await program.stop('SIGKILL');
  result.seconds = secondsSince(result.startedAt);
  result.result = code === 0 ? 'ok' : 'FAILED';
  const end = `=== ${step}: ${result.result} after ${result.seconds} s`;
  if (prints) console.log(end);
  return `\n=== ${step}\n${program.output.trim()}\n${end}`;
}

/** Runs the lanes of a stage. The first one prints as it goes, and the others when all have ended. */
async function runStage(lanes: readonly (readonly string[])[]): Promise<void> {
  const outputs = await Promise.all(
    lanes.map(async (steps, lane) => {
      const said: string[] = [];
      for (const step of steps) said.push(await runStep(step, lane === 0));
      return said;
    }),
  );
  for (const output of outputs.slice(1).flat()) console.log(output);
}

const given = process.argv.slice(2);
const unknown = given.filter((step) => step !== 'install' && !COMMANDS[step]);
if (unknown.length > 0)
  throw new Error(`no steps: ${unknown.join(', ')}. There are ${Object.keys(COMMANDS).join(', ')}`);
const notNow = BY_TURNS.filter((step) => !checksInTurn(BY_TURNS, turn).includes(step));
const isChosen = (step: string): boolean => (given.length > 0 ? given.includes(step) : !notNow.includes(step));

const [installed, installedIn] = process.env.INSTALLED?.split(' ') ?? [];
if (installed) results.push({ step: 'install', startedAt: 0, seconds: Number(installedIn), result: installed });
console.log(
  `a loop of known work takes ${Math.round(REFERENCE_MS * slowness())} ms, ${REFERENCE_MS} on the reference machine`,
);
if (given.length === 0) console.log(`part ${turn} of what takes long, without ${notNow.join(' and ') || 'exception'}`);
for (const stage of STAGES) {
  const lanes = stage.map((steps) => steps.filter(isChosen)).filter((steps) => steps.length > 0);
  if (lanes.length > 0) await runStage(lanes);
}
