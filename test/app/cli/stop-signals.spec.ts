import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { compiled } from '../../../scripts/transpile.js';

const MODULE = compiled('src/app/cli/stop-signals.ts');

/** Never ends by itself. */
const PROGRAM = `
  const { stopAsked } = await import('${MODULE}');
  setInterval(() => {}, 1000);
  const stopped = stopAsked();
  console.log('ready');
  console.log(await stopped);
`;

describe('a process that is asked to stop', () => {
  let child: ChildProcess;

  const start = async (): Promise<void> => {
    child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await said();
  };
  const said = async (): Promise<string> => {
    const [chunk] = child.stdout ? await once(child.stdout, 'data') : [];
    return String(chunk).trim();
  };

  afterEach(() => {
    child.kill('SIGKILL');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('hears %s and may take its time', async (signal) => {
    await start();
    child.kill(signal);
    expect(await said()).toBe(signal);
    expect(child.exitCode).toBeNull();
  });

  it('takes what comes in the same half second for the same key, and ends at once on what comes later', async () => {
    await start();
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    await said();
    const askedAt = performance.now();
    const insisting = setInterval(() => child.kill('SIGINT'), 20);
    expect(await ended).toEqual([null, 'SIGINT']);
    clearInterval(insisting);
    expect(performance.now() - askedAt).toBeGreaterThan(400);
  });
});
