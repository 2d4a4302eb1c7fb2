import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { forEachConcurrently } from '../../../src/platform/kernel/for-each-concurrently.js';

it('concurrent work handles each item once, and no more items at once than asked for', async () => {
  let [atWork, most] = [0, 0];
  const done: number[] = [];
  await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    atWork += 1;
    most = Math.max(most, atWork);
    await pause(1);
    atWork -= 1;
    done.push(item);
  });
  expect(most).toBe(3);
  expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

it('concurrent work rejects with the first failure when all workers have ended, and ends at the signal', async () => {
  const done: number[] = [];
  const work = async (item: number): Promise<void> => {
    if (item === 1) throw new Error('no');
    await pause(1);
    done.push(item);
  };
  await expect(forEachConcurrently([1, 2, 3], 2, work)).rejects.toThrow('no');
  expect(done).toEqual([2, 3]);
  const stopping = new AbortController();
  await forEachConcurrently([4, 5, 6], 1, async (item) => work(item).then(() => stopping.abort()), stopping.signal);
  expect(done).toEqual([2, 3, 4]);
});
