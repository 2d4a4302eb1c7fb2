import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Costs } from './spec-costs.js';
import { ROOT } from './transpile.js';

/** Seconds that specs took when they were recorded last, by path from the root. */
export type Durations = Readonly<Record<string, number>>;

const DURATIONS = 'test/durations.json';

/** Seconds of a spec that is not recorded. */
const QUICK = 0.1;
/** Seconds of a group, before which the worker loads the server for three: one group for each worker loads least often. */
const GROUP = 30;
/** Groups for each worker, if there are enough specs: with two, a worker that is done early helps the others. */
const MOST_GROUPS = 2;
/** Fewer specs are run one by one: that keeps all workers busy. */
const FEW = 20;

/** Hooks and timeouts at the top of a spec would hold for its whole group, and client libraries replace globals. */
const NEEDS_GLOBALS_OF_ITS_OWN = /^(?:(?:before|after)(?:All|Each)\(|jest\.|import .* from 'zulip-js')/m;

export interface Group {
  readonly seconds: number;
  /** Absolute paths. */
  readonly specs: readonly string[];
}

export const readDurations = async (): Promise<Durations> => JSON.parse(await readFile(join(ROOT, DURATIONS), 'utf8'));

/**
 * Selects the specs of one turn of several, which take about as long as each other.
 *
 * @param specs absolute paths
 * @param turn such as `2/3`
 * @throws Error unless it is one
 */
export async function inTurn(specs: readonly string[], turn: string): Promise<readonly string[]> {
  const [, number = '', of = ''] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(turn) ?? [];
  if (number === '' || Number(number) > Number(of)) throw new Error(`--turn=${turn}: say 1/3, 2/3 or 3/3, for example`);
  return dealt(specs, await knownSeconds(), Number(of))[Number(number) - 1]?.specs ?? [];
}

/** Divides specs into groups that take about as long as each other. The longest group comes first. */
export async function groupsOf(specs: readonly string[], workers: number): Promise<readonly Group[]> {
  const secondsOf = await knownSeconds();
  const alone: Group[] = [];
  const together: string[] = [];
  for (const path of specs) {
    const isAlone = specs.length <= FEW || NEEDS_GLOBALS_OF_ITS_OWN.test(await readFile(path, 'utf8'));
    if (isAlone) alone.push({ seconds: secondsOf(path), specs: [path] });
    else together.push(path);
  }
  const seconds = together.reduce((sum, path) => sum + secondsOf(path), 0);
  const count = Math.max(workers, Math.min(workers * MOST_GROUPS, Math.round(seconds / GROUP)));
  return longestFirst([...alone, ...dealt(together, secondsOf, count)]);
}

async function knownSeconds(): Promise<(path: string) => number> {
  const durations = await readDurations();
  return (path) => durations[relative(ROOT, path)] ?? QUICK;
}

/** Gives each spec, beginning with the slowest, to the group that has least to do so far. */
function dealt(specs: readonly string[], secondsOf: (path: string) => number, count: number): readonly Group[] {
  const groups = Array.from({ length: Math.min(count, specs.length) }, () => ({ seconds: 0, specs: [] as string[] }));
  for (const path of specs.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))) {
    const least = groups.reduce((one, other) => (other.seconds < one.seconds ? other : one));
    least.specs.push(path);
    least.seconds += secondsOf(path);
  }
  return groups;
}

const longestFirst = (groups: readonly Group[]): readonly Group[] => groups.toSorted((a, b) => b.seconds - a.seconds);

/** Records how long the specs of a run took. Others keep what was recorded of them. */
export async function recordDurations({ specs }: Costs): Promise<void> {
  const seconds = Object.fromEntries([...specs].map(([path, cost]) => [path, Math.round(cost.seconds * 10) / 10]));
  const known = Object.entries({ ...(await readDurations()), ...seconds })
    .filter(([path]) => existsSync(join(ROOT, path)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  await writeFile(join(ROOT, DURATIONS), `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
}
