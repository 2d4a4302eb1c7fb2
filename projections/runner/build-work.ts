import { availableParallelism } from 'node:os';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import type { Fence } from '../../src/platform/cluster/fence.js';
import type { EngineSettings } from '../../src/platform/engines/engines.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import { threadEntry } from '../../src/platform/threads/thread-entry.js';
import type { LiveProjection } from './live-projection.js';
import {
  type BuildFailure,
  type BuildProgress,
  type RebuildReport,
  type RebuildRequest,
  STOP,
} from './rebuild-protocol.js';

/** A rebuild thread opens the engines and the projections by these. */
export interface RebuildSource {
  readonly engines: EngineSettings;
  /** File that exports the list `projections`. */
  readonly projectionsModule: string;
  /** Places of events that are passed over. */
  readonly skipped: ReadonlySet<string>;
}

/** How databases are filled. */
export interface BuildWork {
  /** @param goingOn those that an earlier process has begun to fill */
  readonly fill: (
    lives: readonly LiveProjection[],
    goingOn: ReadonlySet<LiveProjection>,
  ) => Promise<readonly BuildFailure[]>;
  readonly onProgress: (progress: BuildProgress) => void;
}

interface ThreadOptions {
  readonly source: RebuildSource;
  /** The fence of a projection's lease, if several processes may keep its documents. */
  readonly fenceOf: (projection: string) => Fence | undefined;
  /** Stops the thread. */
  readonly signal: AbortSignal;
  readonly lives: readonly LiveProjection[];
  readonly onProgress: (progress: BuildProgress) => void;
}

/** Fills databases on threads, and shows the progress. */
export function workOnThread({ source, fenceOf, signal, lives, onProgress }: ThreadOptions): BuildWork {
  const log = new Logger('Projections');
  const names = lives.map(({ name }) => name).join(', ');
  let isStalled = false;
  const progressed = (progress: BuildProgress): void => {
    const { stall, position } = progress;
    if (stall && !isStalled) log.error(`building ${names} makes no headway after ${position}: ${stall.message}`);
    if (!stall && isStalled) log.log(`building ${names} goes on`);
    isStalled = stall !== null;
    for (const live of lives) live.progress = progress;
    onProgress(progress);
  };
  const fill: BuildWork['fill'] = async (some, goingOn) => {
    // A build is told from its beginning: the thread takes a while to count.
    progressed(
      progressOf(
        some.map(({ name }) => name),
        START,
      ),
    );
    const yields = lives.every(({ generation }) => generation !== null);
    /** Stops the other threads when one has died, for its reason. */
    const died = new AbortController();
    const progress = new Map<readonly LiveProjection[], BuildProgress>();
    const fillShare = async (share: readonly LiveProjection[]): Promise<readonly BuildFailure[]> => {
      const builds = share.map((live) => ({
        projection: live.name,
        database: nameOfBuilding(live),
        goesOn: goingOn.has(live),
        token: fenceOf(live.name)?.token,
      }));
      const onShare = (own: BuildProgress): void => {
        progress.set(share, own);
        if (progress.size === shares.length) progressed(slowestOf([...progress.values()]));
      };
      try {
        return await rebuildInThread({ ...source, builds, yields }, onShare, AbortSignal.any([signal, died.signal]));
      } catch (error) {
        died.abort(error);
        throw error;
      }
    };
    const shares = sharesOf(some);
    const ended = await Promise.allSettled(shares.map(fillShare));
    died.signal.throwIfAborted();
    return ended.flatMap((share) => (share.status === 'fulfilled' ? share.value : []));
  };
  return { fill, onProgress: progressed };
}

/** The progress of a build that has counted nothing. */
export const progressOf = (projections: readonly string[], position: Position): BuildProgress => ({
  projections,
  done: 0,
  total: 0,
  eventsPerSecond: 0,
  secondsLeft: null,
  position,
  head: position,
  stall: null,
});

export const isUnfinished = ({ record }: LiveProjection): boolean => record.building !== null;

export function nameOfBuilding({ name, record }: LiveProjection): string {
  if (!record.building) throw new Error(`${name} is not being built`);
  return record.building.name;
}

/** Each thread has a heap of its own: more of them would not keep within a rebuild's budget of memory. */
const MOST_THREADS = 2;

/** A searched field costs about as much as so many indexes. */
const INDEXES_OF_TEXT = 3;

/** Shares out projections among as many rebuild threads as there are cores, at most two. Each thread reads the log. */
export function sharesOf<T extends { readonly projection: Projection }>(
  builds: readonly T[],
  cores = availableParallelism(),
): readonly (readonly T[])[] {
  const empty = (): { cost: number; builds: T[] } => ({ cost: 0, builds: [] });
  const shares = Array.from({ length: Math.min(cores, MOST_THREADS) }, empty);
  const costs = builds.map((build) => ({ build, cost: costOf(build.projection) }));
  for (const { build, cost } of costs.sort((a, b) => b.cost - a.cost)) {
    const least = shares.reduce((a, b) => (b.cost < a.cost ? b : a));
    least.builds.push(build);
    least.cost += cost;
  }
  return shares.map(({ builds: own }) => own).filter((own) => own.length > 0);
}

/** The costs of a projection's events, compared with other projections: its indexes tell. */
function costOf({ collections }: Projection): number {
  let cost = 1;
  for (const { indexes = [], text = [], textScope = [] } of Object.values(collections)) {
    cost += indexes.length + INDEXES_OF_TEXT * text.length + textScope.length;
  }
  return cost;
}

/** The progress of several threads as one: that of the thread furthest behind, and the stall of any. */
export function slowestOf(all: readonly BuildProgress[]): BuildProgress {
  const slowest = all.reduce((a, b) => (b.position < a.position ? b : a));
  const stalled = all.find(({ stall }) => stall !== null);
  return { ...(stalled ?? slowest), projections: all.flatMap(({ projections }) => projections) };
}

/**
 * The young generation is three spaces of 16 MiB: documents of a page are garbage soon. The old generation keeps a tenth
 * of its limit. With a limit of 320 MiB, V8 collects so often that a rebuild takes a tenth more processor time.
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
    // Avoids `terminate()`: SQLite's binding aborts the process if a thread ends within a call.
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
