import { slowness } from '../../scripts/known-work.js';

/**
 * @returns milliseconds of processor time that the work took, as the reference machine of `known-work.js` would take them: other
 * processes do not count, nor does a slow processor
 */
export function processorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / slowness();
}
