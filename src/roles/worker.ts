import { Logger } from '@nestjs/common';
import { directoryProjection } from '../../projections/directory.projection.js';
import { projections } from '../../projections/index.js';
import { messages } from '../../projections/messages.projection.js';
import { personal } from '../../projections/personal.projection.js';
import { reactors } from '../../projections/reactors/all-reactors.js';
import { Reactors } from '../../projections/reactors/reactors.js';
import { readState } from '../../projections/read-state.projection.js';
import { AnnouncedReadModels } from '../../projections/runner/announced-read-models.js';
import { announcementOf, PROJECTIONS_TOPIC } from '../../projections/runner/announcement.js';
import type { ProjectionStatus } from '../../projections/runner/live-projections.js';
import { ProjectionRunner } from '../../projections/runner/projection-runner.js';
import { LatestPublisher } from '../bus/latest-publisher.js';
import type { CommandRunner } from '../command-runner/command-runner.js';
import type { EngineSettings } from '../config/engine-settings.js';
import type { Engines } from '../config/engines.js';
import type { EventCodec } from '../event-codec/event-codec.js';
import type { Mailer } from '../mail/mailer.js';
import { processManagers } from '../process-managers/all-process-managers.js';
import { REACTIONS_TOPIC } from '../process-managers/announced-reactions.js';
import { DeletedWords } from '../process-managers/deleted-words.js';
import { ProcessManagers } from '../process-managers/process-managers.js';
import { REACTIONS_DATABASE } from '../process-managers/reactions.js';
import { Fence } from '../processes/fence.js';
import { LeaseKeeper } from '../processes/lease-keeper.js';
import { type Lease, Leases } from '../processes/leases.js';
import type { ProcessRegistry } from '../processes/process-registry.js';
import { threadEntry } from '../threads/thread-entry.js';
import type { LogWatch } from './log-watch.js';
import { onRebuildAsked } from './shared-rebuild.js';

export interface WorkerOptions {
  readonly engines: Engines;
  /** To open the same engines on a thread. */
  readonly settings: EngineSettings;
  readonly codec: EventCodec;
  readonly commandRunner: CommandRunner;
  readonly registry: ProcessRegistry;
  readonly logWatch: LogWatch;
  readonly mailer: Mailer;
}

/** How long news of documents that are as they were waits for news to go with: ms. */
const UNCHANGED_WAITS_MS = 5;

/**
 * Longer than a process reads what it cannot look up any more (AnnouncedReadModels): until then, documents that have
 * been replaced stay.
 */
const KEEP_REPLACED_MS = 7000;

/** Keeps its share of the projections, and runs the process managers and the reactors where nobody else does. */
export class Worker {
  private readonly log = new Logger('Worker');
  private readonly projectionNews: LatestPublisher;
  private readonly reactionNews: LatestPublisher;
  private readonly fences = new Map<string, Fence>();
  private runner: ProjectionRunner | null = null;
  private managers: ProcessManagers | null = null;
  /** What the process managers look up, whoever keeps it. */
  private lookUps: AnnouncedReadModels | null = null;
  private effects: Reactors | null = null;
  private deletedWords: DeletedWords | null = null;
  private keeper: LeaseKeeper | null = null;
  private stopListening: () => void = () => {};

  constructor(private readonly options: WorkerOptions) {
    const failed = (error: unknown): void => this.log.warn(`other processes were not told: ${String(error)}`);
    this.projectionNews = new LatestPublisher(options.engines.bus, PROJECTIONS_TOPIC, failed);
    this.reactionNews = new LatestPublisher(options.engines.bus, REACTIONS_TOPIC, failed);
  }

  /** Resolves when it has looked once for something to do. */
  async start(): Promise<void> {
    const { engines, registry, logWatch } = this.options;
    await logWatch.start();
    this.stopListening = onRebuildAsked(engines.bus, (names) => this.rebuild(names));
    this.keeper = new LeaseKeeper({
      registry,
      leases: await Leases.open(engines.projectionStore, registry),
      names: [...projections.map(({ name }) => name), REACTIONS_DATABASE],
      canKeep: () => this.canKeep(),
      take: (leases) => this.take(leases),
      leave: (name) => this.leave(name),
      drop: () => this.drop(),
      report: (error) => this.log.error(`what there is to do cannot be taken up, trying again: ${String(error)}`),
    });
    await this.keeper.start();
  }

  /** This process was not heard of for too long: others do by now what it did. */
  lapsed(): void {
    this.log.warn('this process was out of reach for too long; what it kept may have been taken over');
    this.keeper?.lose();
  }

  /** It hears from the log: documents that it kept would go on. */
  canKeep(): boolean {
    return this.options.logWatch.isReachable();
  }

  /** Names of the projections it keeps, and of the process managers. */
  holds(): string[] {
    return this.keeper?.holds() ?? [];
  }

  status(): ProjectionStatus[] {
    return this.runner?.status() ?? [];
  }

  /** What it keeps is up to date. */
  ready(): boolean {
    return this.keeper !== null && (this.runner?.ready() ?? true);
  }

  /** Resolves when nothing is being built here. */
  async settled(): Promise<void> {
    await this.runner?.settled();
  }

