import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../scripts/transpile.js';

const run = promisify(execFile);

const CACHE = join(ROOT, 'node_modules/.cache/annals-go');
const BUILT_WITHIN_MS = 240_000;

/**
 * Builds a program of a public Go module. Prints a line where it cannot be built.
 *
 * @param module path of its package with its version: `example.org/module/cmd/program@v1.2.3`
 * @returns the path of the program; null where there is no Go, no module proxy or no such module
 */
export async function goProgram(module: string): Promise<string | null> {
  const folder = join(CACHE, module.replaceAll(/[^a-z0-9.]+/gi, '-'));
  const program = join(folder, basename(module.split('@')[0] ?? ''));
  try {
    if (!existsSync(program))
      await run('go', ['install', module], { env: { ...process.env, GOBIN: folder }, timeout: BUILT_WITHIN_MS });
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    process.stdout.write(`${module}: not tried, because it cannot be built: ${reason}\n`);
    return null;
  }
  return program;
}
