import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { p50, p99 } from './driver/figures.js';

/**
 * Describes the machine, which the figures depend on.
 *
 * @param directory a folder on the measured disk
 */
export function describeMachine(directory: string) {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    processors: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    /** The load of other programs when the bench began. */
    loadBefore: loadNow(),
    syncMs: syncTimes(directory),
  };
}

/** Measures how long the disk takes to make 4 KiB durable. */
function syncTimes(directory: string) {
  const path = join(directory, 'sync-test');
  const file = openSync(path, 'w');
  const block = Buffer.alloc(4096, 1);
  const times = Array.from({ length: 200 }, () => {
    writeSync(file, block);
    const startedAt = performance.now();
    fdatasyncSync(file);
    return performance.now() - startedAt;
  });
  closeSync(file);
  rmSync(path);
  return { p50: Number(p50(times).toFixed(3)), p99: Number(p99(times).toFixed(3)) };
}

/** Tells how many threads wanted a processor in the last minute, on average. */
export const loadNow = () => Number((loadavg()[0] ?? 0).toFixed(2));
