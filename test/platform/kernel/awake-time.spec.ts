import { MessageChannel } from 'node:worker_threads';
import { expect, it } from '@jest/globals';
import { AwakeTimer, awakeNow, withTimeout } from '../../../src/platform/kernel/awake-time.js';

/** Blocks the event loop of this thread. */
const standStill = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

const silent = (): Error => new Error('silent');

it('a timeout does not fire for an answer that arrived while the event loop was blocked', async () => {
  const { port1, port2 } = new MessageChannel();
  const message = new Promise((resolve) => port2.once('message', resolve));
  const answer = withTimeout(message, 300, silent);
  port1.postMessage('the answer');
  standStill(600);
  expect(await answer).toBe('the answer');
  port1.close();
});

it('a timeout fires if no answer arrives', async () => {
  const before = performance.now();
  await expect(withTimeout(new Promise(() => {}), 50, silent)).rejects.toThrow('silent');
  expect(performance.now() - before).toBeGreaterThanOrEqual(49);
});

it('awake time hardly counts a blocked event loop, however long it is blocked', () => {
  const before = awakeNow();
  standStill(900);
  expect(awakeNow() - before).toBeLessThan(500);
});

it('an awake timer begins anew when it is refreshed', async () => {
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
