import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './processes.js';
import { ROOT } from './transpile.js';

/** Specs in a group, at most. */
const GROUP = 16;
/** Fewer specs are run one by one: that keeps all workers busy. */
const FEW = 20;

/** Hooks and timeouts at the top of a spec would hold for its whole group, and client libraries replace globals. */
const NEEDS_GLOBALS_OF_ITS_OWN = /^(?:(?:before|after)(?:All|Each)\(|jest\.|import .* from 'zulip-js')/m;

const JEST = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

export interface JestRun {
  /** Options of Jest, each in one argument. */
  readonly options: readonly string[];
  /** Regular expressions of paths; none means all specs. */
  readonly patterns: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  /** Kills Jest. */
  readonly signal?: AbortSignal;
}

/**
 * Runs specs with Jest. Loading and compiling the server takes longer than most specs: many specs are run in groups, which do
 * it once. Jest takes a group for one file.
 *
 * @returns the exit code
 */
export async function runJest({ options, patterns, environment = process.env, signal }: JestRun): Promise<number> {
  const specs = await specsOf(patterns);
  const folder = await mkdtemp(join(tmpdir(), 'annals-specs-'));
  try {
    const files = specs.length > FEW ? await inGroups(specs, folder) : specs;
    const roots = [ROOT, folder].map((root) => `--roots=${root}`);
    const all = [...roots, ...withDefaults(options, ['--maxWorkers=2']), '--runTestsByPath', ...files];
    const jest = spawn(process.execPath, [...JEST, ...all], { cwd: ROOT, stdio: 'inherit', env: environment });
    signal?.addEventListener('abort', () => jest.kill('SIGKILL'));
    const [code] = await once(jest, 'exit');
    return code ?? 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Adds the defaults that are not given: Jest takes no option twice. */
export function withDefaults(options: readonly string[], defaults: readonly string[]): readonly string[] {
  const isGiven = (name = '') => options.some((option) => option === name || option.startsWith(`${name}=`));
  return [...defaults.filter((option) => !isGiven(option.split('=')[0])), ...options];
}

/** @returns absolute paths */
async function specsOf(patterns: readonly string[]): Promise<readonly string[]> {
  const quoted = patterns.map((pattern) => `'${pattern}'`).join(' ');
  const output = await run(`'${process.execPath}' ${JEST.join(' ')} --listTests ${quoted}`, { cwd: ROOT });
  return output.split('\n').filter((line) => line.endsWith('.spec.ts'));
}

/** Spreads the specs of each folder over all groups, because slow specs share a folder. @returns the files for Jest */
async function inGroups(specs: readonly string[], folder: string): Promise<readonly string[]> {
  const alone: string[] = [];
  const together: string[] = [];
  for (const path of specs.toSorted()) {
    const needsOwn = NEEDS_GLOBALS_OF_ITS_OWN.test(await readFile(path, 'utf8'));
    (needsOwn ? alone : together).push(path);
  }
  const groups = Array.from({ length: Math.ceil(together.length / GROUP) }, (): string[] => []);
  for (const [index, path] of together.entries()) groups[index % groups.length]?.push(path);
  const files = await Promise.all(
    groups.map(async (paths, index) => {
      const file = join(folder, `group-${index + 1}.spec.ts`);
      await writeFile(file, paths.map((path) => `import ${JSON.stringify(path)};\n`).join(''));
      return file;
    }),
  );
  return [...files, ...alone];
}
