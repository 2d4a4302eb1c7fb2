import { Logger } from '@nestjs/common';
import { projections } from '../../../projections/index.js';
import { AnnouncedReadModels } from '../../../projections/runner/announced-read-models.js';
import { announcementOf, PROJECTIONS_TOPIC } from '../../../projections/runner/announcement.js';
import type { ProjectionStatus } from '../../../projections/runner/live-projections.js';
import type { ProjectionRunner } from '../../../projections/runner/projection-runner.js';
import { LatestPublisher } from '../../platform/bus/latest-publisher.js';
import { Fence } from '../../platform/cluster/fence.js';
import { LeaseKeeper } from '../../platform/cluster/lease-keeper.js';
import { type Lease, Leases } from '../../platform/cluster/leases.js';
import type { ProcessRegistry } from '../../platform/cluster/process-registry.js';
import { CONSEQUENCES_DATABASE } from '../../platform/commands/consequences.js';
import { CONSEQUENCES_TOPIC } from '../../platform/consumers/announced-consequences.js';
import { PeriodicTask } from '../../platform/kernel/periodic-task.js';
import { readByConsumers } from '../features.js';
import { onRebuildAsked } from './asked-rebuilds.js';
import { type ConsumerParts, LogConsumers } from './log-consumers.js';
import { LogWatch } from './log-watch.js';
import { newProjectionRunner, type ProjectionParts } from './projection-runner.js';

export type WorkerParts = ProjectionParts & ConsumerParts;

/**
 * Milliseconds for which news of mere progress wait for others: longer than documents of the same event take on a quiet
 * server, with which the news are one write. On a busy one they wait again, as long as documents are being written.
 */
const PROGRESS_WAITS_MS = 20;

/**
 * Time for which replaced documents stay: longer than a process reads documents that it cannot look up any more
 * (AnnouncedReadModels).
 */
const KEEP_REPLACED_MS = 7000;

/** Milliseconds between two announcements of a stall, of which nothing else is heard. */
const STALL_EVERY_MS = 1000;

/** Keeps its share of the projections, and runs the process managers and reactors if no other process does. */
export class Worker {
  readonly logWatch: LogWatch;
  /** All news of this process. */
  readonly news: LatestPublisher;
  private readonly log = new Logger('Worker');
  private readonly fences = new Map<string, Fence>();
  private runner: ProjectionRunner | null = null;
  private consumers: LogConsumers | null = null;
  private closeLookUps: () => Promise<void> = async () => {};
  private keeper: LeaseKeeper | null = null;
  private isClosing = false;
  private stopListening: () => void = () => {};
  /** A process that was away, or has started since, hears of stalls, too. */
  private readonly stalls = new PeriodicTask({
    every: STALL_EVERY_MS,
    ref: false,
    work: async () => this.runner?.announceStalls(),
  });

  constructor(
    private readonly parts: WorkerParts,
    private readonly registry: ProcessRegistry,
  ) {
    const { bus, eventStore } = parts.engines;
    const failed = (error: unknown): void => this.log.warn(`other processes were not told: ${String(error)}`);
    this.news = new LatestPublisher(bus, failed, () => this.runner?.isApplying() ?? false);
    this.logWatch = new LogWatch(eventStore);
  }

  /** Starts the worker. Resolves after its first look for work. */
  async start(): Promise<void> {
    const { registry } = this;
    const { engines } = this.parts;
    await this.logWatch.start();
    this.stopListening = onRebuildAsked(engines.bus, (names) => this.rebuild(names));
    this.keeper = new LeaseKeeper({
      registry,
      leases: await Leases.open(engines.projectionStore, registry),
      names: [...projections.map(({ name }) => name), CONSEQUENCES_DATABASE],
      canKeep: () => this.canKeep(),
      adopt: (leases) => this.adopt(leases),
      release: (name) => this.release(name),
      drop: () => this.drop(),
      report: (error) => this.log.error(`what there is to do cannot be taken up, trying again: ${String(error)}`),
    });
    await this.keeper.start();
    this.stalls.start();
  }

  /** Drops the leases: others could not hear of this process for too long, and do its work by now. */
  lapsed(): void {
    this.log.warn('this process was out of reach for too long; what it kept may have been taken over');
    this.keeper?.lose();
  }

  /** Tells whether the log answers, so that documents it keeps would go on. False once it stops. */
  canKeep(): boolean {
    return !this.isClosing && this.logWatch.isReachable();
  }

  /** Names of the leases it holds: projections, and the process managers. */
  holds(): string[] {
    return this.keeper?.holds() ?? [];
  }

