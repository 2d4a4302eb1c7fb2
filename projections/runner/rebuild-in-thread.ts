import { Worker } from 'node:worker_threads';
import { threadEntry } from '../../src/threads/thread-entry.js';
import {
  type BuildFailure,
  type BuildProgress,
  type RebuildReport,
  type RebuildRequest,
  STOP,
} from './rebuild-protocol.js';

/**
 * Builds databases on a thread of its own, so that the one that serves stays free.
 *
 * @returns the builds that failed; the others are done
 * @throws Error where the thread dies, with what it died of; or when the signal aborts
 */
export function rebuildInThread(
  request: RebuildRequest,
  onProgress: (progress: BuildProgress) => void,
  signal: AbortSignal,
): Promise<readonly BuildFailure[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(threadEntry('projections/runner/rebuild.thread.js'), { workerData: request });
    // Not `terminate()`: SQLite's binding aborts the process where a thread is ended within one of its calls.
    const stop = (): void => worker.postMessage(STOP);
    let failures: readonly BuildFailure[] | undefined;
    let reason: unknown;

    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    worker.on('message', (report: RebuildReport) => {
      if (report.kind === 'progress') onProgress(report.progress);
      else failures = report.failures;
    });
    worker.on('error', (error) => {
      reason = error;
    });
    // Only then are its files closed.
    worker.on('exit', (code) => {
      signal.removeEventListener('abort', stop);
      if (failures && reason === undefined) resolve(failures);
      else if (signal.aborted) reject(new Error('the rebuild was stopped'));
      else reject(reason ?? new Error(`the rebuild thread ended unfinished (exit code ${code})`));
    });
  });
}
