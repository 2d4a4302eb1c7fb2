import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { slowness } from '../../scripts/known-work.js';

/** Milliseconds of processor time that Linux counts as one. */
const TICK_MS = 10;

/**
 * Measures the turns of this process's event loop until `work` is done. A slow processor, and one that others use meanwhile, count
 * for nothing.
 *
 * @returns the longest, in milliseconds of processor time of the reference machine of `known-work.js`
 */
export async function longestTurnDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  void work
    .catch(() => {})
    .then(() => {
      isDone = true;
    });
  let [longest, before] = [0, ticksOfThread()];
  while (!isDone) {
    await nextTurn();
    const now = ticksOfThread();
    longest = Math.max(longest, now - before);
    before = now;
  }
  return (longest * TICK_MS) / slowness();
}

/** Processor time of the thread with the event loop. */
function ticksOfThread(): number {
  const fields = readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
