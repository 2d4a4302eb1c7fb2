import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiled } from '../../../scripts/transpile.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';

const PROCESS = compiled('test/support/projections/build-process.ts');

export const databaseOfBuild = ({ name, version }: Projection): string => `${name}.v${version}.g1`;

export interface BuildTurn {
  readonly dataDirectory: string;
  readonly mongodbUrl: string;
  /** Fencing token of the builder. */
  readonly token: number;
  /** Number of the commit at which the process kills itself, see `build-process.ts`. */
  readonly commit: number;
}

/** Builds in a process of its own. @returns whether it was killed, and what it printed */
export async function buildTurn({ dataDirectory, mongodbUrl, token, commit }: BuildTurn) {
  const child = spawn(process.execPath, [PROCESS, dataDirectory, mongodbUrl, String(token), String(commit)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`the build ended with ${code}`);
  return { isKilled: signal === 'SIGKILL', printed };
}
