import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { PeriodicTask } from '../../../src/platform/kernel/periodic-task.js';
import { eventually } from '../../support/eventually.js';

it('a periodic task runs again and again, never twice at once, and not after it was stopped', async () => {
  let [runs, running, most] = [0, 0, 0];
  const task = new PeriodicTask({
    every: 1,
    work: async () => {
      runs += 1;
      running += 1;
      most = Math.max(most, running);
      await pause(2);
      running -= 1;
    },
  });
  task.start();
  await eventually(() => expect(runs).toBeGreaterThan(2));
  await task.stop();
  const before = runs;
  expect({ running, most }).toEqual({ running: 0, most: 1 });
  await pause(10);
  expect(runs).toBe(before);
});

it('a periodic task runs at once, or after another interval, if it is told to', async () => {
  const waits = [0, 60_000];
  let runs = 0;
  const task = new PeriodicTask({
    every: 60_000,
    firstAfter: 0,
    work: async () => {
      runs += 1;
      return waits.shift();
    },
  });
  task.start();
  await eventually(() => expect(runs).toBe(2));
  await task.stop();
  expect(runs).toBe(2);
});
