import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../scripts/transpile.js';

const run = promisify(execFile);

const CACHE = join(ROOT, 'node_modules/.cache/annals-python');
const INSTALLED_WITHIN_MS = 180_000;

/** Packages with their programs. */
export interface PythonPackages {
  /** Path of a program, such as `python`. */
  program(name: string): string;
}

/**
 * Installs packages of PyPI with their versions, in an environment of their own. Prints a line where they cannot be installed.
 *
 * @param given what pip gets: packages and options
 * @returns null where there is no Python, no PyPI or no such package
 */
export async function pythonPackages(given: readonly string[]): Promise<PythonPackages | null> {
  const folder = join(CACHE, createHash('sha256').update(given.join(' ')).digest('hex').slice(0, 16));
  const complete = join(folder, 'complete');
  try {
    if (!existsSync(complete)) {
      await rm(folder, { recursive: true, force: true });
      await run('python3', ['-m', 'venv', folder]);
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...given];
      await run(join(folder, 'bin/python'), pip, { timeout: INSTALLED_WITHIN_MS });
      await writeFile(complete, '');
    }
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    process.stdout.write(`${given.join(' ')}: not tried, because it cannot be installed: ${reason}\n`);
    return null;
  }
  return { program: (name) => join(folder, 'bin', name) };
}
