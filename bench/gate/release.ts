import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Finds the commit of the last release in a repository's history: it set the version in `package.json`. The commit of a release
 * itself is compared with the release before.
 *
 * @returns null if the history does not reach so far back
 */
export function lastRelease(folder: string): string | null {
  try {
    const found = git(folder, ['log', '-2', '--format=%H', '-G', '^  "version":', '--', 'package.json']).split('\n');
    const release = found[0] === git(folder, ['rev-parse', 'HEAD']) ? found[1] : found[0];
    // The oldest commit of a shallow clone seems to set everything.
    return release ? commitOf(folder, release, '^') && release : null;
  } catch {
    return null;
  }
}

/** @throws Error if there is no such commit */
export function commitOf(folder: string, name: string, ancestor: '' | '^' = ''): string {
  try {
    return git(folder, ['rev-parse', '--verify', '--quiet', `${name}${ancestor}^{commit}`]);
  } catch {
    throw new Error(`the history has no commit ${name}${ancestor}`);
  }
}

export interface Build {
  /** The folder that has `bin` and `dist`. */
  readonly folder: string;
  readonly version: string;
  /** The flags of `node` that its own bench measures it with. */
  readonly flags: readonly string[];
}

/** Describes the build in a folder. */
export function buildIn(folder: string): Build {
  const { version, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { folder, version, flags: String(scripts.bench).match(/--max-\S+/g) ?? [] };
}

/**
 * Builds a commit with the packages that are installed, and keeps the result beside them: a second run finds it there.
 *
 * @throws Error with the output of a build that fails
 */
export async function buildOf(commit: string, root: string, say: (line: string) => void): Promise<Build> {
  const kept = join(root, 'node_modules/.cache/annals-releases', commit);
  if (existsSync(kept)) return buildIn(kept);
  say(`building ${commit.slice(0, 8)}`);
  // TypeScript writes nothing for sources in `node_modules`: they are compiled elsewhere.
  const directory = await mkdtemp(join(tmpdir(), 'annals-release-'));
  try {
    const tree = join(directory, 'tree');
    const ownIndex = { GIT_INDEX_FILE: join(directory, 'index') };
    git(root, ['read-tree', commit], ownIndex);
    git(root, ['checkout-index', '--all', `--prefix=${tree}/`], ownIndex);
    await symlink(join(root, 'node_modules'), join(tree, 'node_modules'), 'junction');
    compile(tree, commit);
    // The name is given last, so that a build that is cut off is made again.
    const partial = `${kept}.${process.pid}`;
    await mkdir(partial, { recursive: true });
    for (const name of ['bin', 'dist', 'package.json'])
      await cp(join(tree, name), join(partial, name), { recursive: true });
    await rename(partial, kept).catch(async (error) => {
      // Another run has made it meanwhile.
      if (!existsSync(kept)) throw error;
      await rm(partial, { recursive: true });
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return buildIn(kept);
}

function compile(tree: string, commit: string): void {
  const { status, stdout, stderr } = spawnSync('npm run build', { cwd: tree, shell: true, encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(
    `${commit} cannot be built with the installed packages; --against names another:\n${stdout}${stderr}`,
  );
}

const git = (folder: string, words: readonly string[], environment: Readonly<Record<string, string>> = {}): string =>
  execFileSync('git', ['-C', folder, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...environment },
  }).trim();
