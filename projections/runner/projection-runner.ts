import { Logger } from '@nestjs/common';
import type { Collection, DocumentStore, StoredDocument } from '../../src/document-store/document-store.js';
import type { EventCodec } from '../../src/event-codec/event-codec.js';
import type { EventStore } from '../../src/event-store/event-store.js';
import { type Position, START } from '../../src/kernel/position.js';
import type { Projection } from '../projection.js';
import { Builds, type RebuildSource } from './builds.js';
import { isPassing } from './decode-batch.js';
import { Generation } from './generation.js';
import { LiveProjection } from './live-projection.js';
import { LogFollower } from './log-follower.js';
import {
  isProjectionDatabase,
  lost,
  type ProjectionError,
  type ProjectionState,
  resumed,
  unbuilt,
} from './projection-record.js';
import type { ReadModels } from './read-models.js';
import type { BuildProgress } from './rebuild-protocol.js';
import { Registry } from './registry.js';

export interface ProjectionRunnerOptions {
  readonly eventStore: EventStore;
  readonly documentStore: DocumentStore;
  readonly codec: EventCodec;
  readonly projections: readonly Projection[];
  readonly rebuild: RebuildSource;
  /** Milliseconds after which progress that changed no document is stored; default 1000. */
  readonly checkpointInterval?: number;
  /** Milliseconds that `waitFor` waits at most; default 2000. */
  readonly longestWait?: number;
  readonly now?: () => number;
}

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  readonly state: ProjectionState;
  /** What queries read; null before the first build is done. */
  readonly database: string | null;
  readonly position: Position;
  /** Its documents are of today's version and follow the end of the log. */
  readonly upToDate: boolean;
  /** Why and where it failed. */
  readonly error: ProjectionError | null;
  /** Of the build that is under way. */
  readonly progress: BuildProgress | null;
  /** When `state` was entered; milliseconds since 1970. */
  readonly changedAt: number;
}

/** Logs of up to so many events are built from on the thread that serves: sooner done than a thread is started. */
const SHORT_LOG = 500;

/**
 * Keeps the documents of every projection as the log says (D12): applies what is appended, builds what is missing or
 * of another version beside what is live, and switches.
 */
export class ProjectionRunner implements ReadModels {
  private readonly log = new Logger('Projections');
  private readonly lives = new Map<string, LiveProjection>();
  private readonly now: () => number;
  private started: { registry: Registry; follower: LogFollower; builds: Builds } | undefined;

  constructor(private readonly options: ProjectionRunnerOptions) {
    this.now = options.now ?? Date.now;
  }

  /**
   * Resolves when queries can be answered from the documents that are there; those that are missing are being built,
   * see `ready`.
   * @param options.build false leaves them missing until `rebuild`
   */
  async start({ build = true }: { readonly build?: boolean } = {}): Promise<void> {
    const { eventStore, documentStore, codec, projections, rebuild, checkpointInterval = 1000 } = this.options;
    const registry = await Registry.open(documentStore);
    const head = await eventStore.head();
    for (const projection of projections) {
      const record = registry.atStart(projection.name) ?? unbuilt(projection, this.now());
      const live: LiveProjection = new LiveProjection(projection, record, (generation, error) => {
        void this.started?.builds.broken(live, generation, error);
      });
      this.lives.set(projection.name, live);
      await this.openDocuments(live, head);
    }
    await this.removeLeftovers();

    const current = [...this.lives.values()].filter(({ generation }) => generation !== null);
    const follower = new LogFollower({
      eventStore,
      codec,
      types: [...new Set(projections.flatMap(({ on }) => Object.keys(on)))],
      after: current.length > 0 ? Math.max(...current.map(({ position }) => position)) : head,
      head,
      checkpointInterval,
    });
    const builds = new Builds(documentStore, registry, follower, rebuild, this.now);
    this.started = { registry, follower, builds };
    for (const live of current) {
      await builds.keep(live, (record) => (record.state === 'running' ? record : resumed(record, this.now())));
      if (live.generation) builds.follow(live, live.generation).catch(() => {});
    }
    const missing = [...this.lives.values()].filter(({ generation }) => generation === null);
    if (build && missing.length > 0) await this.buildMissing(missing, builds);
  }

  collection<D extends StoredDocument>(projection: Projection, name: string): Collection<D> {
    return this.live(projection.name).collection<D>(name);
  }

  position(projection: Projection): Position {
    return this.live(projection.name).position;
  }

