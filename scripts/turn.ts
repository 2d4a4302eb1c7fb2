import { execFileSync } from 'node:child_process';

/** Parts of what takes longest: a part of it fits into a run of a quarter of an hour. */
const PARTS = 6;
/** Parts of what takes less, and checks that are run whole by turns. */
const FEWER_PARTS = 3;

/**
 * Tells which part of the long checks a commit runs, such as `2/6`. Commits that follow each other run the parts in turn, and a
 * repeat runs the same part. A commit with a new version runs everything, `1/1`, and so does a folder without commits.
 */
export function turnOf(folder: string): string {
  try {
    return changesVersion(folder) ? '1/1' : `${(numberOf(folder) % PARTS) + 1}/${PARTS}`;
  } catch {
    return '1/1';
  }
}

/** Tells which third a turn of six takes of what is run by thirds: `5/6` is `2/3`. Everything, `1/1`, stays so. */
export function thirdOf(turn: string): string {
  const [number = 1, of = 1] = turn.split('/').map(Number);
  const parts = Math.min(of, FEWER_PARTS);
  return `${((number - 1) % parts) + 1}/${parts}`;
}

/** Selects the checks whose turn it is, of those that are run whole: a third of them, or all of them with `1/1`. */
export function checksInTurn<T>(checks: readonly T[], turn: string): readonly T[] {
  const [number = 1, of = 1] = thirdOf(turn).split('/').map(Number);
  return checks.filter((_, index) => index % of === number - 1);
}

/** Counts the commits up to this one. A shallow clone does not have them: there, the hash is the number. */
function numberOf(folder: string): number {
  const isShallow = git(folder, 'rev-parse', '--is-shallow-repository') === 'true';
  if (isShallow) return Number.parseInt(git(folder, 'rev-parse', 'HEAD').slice(0, 8), 16);
  return Number(git(folder, 'rev-list', '--count', 'HEAD'));
}

function changesVersion(folder: string): boolean {
  try {
    return /^\+ {2}"version"/m.test(git(folder, 'diff', 'HEAD~1', 'HEAD', '--', 'package.json'));
  } catch {
    // The first commit, or the only one that a shallow clone has.
    return false;
  }
}

const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync('git', ['-C', folder, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
