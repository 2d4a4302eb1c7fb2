import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { compiled } from '../../../scripts/transpile.js';

const MODULE = compiled('src/app/cli/stop-signals.ts');

/** A program whose start never ends. */
const STARTING = `
  const { startUnlessStopped, stopAsked } = await import('${MODULE}');
  setInterval(() => {}, 1000);
  await startUnlessStopped(stopAsked(), () => {
    console.log('ready');
    return new Promise(() => {});
  });
`;

/** A program whose stop never ends. */
const STOPPING = `
  const { endWithin, startUnlessStopped, stopAsked } = await import('${MODULE}');
  setInterval(() => {}, 1000);
  const stopped = stopAsked();
  await startUnlessStopped(stopped, async () => {});
  void stopped.then(() => endWithin(300));
  console.log('ready');
`;

/** A program that cannot go on, and whose stop never ends. */
const LOST = `
  const { endWithin, stoppedOrLost } = await import('${MODULE}');
  setInterval(() => {}, 1000);
  console.log('ready');
  await stoppedOrLost(new Promise(() => {}), Promise.resolve('the log is gone')).finally(() => {
    endWithin(300);
    return new Promise(() => {});
  });
`;

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

  let complaints = '';

  const start = async (program = PROGRAM): Promise<void> => {
    child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    complaints = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      complaints += chunk.toString('utf8');
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

  it.each(['SIGINT', 'SIGTERM'] as const)('ends by %s at once while it starts', async (signal) => {
    await start(STARTING);
    const ended = once(child, 'close');
    child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect(complaints).toBe('annals: stopped before the start was done\n');
  });

  it('ends when its time is over, whatever holds up the stop', async () => {
    await start(STOPPING);
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(complaints).toBe(
      'annals: the stop was not done after 0.3 s: ending. Nothing that was acknowledged is lost\n',
    );
  });

  it('says why it ends before its stop, which may be held up', async () => {
    await start(LOST);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
    expect(child.signalCode).toBe('SIGKILL');
    expect(complaints).toMatch(/^annals: the log is gone; this process ends: .*\nannals: the stop was not done/);
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
