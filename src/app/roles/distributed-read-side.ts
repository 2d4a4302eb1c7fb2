import { Logger } from '@nestjs/common';
import { projections } from '../../../projections/index.js';
import { AnnouncedReadModels } from '../../../projections/runner/announced-read-models.js';
import type { ProjectionStatus } from '../../../projections/runner/live-projections.js';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import type { Directory } from '../../directory/directory.js';
import { LatestPublisher } from '../../platform/bus/latest-publisher.js';
import { AccessBarrier, DIRECTORY_TOPIC } from '../../platform/cluster/access-barrier.js';
import type { ProcessRegistry } from '../../platform/cluster/process-registry.js';
import { AnnouncedConsequences } from '../../platform/consumers/announced-consequences.js';
import type { Engines } from '../../platform/engines/engines.js';
import { UnavailableError } from '../../platform/kernel/outcome-errors.js';
import type { Position } from '../../platform/kernel/position.js';
import type { Projection } from '../../platform/read-models/projection.js';
import { type EngineHealth, type FollowersReport, wholeMilliseconds } from '../health/health.js';
import { askForRebuild } from './asked-rebuilds.js';
import { FollowersWatch } from './followers-watch.js';
import type { ReadSide } from './read-side.js';
import type { TreeAtTheEnd } from './tree-at-the-end.js';
import type { Worker } from './worker.js';

/**
 * Longest wait for a deletion. Longer than replaced documents are kept and than a lease needs to find its next holder;
 * shorter than clients wait.
 */
const LONGEST_REMOVAL_MS = 12_000;

interface DistributedReadSideOptions {
  readonly engines: Engines;
  readonly registry: ProcessRegistry;
  readonly directory: Directory;
  /** Set if this process keeps projections, too. */
  readonly worker: Worker | null;
  /** Begins once the process has started. */
  readonly treeAtTheEnd: Pick<TreeAtTheEnd, 'start'>;
  /** Longest time that an answer waits until reads show what it changed, milliseconds (D11). */
  readonly longestWait: number;
}

/** Read side of one process among several: the process that keeps documents announces them. */
export class DistributedReadSide implements ReadSide {
  readonly isShared = true;
  readonly ahead = null;
  readonly readModels: AnnouncedReadModels;
  readonly consequences: AnnouncedConsequences;
  private readonly barrier: AccessBarrier;
  private readonly news: LatestPublisher;
  private readonly followersWatch: FollowersWatch;

  constructor(private readonly options: DistributedReadSideOptions) {
    const { engines, registry, directory, worker, longestWait } = options;
    const { documentStore, bus } = engines;
    const log = new Logger('Processes');
    const report = (error: unknown): void => log.warn(String(error));
    this.readModels = new AnnouncedReadModels({
      documentStore,
      bus,
      projections,
      head: () => directory.position,
      longestWait,
      report,
    });
    this.followersWatch = new FollowersWatch(documentStore);
    this.consequences = new AnnouncedConsequences(bus, longestWait);
    this.barrier = new AccessBarrier({ registry, bus, report });
    this.news = worker?.news ?? new LatestPublisher(bus, report);
  }

  async start(): Promise<void> {
    await this.options.worker?.start();
    await this.readModels.start();
    this.followersWatch.start();
  }

  async startConsequences(): Promise<void> {
    this.options.treeAtTheEnd.start();
  }

  async close(): Promise<void> {
    await this.followersWatch.close();
    this.barrier.close();
    this.consequences.close();
    await this.readModels.close();
    await this.options.worker?.close();
  }

  async waitForErasure(position: Position, among: readonly Projection[]): Promise<void> {
    const held = among.filter(({ holdsContent }) => holdsContent);
    if (await this.readModels.areRidOf(position, held, LONGEST_REMOVAL_MS)) return;
    throw new UnavailableError('it is deleted, and the documents that held its content have yet to follow');
  }

  get membership(): ProcessRegistry {
    return this.options.registry;
  }

  directoryChanged(position: Position): void {
    this.news.set(DIRECTORY_TOPIC, this.options.registry.id, { position });
  }

  passedEverywhere(position: Position): Promise<void> {
    return this.barrier.waitUntilPassed(position);
  }

  documents(): EngineHealth {
    return { reachable: this.readModels.isFresh(), answeredMsAgo: wholeMilliseconds(this.readModels.age()) };
  }

  ready(): boolean {
    return this.readModels.ready();
  }

  status(): ProjectionStatus[] {
    return this.readModels.status();
  }

  followers(): FollowersReport {
    return this.followersWatch.report;
  }

  async settled(): Promise<void> {
    await this.options.worker?.settled();
  }

  async rebuild(names: readonly string[] | undefined, onProgress: (progress: BuildProgress) => void): Promise<void> {
    await askForRebuild(this.options.engines, names ?? projections.map(({ name }) => name), onProgress);
  }
}
