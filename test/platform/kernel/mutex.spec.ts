import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { Mutex } from '../../../src/platform/kernel/mutex.js';

it('a mutex runs work one by one, in order, even if some of it fails', async () => {
  const mutex = new Mutex();
  const seen: string[] = [];
  const work = (name: string, milliseconds: number) => async () => {
    seen.push(`${name} begins`);
    await pause(milliseconds);
    seen.push(`${name} ends`);
    return name;
  };
  const failing = mutex.run(async () => {
    throw new Error('no');
  });
  const slow = mutex.run(work('slow', 10));
  const quick = mutex.run(work('quick', 0));
  expect(mutex.isIdle).toBe(false);
  await expect(failing).rejects.toThrow('no');
  expect(await Promise.all([slow, quick])).toEqual(['slow', 'quick']);
  expect(seen).toEqual(['slow begins', 'slow ends', 'quick begins', 'quick ends']);
  await mutex.idle();
  expect(mutex.isIdle).toBe(true);
});
