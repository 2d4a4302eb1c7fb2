import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { type Fence, Fenced } from '../../src/platform/cluster/fence.js';
import { type DocumentStore, DocumentsUnusable } from '../../src/platform/documents/document-store.js';
import type { Stall } from './attempts.js';
import {
  type BuildWork,
  isUnfinished,
  nameOfBuilding,
  progressOf,
  type RebuildSource,
  workOnThread,
} from './build-work.js';
import { ApplyFailed, Generation } from './generation.js';
import type { LiveProjection } from './live-projection.js';
import type { LogFollower } from './log-follower.js';
import {
  buildBegun,
  buildContinued,
  buildFailed,
  describe,
  failed,
  type ProjectionError,
  type ProjectionRecord,
  projectionError,
  switched,
} from './projection-record.js';
import { type BuildProgress, RebuildFailed, RebuildInProgress } from './rebuild-protocol.js';
import type { Registry } from './registry.js';
import { Removals } from './removals.js';

interface BuildsOptions {
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

  /** Builds from the log on a thread, from its first event. @throws RebuildInProgress, RebuildFailed */
  inThread(lives: readonly LiveProjection[], onProgress: (progress: BuildProgress) => void): Promise<void> {
    return this.build(lives, this.onThread(lives, onProgress));
  }

  /**
   * Builds on a thread as `inThread`, and goes on with documents that an earlier process left unfinished. If that fails,
   * they are built from the first event.
   */
  goOn(lives: readonly LiveProjection[], onProgress: (progress: BuildProgress) => void): Promise<void> {
    return this.build(lives, this.onThread(lives, onProgress), new Set(lives.filter(isUnfinished)));
  }

  private onThread(lives: readonly LiveProjection[], onProgress: (progress: BuildProgress) => void): BuildWork {
    const { source, fenceOf } = this.options;
    return workOnThread({ source, fenceOf, signal: this.stopping.signal, lives, onProgress });
  }

  /** Builds from a short log on this thread, sooner than a thread starts. @throws RebuildInProgress, RebuildFailed */
  inPlace(lives: readonly LiveProjection[]): Promise<void> {
    return this.build(lives, {
      fill: async () => {
        for (const live of lives) {
          const { projection } = live;
          const empty = await Generation.create(this.store, projection, nameOfBuilding(live));
          await empty.close();
        }
        return [];
      },
      onProgress: (progress) => {
        for (const live of lives) live.progress = progress;
      },
    });
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
    // Without a fence, no other process writes.
    if (!this.options.fenceOf(live.name)) generation.rememberIds();
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

  /** Stops the builds. The next start goes on with them. */
  async close(): Promise<void> {
    this.stopping.abort();
    this.removals.close();
    await this.settled();
  }

  private build(
    lives: readonly LiveProjection[],
    work: BuildWork,
    goingOn: ReadonlySet<LiveProjection> = new Set(),
  ): Promise<void> {
    for (const live of lives) if (this.busy.has(live)) return Promise.reject(new RebuildInProgress(live.name));
    for (const live of lives) this.busy.add(live);
    const build = this.fillAndAdopt(lives, work, goingOn).finally(() => {
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
    work: BuildWork,
    goingOn: ReadonlySet<LiveProjection>,
  ): Promise<void> {
    const errors = await this.attempt(lives, work, goingOn);
    const again = lives.filter((live) => goingOn.has(live) && errors.has(live.name));
    if (again.length > 0 && !this.stopping.signal.aborted) {
      for (const { name } of again) {
        const error = errors.get(name);
        this.log.warn(
          `${name} could not go on, and is built from the first event${error ? `: ${describe(error)}` : ''}`,
        );
        errors.delete(name);
      }
      for (const [name, error] of await this.attempt(again, work, new Set())) errors.set(name, error);
    }
    for (const live of lives) {
      const error = errors.get(live.name);
      if (error && !this.stopping.signal.aborted) await this.giveUp(live, error);
    }
    if (errors.size > 0) throw new RebuildFailed(errors);
  }

  /** @returns the failures, by projection */
  private async attempt(
    lives: readonly LiveProjection[],
    { fill, onProgress }: BuildWork,
    goingOn: ReadonlySet<LiveProjection>,
  ): Promise<Map<string, ProjectionError>> {
    const errors = new Map<string, ProjectionError>();
    try {
      for (const live of lives) {
        const { projection } = live;
        await this.keep(live, (record) =>
          goingOn.has(live) ? buildContinued(record, this.now()) : buildBegun(record, projection, this.now()),
        );
      }
      for (const { projection, error } of await fill(lives, goingOn)) errors.set(projection, error);
      for (const live of lives) {
        if (errors.has(live.name)) continue;
        await this.adopt(live, onProgress).catch((error) => errors.set(live.name, projectionError(error, this.now())));
      }
    } catch (error) {
      for (const live of lives) errors.set(live.name, projectionError(error, this.now()));
    }
    return errors;
  }

  /** Catches up with the log, then switches. There are live documents at every moment. */
  private async adopt(live: LiveProjection, onProgress: (progress: BuildProgress) => void): Promise<void> {
    this.stopping.signal.throwIfAborted();
    const name = nameOfBuilding(live);
    const candidate = await Generation.open(this.store, live.projection, name, this.options.fenceOf(live.name));
    if (!candidate) throw new Error(`${name} was left unfinished`);
    const before = live.generation;
    let leaving: Promise<void> | undefined;
    const leave = (): Promise<void> => (leaving ??= this.follower.release(candidate));
    this.stopping.signal.addEventListener('abort', leave, { once: true });
    try {
      await this.follow(live, candidate, (stall) => {
        onProgress({ ...(live.progress ?? progressOf([live.name], candidate.position)), stall });
      });
      await this.registry.inTurn(async () => {
        const record = switched(live.record, this.now(), this.options.keepReplacedFor);
        await this.registry.put(record);
        while (candidate.position < live.position) {
          await this.follower.settled(candidate);
          await setImmediate();
        }
        live.switchTo(candidate, record);
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
    if (before) await this.follower.release(before);
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
