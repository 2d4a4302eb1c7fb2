import { Logger } from '@nestjs/common';
import type { Fence } from '../../src/platform/cluster/fence.js';
import type { Collection, DocumentStore, StoredDocument } from '../../src/platform/documents/document-store.js';
import { ANSWER_WAIT_MS } from '../../src/platform/kernel/answer-wait.js';
import { type Position, START } from '../../src/platform/kernel/position.js';
import type { EventCodec } from '../../src/platform/log/event-codec.js';
import type { EventStore } from '../../src/platform/log/event-store.js';
import type { AheadOfDocuments } from '../../src/platform/read-models/ahead-of-documents.js';
import type { Projection } from '../../src/platform/read-models/projection.js';
import type { ReadModels } from '../../src/platform/read-models/read-models.js';
import type { RebuildSource } from './build-work.js';
import { Builds } from './builds.js';
import { LiveProjection } from './live-projection.js';
import { LiveProjections, type ProjectionStatus } from './live-projections.js';
import { LogFollower } from './log-follower.js';
import { openBuilt } from './open-built.js';
import { isDatabaseOf, isProjectionDatabase, lost, resumed, unbuilt, withoutBuild } from './projection-record.js';
import type { BuildProgress } from './rebuild-protocol.js';
import { Registry } from './registry.js';

export interface ProjectionRunnerOptions {
  readonly eventStore: EventStore;
  readonly documentStore: DocumentStore;
  readonly codec: EventCodec;
  readonly projections: readonly Projection[];
  readonly rebuild: Omit<RebuildSource, 'skipped'>;
  /** Milliseconds after which a checkpoint without changed documents is stored; default 1000. */
  readonly checkpointInterval?: number;
  /** Longest wait of `waitFor`: ms; default 2000. */
  readonly longestWait?: number;
  readonly now?: () => number;
  /** Milliseconds for which events gather behind a batch while nobody waits; default 10. Not among several processes. */
  readonly gatherFor?: number;
  /** Set if several processes keep projections; absent: this process keeps all of them. */
  readonly shared?: SharedRunning;
}

/** Options for projections that another process may take over. */
export interface SharedRunning {
  /** The fence of the lease on a projection. */
  readonly fenceOf: (projection: string) => Fence;
  /** Milliseconds for which other processes may still read replaced documents. */
  readonly keepReplacedFor: number;
  /** Another process keeps one of the projections now: this process must leave all of them. */
  readonly onFenced: () => void;
  /** A projection's record, position or progress has changed. */
  readonly onChanged: (projection: LiveProjection) => void;
}

interface RunOptions {
  /** false leaves missing documents unbuilt until `rebuild`. */
  readonly build?: boolean;
  /** Default: every projection. `take` adds more. */
  readonly only?: readonly Projection[];
}

/** Little beside the way of a message to its readers, and time enough for tens of messages. */
const GATHERING_MS = 10;

/** Greatest number of events of a log from which this thread builds sooner than a new thread starts. */
const SHORT_LOG = 500;

/**
 * Keeps the documents of every projection up to date with the log (D12): applies new events, builds missing documents
 * and documents of another version beside the live ones, and switches.
 */
export class ProjectionRunner implements ReadModels, AheadOfDocuments {
  private readonly log = new Logger('Projections');
  private readonly lives: LiveProjections;
  private readonly now: () => number;
  private started: { registry: Registry; follower: LogFollower; builds: Builds } | undefined;

  constructor(private readonly options: ProjectionRunnerOptions) {
    this.now = options.now ?? Date.now;
    this.lives = new LiveProjections(options.longestWait ?? ANSWER_WAIT_MS, () => this.started?.follower.hurry());
  }

