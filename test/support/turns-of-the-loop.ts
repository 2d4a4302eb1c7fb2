import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { slowness } from '../../scripts/known-work.js';

/** Milliseconds of processor time that Linux counts as one. */
const TICK_MS = 10;

/**
 * Measures the turns of this process's event loop until `work` is done. A slow processor, and one that others use meanwhile, count
 * for nothing.
 *
 * @returns the longest, and all together: milliseconds of processor time of the reference machine of `known-work.js`
 */
export async function turnsDuring(
  work: Promise<unknown>,
): Promise<{ readonly longest: number; readonly total: number }> {
  let isDone = false;
  void work
    .catch(() => {})
    .then(() => {
      isDone = true;
    });
  const first = ticksOfThread();
  let [longest, before] = [0, first];
  while (!isDone) {
    await nextTurn();
    const now = ticksOfThread();
    longest = Math.max(longest, now - before);
    before = now;
  }
  const tick = TICK_MS / slowness();
  return { longest: longest * tick, total: (before - first) * tick };
}

/** Processor time of the thread with the event loop. */
function ticksOfThread(): number {
  const fields = readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
