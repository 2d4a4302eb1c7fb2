import { execFileSync } from 'node:child_process';

const PARTS = 3;

/**
 * Tells which part of the long checks a commit runs, such as `2/3`. Commits that follow each other run the parts in turn, and a
 * repeat runs the same part. A commit with a new version runs everything, `1/1`, and so does a folder without commits.
 */
export function turnOf(folder: string): string {
  try {
    return changesVersion(folder) ? '1/1' : `${(numberOf(folder) % PARTS) + 1}/${PARTS}`;
  } catch {
    return '1/1';
  }
}

/** Selects the checks whose turn it is, of those that are run whole. */
export function checksInTurn<T>(checks: readonly T[], turn: string): readonly T[] {
  const [number = 1, of = 1] = turn.split('/').map(Number);
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
