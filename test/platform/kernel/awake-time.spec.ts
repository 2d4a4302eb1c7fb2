import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { AwakeTimer, awakeNow } from '../../../src/platform/kernel/awake-time.js';
import { withTimeout } from '../../../src/platform/kernel/with-timeout.js';

/** This thread does nothing else meanwhile, and looks at nothing that comes. */
const standStill = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

const silent = (): Error => new Error('silent');

it('does not take for silence what came while nobody looked', async () => {
  const answer = withTimeout(readFile(new URL(import.meta.url), 'utf8'), 300, silent);
  standStill(600);
  expect(await answer).toContain('standStill');
});

it('ends the patience for somebody who is silent', async () => {
  const before = performance.now();
  await expect(withTimeout(new Promise(() => {}), 50, silent)).rejects.toThrow('silent');
  expect(performance.now() - before).toBeGreaterThanOrEqual(49);
});

it('counts a standstill for next to nothing, however long', () => {
  const before = awakeNow();
  standStill(900);
  expect(awakeNow() - before).toBeLessThan(500);
});

it('begins anew with whatever is heard', async () => {
  const over: number[] = [];
  const startedAt = performance.now();
  await new Promise<void>((resolve) => {
    const timer = new AwakeTimer(60, () => {
      over.push(performance.now() - startedAt);
      resolve();
    });
    setTimeout(() => timer.refresh(), 40);
  });
  expect(over).toHaveLength(1);
  expect(over[0]).toBeGreaterThanOrEqual(98);
});