  status(): ProjectionStatus[] {
    return this.runner?.status() ?? [];
  }

  /** Tells whether its documents are up to date. */
  ready(): boolean {
    return this.keeper !== null && (this.runner?.ready() ?? true);
  }

  /** Resolves when it builds no documents. */
  async settled(): Promise<void> {
    await this.runner?.settled();
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.stopListening();
    await this.stalls.stop();
    await this.keeper?.close();
    await this.logWatch.close();
  }

  private async adopt(leases: readonly Lease[]): Promise<void> {
    for (const { name, token } of leases) this.fences.set(name, new Fence(token));
    const names = new Set(leases.map(({ name }) => name));
    const taken = projections.filter(({ name }) => names.has(name));
    if (taken.length > 0 && this.runner) await this.runner.adopt(taken);
    else if (taken.length > 0) {
      this.runner = this.newRunner();
      await this.runner.start({ only: taken });
    }
    if (names.has(CONSEQUENCES_DATABASE)) this.startConsumers();
    this.log.log(`keeps ${[...names].join(', ')}`);
  }

  /** Ends the work of a lease, for another process that waits for it. */
  private async release(name: string): Promise<boolean> {
    if (name === CONSEQUENCES_DATABASE) await this.stopConsumers();
    else if (!(await this.runner?.release(name))) return false;
    this.fences.delete(name);
    this.log.log(`leaves ${name} to another process`);
    return true;
  }

  private async drop(): Promise<void> {
    const { runner } = this;
    this.runner = null;
    await this.stopConsumers();
    await runner?.close();
    this.fences.clear();
  }

  private async stopConsumers(): Promise<void> {
    const { consumers, closeLookUps } = this;
    this.consumers = null;
    this.closeLookUps = async () => {};
    await consumers?.close();
    await closeLookUps();
  }

  private newRunner(): ProjectionRunner {
    return newProjectionRunner(this.parts, {
      fenceOf: (name) => this.fenceOf(name),
      keepReplacedFor: KEEP_REPLACED_MS,
      onFenced: () => this.keeper?.lose(),
      onChanged: (live) => {
        // No caller waits for documents that did not change.
        const longest = live.generation?.isAheadOfCheckpoint ? PROGRESS_WAITS_MS : 0;
        this.news.set(PROJECTIONS_TOPIC, live.name, announcementOf(live), longest);
      },
    });
  }

  private startConsumers(): void {
    const { documentStore, bus } = this.parts.engines;
    const failed = (line: string): void => this.log.error(line);
    // Documents for process managers and followers, whichever process keeps them.
    const lookUps = new AnnouncedReadModels({
      documentStore,
      bus,
      projections: readByConsumers,
      head: () => this.logWatch.head,
      report: (error) => this.log.warn(`consequences cannot look documents up: ${String(error)}`),
    });
    const consumers = new LogConsumers(this.parts, {
      readModels: lookUps,
      purge: async () => {},
      report: {
        consequences: (error) => failed(`consequences are held up: ${String(error)}`),
        effects: (error) => failed(`what is to be sent is held up: ${String(error)}`),
        erasedContent: (error) => failed(`deleted content is not gone yet: ${String(error)}`),
      },
      shared: {
        fence: this.fenceOf(CONSEQUENCES_DATABASE),
        onFenced: () => this.keeper?.lose(),
        onAdvanced: (progress, isMere) => {
          this.news.set(CONSEQUENCES_TOPIC, 'reactions', { ...progress }, isMere ? PROGRESS_WAITS_MS : 0);
        },
      },
    });
    this.consumers = consumers;
    const lookUpsStarted = lookUps.start();
    this.closeLookUps = async () => {
      await lookUpsStarted.catch(() => {});
      await lookUps.close();
    };
    // Unfinished work of an earlier holder may take a while: the projections need not wait for it.
    lookUpsStarted
      .then(() => consumers.start())
      .catch((error: unknown) => {
        // Stopped meanwhile: the lease is gone already.
        if (this.consumers !== consumers) return;
        failed(`consequences, effects and erasures cannot be looked after: ${String(error)}`);
        this.keeper?.lose();
      });
  }

  private async rebuild(names: readonly string[]): Promise<void> {
    const kept = new Set(this.status().map(({ name }) => name));
    const mine = names.filter((name) => kept.has(name));
    if (mine.length > 0) await this.runner?.rebuild(mine);
  }

  private fenceOf(name: string): Fence {
    const fence = this.fences.get(name);
    if (!fence) throw new Error(`${name} is not kept by this process`);
    return fence;
  }
}
