import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCosts, reportCosts } from './spec-costs.js';
import { type Group, groupsOf, recordDurations } from './spec-groups.js';
import { SPEC_TIMES } from './timed-environment.js';
import { ROOT } from './transpile.js';

/** They mostly wait, for each other too: more of them than processors keep the processors busy. */
const WORKERS = 4;

/** Jest looks through all files in these. */
const SOURCES = ['test', 'src', 'projections', 'scripts', 'bench'];

/** Young objects get more room: collecting them costs a tenth of the time otherwise. */
const ROOM = '--max-semi-space-size=32';

const JEST = [ROOM, '--experimental-vm-modules', '--no-warnings=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

export interface JestRun {
  /** Options of Jest, each in one argument. */
  readonly options: readonly string[];
  /** Absolute paths. */
  readonly specs: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Kills Jest. */
  readonly signal?: AbortSignal;
  /** True: writes down how long each spec took, for the groups of later runs. */
  readonly records?: boolean;
  /** True: prints the costliest specs, and fails if one takes far more than its budget. */
  readonly budgets?: boolean;
}

/**
 * Runs specs with Jest. Loading and compiling the server takes longer than most specs: many specs are run in groups, which do
 * it once. Jest takes a group for one file.
 *
 * @returns the exit code
 */
export async function runJest(jestRun: JestRun): Promise<number> {
  const { specs, environment = process.env, signal, records = false, budgets = false } = jestRun;
  if (specs.length === 0) {
    // Jest would run all of them.
    console.log('There are no specs to run: other turns have those that match.');
    return 0;
  }
  const folder = await mkdtemp(join(tmpdir(), 'annals-specs-'));
  try {
    const inOrder = '--testSequencer=./scripts/longest-first.cjs';
    const options = withDefaults(jestRun.options, [`--maxWorkers=${WORKERS}`, inOrder]);
    const files = await filesFor(await groupsOf(specs, workersIn(options)), folder);
    const [order, times] = [join(folder, 'order.json'), join(folder, 'times')];
    await writeFile(order, JSON.stringify(files));
    const roots = [...SOURCES.map((name) => join(ROOT, name)), folder].map((root) => `--roots=${root}`);
    const jest = spawn(process.execPath, [...JEST, ...roots, ...options, '--runTestsByPath', ...files], {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...environment, SPEC_ORDER: order, [SPEC_TIMES]: times },
    });
    signal?.addEventListener('abort', () => jest.kill('SIGKILL'));
    const [code] = await once(jest, 'exit');
    const costs = await readCosts(times);
    if (records) await recordDurations(costs);
    const beyond = budgets ? reportCosts(costs) : [];
    for (const spec of beyond)
      console.error(`${spec} takes too much: make it cheaper, or a slow one (CONTRIBUTING.md)`);
    return (code ?? 1) || beyond.length;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Adds the defaults that are not given: Jest takes no option twice. */
export function withDefaults(options: readonly string[], defaults: readonly string[]): readonly string[] {
  const isGiven = (name = '') => options.some((option) => option === name || option.startsWith(`${name}=`));
  return [...defaults.filter((option) => !isGiven(option.split('=')[0])), ...options];
}

/**
 * Lists specs.
 *
 * @param patterns regular expressions of paths; none means all specs
 * @returns absolute paths
 * @throws Error if no path matches
 */
export async function specsOf(patterns: readonly string[] = []): Promise<readonly string[]> {
  const expressions = patterns.map((pattern) => new RegExp(pattern, 'i'));
  const names = await readdir(join(ROOT, 'test'), { recursive: true });
  const specs = names.filter((name) => name.endsWith('.spec.ts')).map((name) => join(ROOT, 'test', name));
  const found = specs.filter((path) => patterns.length === 0 || expressions.some((one) => one.test(path)));
  if (found.length === 0) throw new Error(`no spec has a path that matches ${patterns.join(' or ')}`);
  return found.sort();
}

/** Slow specs mostly wait: for killed processes, for engines under faults. */
export const isSlow = (path: string): boolean => path.endsWith('.slow.spec.ts');

function workersIn(options: readonly string[]): number {
  if (options.includes('--runInBand')) return 1;
  const [, given] = options.map((option) => /^--maxWorkers=(\d+)$/.exec(option)).find((found) => found) ?? [];
  return Number(given ?? WORKERS);
}

/** @returns the files for Jest */
async function filesFor(groups: readonly Group[], folder: string): Promise<readonly string[]> {
  return Promise.all(
    groups.map(async ({ specs }, index) => {
      const [first = ''] = specs;
      if (specs.length === 1) return first;
      const file = join(folder, `group-${index + 1}.spec.ts`);
      await writeFile(file, specs.map((path) => `import ${JSON.stringify(path)};\n`).join(''));
      return file;
    }),
  );
}
