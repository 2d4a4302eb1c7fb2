import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../scripts/transpile.js';

const run = promisify(execFile);

const CACHE = join(ROOT, 'node_modules/.cache/annals-debian');
const FETCHED_WITHIN_MS = 120_000;

/** Programs of a package, which is unpacked and not installed: nothing of the machine changes, and no service begins. */
export interface DebianPackage {
  /** Path of a program. */
  program(name: string): string;
}

/**
 * Unpacks a package of Debian. Prints a line where it cannot be had.
 *
 * @returns null where there is no Debian, no mirror or no such package
 */
export async function debianPackage(name: string): Promise<DebianPackage | null> {
  const folder = join(CACHE, name);
  const making = `${folder}.${process.pid}`;
  try {
    if (!existsSync(folder)) {
      await rm(making, { recursive: true, force: true });
      await mkdir(making, { recursive: true });
      const options = { cwd: making, timeout: FETCHED_WITHIN_MS };
      // An old list may name a version that the mirror no longer has. Only root may update it.
      await run('apt-get', ['update', '-qq'], options).catch(() => {});
      await run('apt-get', ['download', '-qq', name], options);
      for (const file of await readdir(making)) await run('dpkg-deb', ['-x', file, '.'], options);
      await rename(making, folder);
    }
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    process.stdout.write(`${name}: not tried, because it cannot be unpacked: ${reason}\n`);
    return null;
  }
  return { program: (program) => join(folder, 'usr/bin', program) };
}