  /**
   * Resolves when queries can be answered from the existing documents. Missing documents are still being built: see
   * `ready`.
   */
  async start({ build = true, only = this.options.projections }: RunOptions = {}): Promise<void> {
    const { eventStore, documentStore, codec, projections, rebuild, shared } = this.options;
    const { checkpointInterval = 1000, gatherFor = GATHERING_MS } = this.options;
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
      // Other processes cannot tell that they wait.
      ...(!shared && { gathering: { longest: gatherFor, isAwaited: () => this.lives.areAwaited } }),
    });
    const builds = new Builds({
      documentStore,
      registry,
      follower,
      source: { ...rebuild, skipped: codec.skipped },
      now: this.now,
      fenceOf: (name) => shared?.fenceOf(name),
      keepReplacedFor: shared?.keepReplacedFor ?? 0,
      onFenced: () => shared?.onFenced(),
    });
    this.started = { registry, follower, builds };
    await this.run(lives, build);
  }

  /** Keeps these projections, too. Resolves as `start` does. */
  async adopt(projections: readonly Projection[]): Promise<void> {
    const { registry } = this.running();
    const lives = await this.open(projections, registry, await this.options.eventStore.head());
    await this.run(lives, true);
  }

  /**
   * Leaves the documents to another process.
   * @returns false during a build, which is not interrupted
   */
  async release(name: string): Promise<boolean> {
    const { follower, builds } = this.running();
    const live = this.lives.get(name);
    if (builds.isBuilding(live)) return false;
    const { generation } = live;
    this.lives.delete(name);
    if (!generation) return true;
    await follower.release(generation);
    await generation.storeCheckpoint().catch((error) => this.log.warn(`${name} was left without: ${String(error)}`));
    await generation.close();
    return true;
  }

  collection<D extends StoredDocument>(projection: Projection, name: string, freshness?: 'as stored'): Collection<D> {
    return this.lives.collection<D>(projection, name, freshness);
  }

  position(projection: Projection): Position {
    return this.lives.position(projection);
  }

  waitFor(projections: readonly Projection[], position: Position): Promise<void> {
    return this.lives.waitFor(projections, position);
  }

  acknowledge(projections: readonly Projection[], position: Position): Promise<void> {
    return this.lives.acknowledge(projections, position);
  }

  acknowledged(): Promise<void> | null {
    return this.lives.acknowledged();
  }

  onApplied(projection: Projection, listener: (position: Position) => void): () => void {
    return this.lives.onApplied(projection, listener);
  }

  /** Resolves when the files of these live documents hold no content that was deleted before the call. */
  async purge(projections: readonly Projection[]): Promise<void> {
    for (const { name } of projections) await this.lives.get(name).generation?.purge();
  }

  areRidOf(...asked: Parameters<LiveProjections['areRidOf']>): Promise<boolean> {
    return this.lives.areRidOf(...asked);
  }

  /**
   * Builds documents anew from the log on a thread, then switches to them. Until then the live documents are served and
   * follow the log.
   *
   * @param names default: every projection
   * @throws Error for an unknown name; RebuildInProgress; RebuildFailed
   */
  async rebuild(names?: readonly string[], onProgress: (progress: BuildProgress) => void = () => {}): Promise<void> {
    const lives = names ? [...new Set(names)].map((name) => this.lives.get(name)) : this.lives.all();
    await this.running().builds.inThread(lives, onProgress);
  }

  /** Resolves when no build is under way. `status` tells whether they succeeded. */
  async settled(): Promise<void> {
    await this.running().builds.settled();
  }

  status(): ProjectionStatus[] {
    return this.lives.status((live) => this.isUpToDate(live));
  }

  /**
   * Every projection has documents of today's version that follow the end of the log, or has failed and keeps its last
   * good documents: see `status`.
   */
  ready(): boolean {
    if (!this.started) return false;
    return this.lives
      .all()
      .every((live) => this.isUpToDate(live) || (live.generation !== null && live.record.error !== null));
  }

  /** Finishes the batch under way, stores the checkpoints and closes the documents. */
  async close(): Promise<void> {
    if (!this.started) return;
    const { registry, follower, builds } = this.started;
    await builds.close();
    await follower.close();
    for (const live of this.lives.all()) await live.generation?.close();
    await registry.close();
    this.started = undefined;
  }

  /** Documents of the newest events are being written. */
  readonly isApplying = (): boolean => this.lives.all().some(({ generation }) => generation?.isApplying);

  /** Calls `onChanged` for what fails again and again: nothing else changes there. */
  announceStalls(): void {
    for (const live of this.lives.all()) if (live.stall ?? live.progress?.stall) this.options.shared?.onChanged(live);
  }

  /** Opens the projections' usable documents. */
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
      // The token of a new lease is stored.
      await builds.keep(live, (record) =>
        record.state === 'running' && record.token === undefined ? record : resumed(record, this.now()),
      );
      builds.follow(live, generation).catch(() => {});
    }
    if (!build) return;
    const missing = lives.filter(({ generation }) => generation === null);
    if (missing.length > 0) await this.buildMissing(missing, builds);
    // Rebuilds that an earlier process was asked for.
    const unfinished = lives.filter(({ generation, record }) => generation !== null && record.building !== null);
    if (unfinished.length > 0) this.goOnBuilding(unfinished, builds);
  }

  /** Leaves documents of another version until they are replaced: an older program could go on with them. */
  private async openDocuments(live: LiveProjection, head: Position): Promise<void> {
    const { projection, record } = live;
    // Functions of another version began the unfinished documents.
    if (record.building && record.building.version !== projection.version)
      live.record = withoutBuild(record, this.now());
    if (record.live?.version !== projection.version) return;
    const { documentStore: store, shared } = this.options;
    const fence = shared?.fenceOf(projection.name);
    const warn = (line: string): void => this.log.warn(line);
    const generation = await openBuilt({ store, projection, name: record.live.name, head, fence, warn });
    if (generation) return live.switchTo(generation, live.record);
    live.record = lost(live.record, this.now());
    if (store.foundDamaged?.has(record.live.name)) return;
    this.log.warn(`the documents of ${projection.name} are missing or of no use and will be built anew`);
  }

  /** Removes unused databases of the projections, and of former projections unless another process may keep those. */
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
    this.goOnBuilding(missing, builds);
  }

  /** Builds in the background. Goes on with documents that an earlier process left unfinished. */
  private goOnBuilding(lives: readonly LiveProjection[], builds: Builds): void {
    const names = lives.map(({ name }) => name).join(', ');
    const unfinished = lives.flatMap(({ record }) => record.building?.name ?? []);
    const goingOn = unfinished.length > 0 ? `, going on with ${unfinished.join(', ')}` : '';
    this.log.log(`building ${names} from the log${goingOn}`);
    // A failure is logged and kept in the record.
    void builds.goOn(lives, this.reporter()).catch(() => {});
  }

  private reporter(): (progress: BuildProgress) => void {
    let reportedAt = this.now();
    let reported = START;
    return ({ done, total, eventsPerSecond, secondsLeft, position }) => {
      if (this.now() - reportedAt < 2000 || position === reported) return;
      reportedAt = this.now();
      reported = position;
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
