import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Fence, Fenced } from '../../src/platform/cluster/fence.js';
import { type DocumentStore, DocumentsUnusable } from '../../src/platform/documents/document-store.js';
import type { EngineSettings } from '../../src/platform/engines/engine-settings.js';
import type { Position } from '../../src/platform/kernel/position.js';
import type { Stall } from './attempts.js';
import { ApplyFailed, Generation } from './generation.js';
import type { LiveProjection } from './live-projection.js';
import type { LogFollower } from './log-follower.js';
import {
  buildBegun,
  buildFailed,
  describe,
  failed,
  type ProjectionError,
  type ProjectionRecord,
  projectionError,
  switched,
} from './projection-record.js';
import { rebuildInThread } from './rebuild-in-thread.js';
import type { BuildFailure, BuildProgress } from './rebuild-protocol.js';
import type { Registry } from './registry.js';
import { Removals } from './removals.js';

/** The rebuild was refused: the projection is being built already. */
export class RebuildInProgress extends Error {
  constructor(readonly projection: string) {
    super(`${projection} is being rebuilt already: wait until that is done`);
    this.name = 'RebuildInProgress';
  }
}

/** A build failed. The live documents stay live. */
export class RebuildFailed extends Error {
  constructor(readonly errors: ReadonlyMap<string, ProjectionError>) {
    super([...errors].map(([projection, error]) => `${projection} was not rebuilt: ${describe(error)}`).join('; '));
    this.name = 'RebuildFailed';
  }
}

/** A rebuild thread opens the engines and the projections by these. */
export interface RebuildSource {
  readonly engines: EngineSettings;
  /** File that exports the list `projections`. */
  readonly projectionsModule: string;
}

export interface BuildsOptions {
  readonly documentStore: DocumentStore;
  readonly registry: Registry;
  readonly follower: LogFollower;
  readonly source: RebuildSource;
  readonly now: () => number;
  /** The fence of a projection's lease, if several processes may keep its documents. */
  readonly fenceOf: (projection: string) => Fence | undefined;
  /** Milliseconds for which other processes may still read replaced documents. */
  readonly keepReplacedFor: number;
  /** Called when another process keeps the documents of a projection. */
  readonly onFenced: () => void;
}

/** Builds generations beside the live ones, and switches to them. */
export class Builds {
  readonly removals: Removals;
  private readonly log = new Logger('Projections');
  private readonly busy = new Set<LiveProjection>();
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly store: DocumentStore;
  private readonly registry: Registry;
  private readonly follower: LogFollower;
  private readonly now: () => number;

  constructor(private readonly options: BuildsOptions) {
    this.store = options.documentStore;
    this.registry = options.registry;
    this.follower = options.follower;
    this.now = options.now;
    const { documentStore, keepReplacedFor, now } = options;
    const keep: Builds['keep'] = (live, transition) => this.keep(live, transition);
    this.removals = new Removals({ documentStore, keepReplacedFor, now, keep });
  }

  /** Builds from the log on a thread. @throws RebuildInProgress, RebuildFailed */
  inThread(lives: readonly LiveProjection[], onProgress: (progress: BuildProgress) => void): Promise<void> {
    const names = lives.map(({ name }) => name).join(', ');
    let isStalled = false;
    const progressed = (progress: BuildProgress): void => {
      const { stall, position } = progress;
      if (stall && !isStalled) this.log.error(`building ${names} makes no headway after ${position}: ${stall.message}`);
      if (!stall && isStalled) this.log.log(`building ${names} goes on`);
      isStalled = stall !== null;
      for (const live of lives) live.progress = progress;
      onProgress(progress);
    };
    return this.build(
      lives,
      async () => {
        const builds = lives.map((live) => ({ projection: live.name, database: nameOfBuilding(live) }));
        const yields = lives.every(({ generation }) => generation !== null);
        return rebuildInThread({ ...this.options.source, builds, yields }, progressed, this.stopping.signal);
      },
      progressed,
    );
  }

  /** Builds from a short log on this thread, sooner than a thread starts. @throws RebuildInProgress, RebuildFailed */
  inPlace(lives: readonly LiveProjection[]): Promise<void> {
    return this.build(
      lives,
      async () => {
        for (const live of lives) {
          const { projection } = live;
          const empty = await Generation.create(this.store, projection, nameOfBuilding(live));
          await empty.close();
        }
        return [];
      },
      (progress) => {
        for (const live of lives) live.progress = progress;
      },
    );
  }

  /**
   * Resolves when the generation has caught up. A later failure is kept in the projection's record.
   * @param onStall hears of stalls before the generation is live
   */
  follow(
    live: LiveProjection,
    generation: Generation,
    onStall: (stall: Stall | null) => void = () => {},
  ): Promise<void> {
    return this.follower.join(generation, {
      advanced: () => {
        if (live.generation === generation) live.advanced();
      },
      failed: (cause) => void this.broken(live, generation, cause),
      stalled: (stall) => {
        if (live.generation === generation) live.stall = stall;
        else onStall(stall);
      },
    });
  }

  /** Records that the generation cannot go on. Builds unusable documents anew. A build would not help after a refused event. */
  async broken(live: LiveProjection, generation: Generation, cause: unknown): Promise<void> {
    if (cause instanceof Fenced) return this.options.onFenced();
    if (live.generation !== generation || live.record.error !== null) return;
    const error = projectionError(cause, this.now());
    this.log.error(`${live.name} has failed; its documents stay as they are: ${describe(error)}`);
    await this.keepAnyway(live, (record) =>
      live.generation === generation ? failed(record, error, this.now()) : record,
    );
    const reason = cause instanceof ApplyFailed ? cause.cause : cause;
    if (!(reason instanceof DocumentsUnusable) || live.generation !== generation) return;
    await this.inThread([live], () => {}).catch((failure: unknown) => this.log.error(String(failure)));
  }

