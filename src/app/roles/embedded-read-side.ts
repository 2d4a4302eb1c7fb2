import { Logger } from '@nestjs/common';
import type { ProjectionStatus } from '../../../projections/runner/live-projections.js';
import type { ProjectionRunner } from '../../../projections/runner/projection-runner.js';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';
import type { DirectoryFollower } from '../../directory/directory-follower.js';
import type { Consequences } from '../../platform/commands/consequences.js';
import { UnavailableError } from '../../platform/kernel/outcome-errors.js';
import type { Position } from '../../platform/kernel/position.js';
import type { AheadOfDocuments } from '../../platform/read-models/ahead-of-documents.js';
import type { Projection } from '../../platform/read-models/projection.js';
import type { EngineHealth, FollowersReport } from '../health/health.js';
import { FollowersWatch } from './followers-watch.js';
import { type ConsumerParts, LogConsumers } from './log-consumers.js';
import { newProjectionRunner, type ProjectionParts } from './projection-runner.js';
import type { ReadSide } from './read-side.js';

/** Longest wait for a purge, which reads all documents at about a gigabyte per second. */
const LONGEST_PURGE_MS = 60_000;

/** Longest wait until replaced documents are removed: no other process reads them. */
const LONGEST_REMOVAL_MS = 10_000;

/**
 * Read side of a single process. It is separate from `Worker` because its runner and consumers exist before the start
 * and stay until the end, and a failed start ends the process; a worker's come and go with its leases.
 */
export class EmbeddedReadSide implements ReadSide {
  readonly isShared = false;
  readonly membership = null;
  readonly readModels: ProjectionRunner;
  readonly ahead: AheadOfDocuments;
  readonly consequences: Consequences;
  private readonly consumers: LogConsumers;
  private readonly followersWatch: FollowersWatch;

  constructor(parts: ProjectionParts & ConsumerParts) {
    const log = new Logger('ProcessManagers');
    const failed = (error: unknown): void => log.error(error);
    this.readModels = newProjectionRunner(parts);
    this.ahead = this.readModels;
    this.consumers = new LogConsumers(parts, {
      readModels: this.readModels,
      purge: (position, held) => this.purge(position, held),
      report: {
        consequences: failed,
        effects: failed,
        erasedContent: (error) => new Logger('ErasedContent').warn(`deleted content is not gone yet: ${String(error)}`),
      },
    });
    this.consequences = this.consumers.consequences;
    this.followersWatch = new FollowersWatch(parts.engines.projectionStore);
  }

  async start(): Promise<void> {
    await this.readModels.start();
  }

  async startConsequences(directory: DirectoryFollower): Promise<void> {
    await this.consumers.startInOrder(directory);
    this.followersWatch.start();
  }

  async close(): Promise<void> {
    await this.followersWatch.close();
    await this.consumers.close();
    await this.readModels.close();
  }

  async waitForErasure(position: Position, among: readonly Projection[]): Promise<void> {
    await this.consumers.erasedContent.waitFor(position, LONGEST_PURGE_MS);
    // A build may have read the content before its keys were destroyed. It reaches the deletion later, and its files
    // are purged.
    const held = among.filter(({ holdsContent }) => holdsContent);
    if (await this.readModels.areRidOf(position, held, LONGEST_REMOVAL_MS)) return;
    throw new UnavailableError('it is deleted, and documents that are being built may still hold its content');
  }

  directoryChanged(): void {}

  async passedEverywhere(): Promise<void> {}

  documents(): EngineHealth {
    return { reachable: true, answeredMsAgo: 0 };
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

  settled(): Promise<void> {
    return this.readModels.settled();
  }

  rebuild(names: readonly string[] | undefined, onProgress: (progress: BuildProgress) => void): Promise<void> {
    return this.readModels.rebuild(names, onProgress);
  }

  private async purge(position: Position, held: readonly Projection[]): Promise<void> {
    await this.readModels.waitFor(held, position);
    if (held.some((one) => this.readModels.position(one) < position))
      throw new Error('documents with content have yet to come as far as the deletion');
    await this.readModels.purge(held);
    // Comes last: documents that were replaced meanwhile are removed, files and all, once their successors are purged.
    if (!(await this.readModels.areRidOf(position, held, LONGEST_REMOVAL_MS, true)))
      throw new Error('documents with content have been replaced, and are still there');
  }
}
