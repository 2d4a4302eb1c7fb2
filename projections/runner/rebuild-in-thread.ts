import { type ResourceLimits, Worker } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { threadEntry } from '../../src/platform/threads/thread-entry.js';
import {
  type BuildFailure,
  type BuildProgress,
  type RebuildReport,
  type RebuildRequest,
  STOP,
} from './rebuild-protocol.js';

/**
 * The young generation is three spaces of 16 MiB: documents of a page are garbage soon. The old generation keeps a tenth of
 * its limit. With a limit of 320 MiB, V8 collects so often that a rebuild takes a tenth more processor time.
 */
const HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 1024 };

/**
 * Builds databases on a thread, so that the serving thread stays free.
 *
 * @returns the failed builds; the others are done
 * @throws the thread's error if the thread dies; Error when the signal aborts
 */
export function rebuildInThread(
  request: RebuildRequest,
  onProgress: (progress: BuildProgress) => void,
  signal: AbortSignal,
): Promise<readonly BuildFailure[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(threadEntry('projections/runner/rebuild.thread.js'), {
      workerData: request,
      resourceLimits: HEAP,
    });
    // Not `terminate()`: SQLite's binding aborts the process if a thread ends within a call.
    const stop = (): void => worker.postMessage(STOP);
    let failures: readonly BuildFailure[] | undefined;
    let reason: unknown;

    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    worker.on('message', (report: RebuildReport) => {
      if (report.kind === 'progress') onProgress(report.progress);
      else if (report.kind === 'warning') new Logger('Projections').warn(report.line);
      else failures = report.failures;
    });
    worker.on('error', (error) => {
      reason = error;
    });
    // The thread's files are closed only at its exit.
    worker.on('exit', (code) => {
      signal.removeEventListener('abort', stop);
      if (failures && reason === undefined) resolve(failures);
      else if (signal.aborted) reject(new Error('the rebuild was stopped'));
      else reject(reason ?? new Error(`the rebuild thread ended unfinished (exit code ${code})`));
    });
  });
}
