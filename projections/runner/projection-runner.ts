import { Logger } from '@nestjs/common';
import type { Collection, DocumentStore, StoredDocument } from '../../src/document-store/document-store.js';
import type { EventCodec } from '../../src/event-codec/event-codec.js';
import type { EventStore } from '../../src/event-store/event-store.js';
import { type Position, START } from '../../src/kernel/position.js';
import { type Fence, Fenced } from '../../src/processes/fence.js';
import type { Projection } from '../projection.js';
import { Builds, type RebuildSource } from './builds.js';
import { isPassing } from './decode-batch.js';
import { Generation } from './generation.js';
import { LiveProjection } from './live-projection.js';
import { LiveProjections, type ProjectionStatus } from './live-projections.js';
import { LogFollower } from './log-follower.js';
import { isDatabaseOf, isProjectionDatabase, lost, resumed, unbuilt, withoutBuild } from './projection-record.js';
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
  /** Where several processes keep projections; absent: this one keeps all of them. */
  readonly shared?: SharedRunning;
}

/** What it takes to keep projections that another process may take over. */
export interface SharedRunning {
  /** Of the lease on the projection. */
  readonly fenceOf: (projection: string) => Fence;
  /** Milliseconds for which other processes may still read documents that have been replaced. */
  readonly keepReplacedFor: number;
  /** Another process keeps one of the projections now: this one must let go of everything. */
  readonly onFenced: () => void;
  /** A projection's record, position or progress has changed. */
  readonly onChanged: (projection: LiveProjection) => void;
}

export interface RunOptions {
  /** False leaves documents that are missing as they are until `rebuild`. */
  readonly build?: boolean;
  /** Default: every projection. More can be taken on later. */
  readonly only?: readonly Projection[];
}

/** Logs of up to so many events are built from on the thread that serves: sooner done than a thread is started. */
const SHORT_LOG = 500;

/**
 * Keeps the documents of every projection as the log says (D12): applies what is appended, builds what is missing or
 * of another version beside what is live, and switches.
 */
export class ProjectionRunner implements ReadModels {
  private readonly log = new Logger('Projections');
  private readonly lives: LiveProjections;
  private readonly now: () => number;
  private started: { registry: Registry; follower: LogFollower; builds: Builds } | undefined;

  constructor(private readonly options: ProjectionRunnerOptions) {
    this.now = options.now ?? Date.now;
    this.lives = new LiveProjections(options.longestWait ?? 2000);
  }

  /**
   * Resolves when queries can be answered from the documents that are there; those that are missing are being built,
   * see `ready`.
   */
  async start({ build = true, only = this.options.projections }: RunOptions = {}): Promise<void> {
    const { eventStore, documentStore, codec, projections, rebuild, shared, checkpointInterval = 1000 } = this.options;
    const registry = await Registry.open(documentStore);
    const head = await eventStore.head();
    const lives = await this.open(only, registry, head);
    const current = lives.filter(({ generation }) => generation !== null);
    const follower = new LogFollower({
      eventStore,
      codec,
      types: [...new Set(projections.flatMap(({ on }) => Object.keys(on)))],
      after: current.length > 0 ? Math.max(...current.map(({ position }) => position)) : head,
      head,
      checkpointInterval,
    });
    const builds = new Builds({
      documentStore,
      registry,
      follower,
      source: rebuild,
      now: this.now,
      fenceOf: (name) => shared?.fenceOf(name),
      keepReplacedFor: shared?.keepReplacedFor ?? 0,
      onFenced: () => shared?.onFenced(),
    });
    this.started = { registry, follower, builds };
    await this.run(lives, build);
  }

  /** Keeps these too from now on. Resolves as `start` does. */
  async take(projections: readonly Projection[]): Promise<void> {
    const { registry } = this.running();
    const lives = await this.open(projections, registry, await this.options.eventStore.head());
    await this.run(lives, true);
  }

  /**
   * Lets go of its documents, for another process to keep.
   * @returns false where it is being built: that is not left in the middle
   */
  async leave(name: string): Promise<boolean> {
    const { follower, builds } = this.running();
    const live = this.lives.get(name);
    if (builds.isBuilding(live)) return false;
    const { generation } = live;
    this.lives.delete(name);
    if (!generation) return true;
    await follower.leave(generation);
    await generation.storeCheckpoint().catch((error) => this.log.warn(`${name} was left without: ${String(error)}`));
    await generation.close();
    return true;
  }

  collection<D extends StoredDocument>(projection: Projection, name: string): Collection<D> {
    return this.lives.collection<D>(projection, name);
  }

  position(projection: Projection): Position {
    return this.lives.position(projection);
  }

  waitFor(projections: readonly Projection[], position: Position): Promise<void> {
    return this.lives.waitFor(projections, position);
  }

  onApplied(projection: Projection, listener: (position: Position) => void): () => void {
    return this.lives.onApplied(projection, listener);
  }

