import { Logger } from '@nestjs/common';
import { projections } from '../../projections/index.js';
import type { Projection } from '../../projections/projection.js';
import { AnnouncedReadModels } from '../../projections/runner/announced-read-models.js';
import type { ProjectionStatus } from '../../projections/runner/live-projections.js';
import type { BuildProgress } from '../../projections/runner/rebuild-protocol.js';
import { LatestPublisher } from '../bus/latest-publisher.js';
import type { Engines } from '../config/engines.js';
import type { Directory } from '../directory/directory.js';
import { type EngineHealth, wholeMilliseconds } from '../health/health.js';
import { UnavailableError } from '../kernel/domain-error.js';
import type { Position } from '../kernel/position.js';
import { AnnouncedReactions } from '../process-managers/announced-reactions.js';
import { AccessBarrier, DIRECTORY_TOPIC } from '../processes/access-barrier.js';
import type { ProcessRegistry } from '../processes/process-registry.js';
import type { ReadSide } from './read-side.js';
import { askForRebuild } from './shared-rebuild.js';
import type { Worker } from './worker.js';

/**
 * Longer than documents that have been replaced are kept, and than it takes until another process keeps them; before
 * clients give up.
 */
const LONGEST_REMOVAL_MS = 12_000;

export interface DistributedReadSideOptions {
  readonly engines: Engines;
  readonly registry: ProcessRegistry;
  readonly directory: Directory;
  /** Where this process keeps projections, too. */
  readonly worker: Worker | null;
}

/** One of many processes: what the documents are is announced by whoever keeps them. */
export class DistributedReadSide implements ReadSide {
  readonly isShared = true;
  readonly readModels: AnnouncedReadModels;
  readonly reactions: AnnouncedReactions;
  private readonly barrier: AccessBarrier;
  private readonly news: LatestPublisher;

  constructor(private readonly options: DistributedReadSideOptions) {
    const { engines, registry, directory } = options;
    const { documentStore, bus } = engines;
    const log = new Logger('Processes');
    const report = (error: unknown): void => log.warn(String(error));
    this.readModels = new AnnouncedReadModels({
      documentStore,
      bus,
      projections,
      head: () => directory.position,
      report,
    });
    this.reactions = new AnnouncedReactions(bus);
    this.barrier = new AccessBarrier({ registry, bus, report });
    this.news = new LatestPublisher(bus, DIRECTORY_TOPIC, report);
  }

  async start(): Promise<void> {
    await this.options.worker?.start();
    await this.readModels.start();
  }

  async startReactions(): Promise<void> {}

  async close(): Promise<void> {
    this.barrier.close();
    this.reactions.close();
    await this.readModels.close();
    await this.options.worker?.close();
  }

  async wordsGone(position: Position, among: readonly Projection[]): Promise<void> {
    const held = among.filter(({ holdsWords }) => holdsWords);
    if (await this.readModels.areRidOf(position, held, LONGEST_REMOVAL_MS)) return;
    throw new UnavailableError('it is deleted, and the documents that held its words have yet to follow');
  }

  get standing(): ProcessRegistry {
    return this.options.registry;
  }

  directoryChanged(position: Position): void {
    this.news.set(this.options.registry.id, { position });
  }

  passedEverywhere(position: Position): Promise<void> {
    return this.barrier.passed(position);
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

  async settled(): Promise<void> {
    await this.options.worker?.settled();
  }

  async rebuild(names: readonly string[] | undefined, onProgress: (progress: BuildProgress) => void): Promise<void> {
    await askForRebuild(this.options.engines, names ?? projections.map(({ name }) => name), onProgress);
  }
}
