import { Logger } from '@nestjs/common';
import type { Fence } from '../../src/platform/cluster/fence.js';
import type { EngineSettings } from '../../src/platform/engines/engine-settings.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import { sharesOf, slowestOf } from './build-threads.js';
import type { LiveProjection } from './live-projection.js';
import { rebuildInThread } from './rebuild-in-thread.js';
import type { BuildFailure, BuildProgress } from './rebuild-protocol.js';

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

export interface ThreadOptions {
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
