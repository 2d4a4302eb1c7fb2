import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { compiled } from '../../../scripts/transpile.js';

const MODULE = compiled('src/app/cli/stop-signals.ts');

/** A program that never ends by itself. */
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

  it.each(['SIGINT', 'SIGTERM'] as const)('learns of %s and does not end at once', async (signal) => {
    await start();
    child.kill(signal);
    expect(await said()).toBe(signal);
    expect(child.exitCode).toBeNull();
  });

  it('ignores further signals for half a second, and ends at once on a later one', async () => {
    await start();
    const ended = once(child, 'exit');
    const askedAt = performance.now();
    child.kill('SIGINT');
    await said();
    const insisting = setInterval(() => child.kill('SIGINT'), 20);
    expect(await ended).toEqual([null, 'SIGINT']);
    clearInterval(insisting);
    expect(performance.now() - askedAt).toBeGreaterThan(400);
  });
});