  isBuilding(live: LiveProjection): boolean {
    return this.busy.has(live);
  }

  /** Stores a transition of the record, then shows it. */
  keep(live: LiveProjection, transition: (record: ProjectionRecord) => ProjectionRecord): Promise<void> {
    return this.registry.inTurn(async () => {
      const next = transition(live.record);
      if (next === live.record) return;
      await this.registry.put(next);
      live.record = next;
    });
  }

  /** Resolves when no build is under way. */
  async settled(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  /** Stops the builds. The next start removes their remains. */
  async close(): Promise<void> {
    this.stopping.abort();
    this.removals.close();
    await this.settled();
  }

  private build(
    lives: readonly LiveProjection[],
    fill: () => Promise<readonly BuildFailure[]>,
    onProgress: (progress: BuildProgress) => void,
  ): Promise<void> {
    for (const live of lives) if (this.busy.has(live)) return Promise.reject(new RebuildInProgress(live.name));
    for (const live of lives) this.busy.add(live);
    const build = this.fillAndAdopt(lives, fill, onProgress).finally(() => {
      this.running.delete(build);
      for (const live of lives) {
        this.busy.delete(live);
        live.progress = null;
      }
    });
    this.running.add(build);
    return build;
  }

  private async fillAndAdopt(
    lives: readonly LiveProjection[],
    fill: () => Promise<readonly BuildFailure[]>,
    onProgress: (progress: BuildProgress) => void,
  ): Promise<void> {
    const errors = new Map<string, ProjectionError>();
    try {
      for (const live of lives) await this.keep(live, (record) => buildBegun(record, live.projection, this.now()));
      for (const { projection, error } of await fill()) errors.set(projection, error);
      for (const live of lives) {
        if (errors.has(live.name)) continue;
        await this.adopt(live, onProgress).catch((error) => errors.set(live.name, projectionError(error, this.now())));
      }
    } catch (error) {
      for (const live of lives) errors.set(live.name, projectionError(error, this.now()));
    }
    for (const live of lives) {
      const error = errors.get(live.name);
      if (error && !this.stopping.signal.aborted) await this.giveUp(live, error);
    }
    if (errors.size > 0) throw new RebuildFailed(errors);
  }

  /** Catches up with the log, then switches. There are live documents at every moment. */
  private async adopt(live: LiveProjection, onProgress: (progress: BuildProgress) => void): Promise<void> {
    this.stopping.signal.throwIfAborted();
    const name = nameOfBuilding(live);
    const candidate = await Generation.open(this.store, live.projection, name, this.options.fenceOf(live.name));
    if (!candidate) throw new Error(`${name} was left unfinished`);
    const before = live.generation;
    let leaving: Promise<void> | undefined;
    const leave = (): Promise<void> => (leaving ??= this.follower.leave(candidate));
    this.stopping.signal.addEventListener('abort', leave, { once: true });
    try {
      await this.follow(live, candidate, (stall) => {
        onProgress({ ...(live.progress ?? progressOf(live.name, candidate.position)), stall });
      });
      await this.registry.inTurn(async () => {
        const record = switched(live.record, this.now(), this.options.keepReplacedFor);
        await this.registry.put(record);
        while (candidate.position < live.position) {
          await this.follower.settled(candidate);
          await setImmediate();
        }
        live.show(candidate, record);
      });
    } catch (error) {
      await leave();
      await candidate.close();
      throw error;
    } finally {
      this.stopping.signal.removeEventListener('abort', leave);
    }
    this.log.log(`${live.name} is served from ${name}`);
    // Content deleted during the build may remain in the files.
    if (live.projection.holdsContent)
      await candidate.purge().catch((error) => this.log.error(`${name} may hold deleted words: ${String(error)}`));
    if (before) await this.follower.leave(before);
    await this.removals.remove(live, before);
  }

  private async giveUp(live: LiveProjection, error: ProjectionError): Promise<void> {
    this.log.error(`${live.name} could not be built: ${describe(error)}`);
    await this.keepAnyway(live, (record) => buildFailed(record, live.projection, error, this.now()));
    await this.removals.remove(live);
  }

  /** Shows a transition even if it cannot be stored: this process must know of a failure. */
  private keepAnyway(live: LiveProjection, transition: (record: ProjectionRecord) => ProjectionRecord): Promise<void> {
    return this.registry.inTurn(async () => {
      const next = transition(live.record);
      if (next === live.record) return;
      live.record = next;
      await this.registry.put(next).catch((error: unknown) => {
        if (error instanceof Fenced) this.options.onFenced();
        else this.log.warn(`the state of ${live.name} could not be stored: ${String(error)}`);
      });
    });
  }
}

/** The progress of a build that has counted nothing. */
const progressOf = (name: string, position: Position): BuildProgress => ({
  projections: [name],
  done: 0,
  total: 0,
  eventsPerSecond: 0,
  secondsLeft: null,
  position,
  head: position,
  stall: null,
});

function nameOfBuilding({ name, record }: LiveProjection): string {
  if (!record.building) throw new Error(`${name} is not being built`);
  return record.building.name;
}