  async close(): Promise<void> {
    this.stopListening();
    await this.keeper?.close();
    await this.options.logWatch.close();
  }

  private async take(leases: readonly Lease[]): Promise<void> {
    for (const { name, token } of leases) this.fences.set(name, new Fence(token));
    const names = new Set(leases.map(({ name }) => name));
    const taken = projections.filter(({ name }) => names.has(name));
    if (taken.length > 0 && this.runner) await this.runner.take(taken);
    else if (taken.length > 0) {
      this.runner = this.newRunner();
      await this.runner.start({ only: taken });
    }
    if (names.has(REACTIONS_DATABASE)) {
      this.startReactions();
      this.startEffects();
      this.startDeletedWords();
    }
    this.log.log(`keeps ${[...names].join(', ')}`);
  }

  /** For another process, which waits for it. */
  private async leave(name: string): Promise<boolean> {
    if (name === REACTIONS_DATABASE) await this.stopReactions();
    else if (!(await this.runner?.leave(name))) return false;
    this.fences.delete(name);
    this.log.log(`leaves ${name} to another process`);
    return true;
  }

  private async drop(): Promise<void> {
    const { runner } = this;
    this.runner = null;
    await this.stopReactions();
    await runner?.close();
    this.fences.clear();
  }

  private async stopReactions(): Promise<void> {
    const { managers, lookUps, effects, deletedWords } = this;
    this.managers = null;
    this.lookUps = null;
    this.effects = null;
    this.deletedWords = null;
    await deletedWords?.close();
    await effects?.close();
    await managers?.close();
    await lookUps?.close();
  }

  private newRunner(): ProjectionRunner {
    const { engines, settings, codec } = this.options;
    return new ProjectionRunner({
      eventStore: engines.eventStore,
      documentStore: engines.projectionStore,
      codec,
      projections,
      rebuild: { engines: settings, projectionsModule: threadEntry('projections/index.js') },
      shared: {
        fenceOf: (name) => this.fenceOf(name),
        keepReplacedFor: KEEP_REPLACED_MS,
        onFenced: () => this.keeper?.lose(),
        onChanged: (live) => {
          // Nobody waits for what nothing was written to.
          const within = live.generation?.isAheadOfCheckpoint ? UNCHANGED_WAITS_MS : 0;
          this.projectionNews.set(live.name, announcementOf(live), within);
        },
      },
    });
  }

  private startReactions(): void {
    const { engines, codec, commandRunner, logWatch } = this.options;
    const lookUps = new AnnouncedReadModels({
      documentStore: engines.documentStore,
      bus: engines.bus,
      projections: [personal, messages, readState, directoryProjection],
      head: () => logWatch.head,
      report: (error) => this.log.warn(`what decisions cause looks nothing up: ${String(error)}`),
    });
    const managers = new ProcessManagers({
      eventStore: engines.eventStore,
      documentStore: engines.projectionStore,
      codec,
      runner: commandRunner,
      readModels: lookUps,
      managers: processManagers,
      report: (error) => this.log.error(`what decisions cause is held up: ${String(error)}`),
      shared: {
        fence: this.fenceOf(REACTIONS_DATABASE),
        onFenced: () => this.keeper?.lose(),
        onAdvanced: (progress) => this.reactionNews.set('reactions', { ...progress }),
      },
    });
    this.managers = managers;
    this.lookUps = lookUps;
    // What an earlier holder left undone may take a while: the projections need not wait for it.
    const start = async (): Promise<void> => {
      await lookUps.start();
      await managers.start();
    };
    start().catch((error: unknown) => {
      this.log.error(`what decisions cause cannot be looked after: ${String(error)}`);
      this.keeper?.lose();
    });
  }

  /** By whoever runs the process managers, under the same lease. */
  private startEffects(): void {
    const { engines, codec, mailer } = this.options;
    const effects = new Reactors({
      eventStore: engines.eventStore,
      documentStore: engines.projectionStore,
      codec,
      mailer,
      reactors,
      report: (error) => this.log.error(`what is to be sent is held up: ${String(error)}`),
      shared: { fence: this.fenceOf(REACTIONS_DATABASE), onFenced: () => this.keeper?.lose() },
    });
    this.effects = effects;
    effects.start().catch((error: unknown) => {
      this.log.error(`what is to be sent cannot be looked after: ${String(error)}`);
      this.keeper?.lose();
    });
  }

  /** By the same. */
  private startDeletedWords(): void {
    const { engines, codec } = this.options;
    const deletedWords = new DeletedWords({
      eventStore: engines.eventStore,
      contentKeys: engines.contentKeys,
      fileStore: engines.fileStore,
      documentStore: engines.projectionStore,
      codec,
      purge: async () => {},
      report: (error) => this.log.error(`deleted words are not gone yet: ${String(error)}`),
      shared: { fence: this.fenceOf(REACTIONS_DATABASE), onFenced: () => this.keeper?.lose() },
    });
    this.deletedWords = deletedWords;
    deletedWords.start().catch((error: unknown) => {
      this.log.error(`deleted words cannot be looked after: ${String(error)}`);
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