  waitFor(projections: readonly Projection[], position: Position): Promise<void> {
    return new Promise((resolve) => {
      let missing = 0;
      const reached = (): void => {
        missing--;
        if (missing === 0) finish();
      };
      const waits = projections.flatMap(({ name }) => this.live(name).await(position, reached) ?? []);
      missing = waits.length;
      if (missing === 0) return resolve();
      const timer = setTimeout(() => {
        for (const giveUp of waits) giveUp();
        finish();
      }, this.options.longestWait ?? 2000);
      const finish = (): void => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  onApplied(projection: Projection, listener: (position: Position) => void): () => void {
    return this.live(projection.name).onApplied(listener);
  }

  /**
   * Builds documents anew from the log on a thread of its own and switches to them; what is live keeps serving and
   * following the log until then.
   *
   * @param names default: every projection
   * @throws Error for a name that is no projection's; RebuildInProgress; RebuildFailed
   */
  async rebuild(names?: readonly string[], onProgress: (progress: BuildProgress) => void = () => {}): Promise<void> {
    const lives = names ? [...new Set(names)].map((name) => this.live(name)) : [...this.lives.values()];
    await this.running().builds.inThread(lives, onProgress);
  }

  /** Resolves when nothing is being built, whether it succeeded or not: see `status`. */
  async settled(): Promise<void> {
    await this.running().builds.settled();
  }

  status(): ProjectionStatus[] {
    return [...this.lives.values()].map((live) => {
      const { projection, record, position, progress } = live;
      return {
        name: projection.name,
        version: projection.version,
        state: record.state,
        database: record.live?.name ?? null,
        position,
        upToDate: this.isUpToDate(live),
        error: record.error,
        progress,
        changedAt: record.changedAt,
      };
    });
  }

  /**
   * Every projection has documents of today's version that follow the end of the log. One that has failed keeps its
   * last good ones and does not hold up the others: `status` tells.
   */
  ready(): boolean {
    if (!this.started) return false;
    return [...this.lives.values()].every(
      (live) => this.isUpToDate(live) || (live.generation !== null && live.record.error !== null),
    );
  }

  /** Finishes the batch at hand, stores the checkpoints and closes the documents. */
  async close(): Promise<void> {
    if (!this.started) return;
    const { registry, follower, builds } = this.started;
    await builds.close();
    await follower.close();
    for (const live of this.lives.values()) await live.generation?.close();
    await registry.close();
    this.started = undefined;
  }

  /** Those of another version stay as they are until they are replaced: an older program could go on with them. */
  private async openDocuments(live: LiveProjection, head: Position): Promise<void> {
    const { record, projection } = live;
    if (record.live?.version !== projection.version) return;
    const generation = await this.openBuilt(projection, record.live.name, head);
    if (generation) return live.show(generation, { ...record, building: null });
    live.record = lost(record, this.now());
    this.log.warn(`the documents of ${projection.name} are missing or of no use and will be built anew`);
  }

  private async openBuilt(projection: Projection, name: string, head: Position): Promise<Generation | null> {
    const { documentStore } = this.options;
    if (!(await documentStore.databases()).includes(name)) return null;
    try {
      const generation = await Generation.open(documentStore, projection, name);
      if (generation && generation.position <= head) return generation;
      // Ahead of the log: the log is an older copy, and its next events are others than those applied.
      await generation?.close();
    } catch (error) {
      if (isPassing(error)) throw error;
      this.log.warn(`${name} cannot be opened: ${String(error)}`);
    }
    return null;
  }

  /** Of builds that were cut short, of projections that are no more, of documents that could not be opened. */
  private async removeLeftovers(): Promise<void> {
    const { documentStore } = this.options;
    const used = new Set([...this.lives.values()].map(({ record }) => record.live?.name));
    for (const name of await documentStore.databases()) {
      if (isProjectionDatabase(name) && !used.has(name)) await documentStore.dropDatabase(name);
    }
  }

  private async buildMissing(missing: readonly LiveProjection[], builds: Builds): Promise<void> {
    const types = [...new Set(missing.flatMap(({ projection }) => Object.keys(projection.on)))];
    const beginning = await this.options.eventStore.readAll({ after: START, limit: SHORT_LOG, filter: { types } });
    if (beginning.caughtUp) return builds.inPlace(missing).catch(() => {});
    const names = missing.map(({ name }) => name).join(', ');
    this.log.log(`building ${names} from the log`);
    // What fails is logged and kept in the record.
    void builds.inThread(missing, this.reporter()).catch(() => {});
  }

  private reporter(): (progress: BuildProgress) => void {
    let told = this.now();
    return ({ done, total, eventsPerSecond, secondsLeft }) => {
      if (this.now() - told < 2000) return;
      told = this.now();
      const left = secondsLeft === null ? '' : `, ${Math.ceil(secondsLeft)} s left`;
      this.log.log(`built from ${done} of about ${total} events, ${Math.round(eventsPerSecond)} events/s${left}`);
    };
  }

  private isUpToDate(live: LiveProjection): boolean {
    const { generation, isFollowing } = live;
    return isFollowing && generation !== null && (this.started?.follower.isAtHead(generation) ?? false);
  }

  private live(name: string): LiveProjection {
    const live = this.lives.get(name);
    if (!live) throw new Error(`there is no projection ${name}`);
    return live;
  }

  private running(): NonNullable<typeof this.started> {
    if (!this.started) throw new Error('the projections are not running');
    return this.started;
  }
}