  /** Resolves when no words that were deleted from these live documents before the call are in their files. */
  async purge(projections: readonly Projection[]): Promise<void> {
    for (const { name } of projections) await this.lives.get(name).generation?.purge();
  }

  areRidOf(...asked: Parameters<LiveProjections['areRidOf']>): Promise<boolean> {
    return this.lives.areRidOf(...asked);
  }

  /**
   * Builds documents anew from the log on a thread of its own and switches to them; what is live keeps serving and
   * following the log until then.
   *
   * @param names default: every projection
   * @throws Error for a name that is no projection's; RebuildInProgress; RebuildFailed
   */
  async rebuild(names?: readonly string[], onProgress: (progress: BuildProgress) => void = () => {}): Promise<void> {
    const lives = names ? [...new Set(names)].map((name) => this.lives.get(name)) : this.lives.all();
    await this.running().builds.inThread(lives, onProgress);
  }

  /** Resolves when nothing is being built, whether it succeeded or not: see `status`. */
  async settled(): Promise<void> {
    await this.running().builds.settled();
  }

  status(): ProjectionStatus[] {
    return this.lives.status((live) => this.isUpToDate(live));
  }

  /**
   * Every projection has documents of today's version that follow the end of the log. One that has failed keeps its
   * last good ones and does not hold up the others: `status` tells.
   */
  ready(): boolean {
    if (!this.started) return false;
    return this.lives
      .all()
      .every((live) => this.isUpToDate(live) || (live.generation !== null && live.record.error !== null));
  }

  /** Finishes the batch at hand, stores the checkpoints and closes the documents. */
  async close(): Promise<void> {
    if (!this.started) return;
    const { registry, follower, builds } = this.started;
    await builds.close();
    await follower.close();
    for (const live of this.lives.all()) await live.generation?.close();
    await registry.close();
    this.started = undefined;
  }

  /** What there is of their documents, as far as it can be used; what else there is of them is removed. */
  private async open(
    projections: readonly Projection[],
    registry: Registry,
    head: Position,
  ): Promise<readonly LiveProjection[]> {
    const { shared } = this.options;
    const lives: LiveProjection[] = [];
    for (const projection of projections) {
      const token = shared?.fenceOf(projection.name).token;
      const stored = (await registry.load(projection.name)) ?? unbuilt(projection, this.now());
      const live: LiveProjection = new LiveProjection(
        projection,
        token === undefined ? stored : { ...stored, token },
        (generation, error) => void this.started?.builds.broken(live, generation, error),
        () => shared?.onChanged(live),
      );
      await this.openDocuments(live, head);
      lives.push(live);
      this.lives.add(live);
    }
    return lives;
  }

  private async run(lives: readonly LiveProjection[], build: boolean): Promise<void> {
    const { builds } = this.running();
    await this.removeLeftovers(lives);
    for (const live of lives) {
      const { generation } = live;
      if (!generation) continue;
      // A lease that has changed hands is written down.
      await builds.keep(live, (record) =>
        record.state === 'running' && record.token === undefined ? record : resumed(record, this.now()),
      );
      builds.follow(live, generation).catch(() => {});
    }
    const missing = lives.filter(({ generation }) => generation === null);
    if (build && missing.length > 0) await this.buildMissing(missing, builds);
  }

  /** Those of another version stay as they are until they are replaced: an older program could go on with them. */
  private async openDocuments(live: LiveProjection, head: Position): Promise<void> {
    const { record, projection } = live;
    if (record.live?.version !== projection.version) return;
    const generation = await this.openBuilt(projection, record.live.name, head);
    if (generation) return live.show(generation, withoutBuild(record, this.now()));
    live.record = lost(record, this.now());
    this.log.warn(`the documents of ${projection.name} are missing or of no use and will be built anew`);
  }

  private async openBuilt(projection: Projection, name: string, head: Position): Promise<Generation | null> {
    const { documentStore, shared } = this.options;
    if (!(await documentStore.databases()).includes(name)) return null;
    try {
      const generation = await Generation.open(documentStore, projection, name, shared?.fenceOf(projection.name));
      if (generation && generation.position <= head) return generation;
      // Ahead of the log: the log is an older copy, and its next events are others than those applied.
      await generation?.close();
    } catch (error) {
      if (isPassing(error) || error instanceof Fenced) throw error;
      this.log.warn(`${name} cannot be opened: ${String(error)}`);
    }
    return null;
  }

  /** And, where no other process may keep them, what there is of projections that are no more. */
  private async removeLeftovers(lives: readonly LiveProjection[]): Promise<void> {
    const { documentStore, shared } = this.options;
    const found = await documentStore.databases();
    for (const live of lives) await this.running().builds.removals.takeOver(live, found);
    if (shared) return;
    for (const name of found.filter(isProjectionDatabase))
      if (!lives.some(({ projection }) => isDatabaseOf(projection, name))) await documentStore.dropDatabase(name);
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

  private running(): NonNullable<typeof this.started> {
    if (!this.started) throw new Error('the projections are not running');
    return this.started;
  }
}
