import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/transpile.js';

/** Builds the page as `npm run build` does, unless it is there already. */
export async function buildPage(): Promise<void> {
  const { NODE_ENV: _, ...env } = process.env;
  await promisify(execFile)(process.execPath, ['scripts/build-page.js', '--if-outdated'], { cwd: ROOT, env });
}
