import { Logger } from '@nestjs/common';
import { projections } from '../../projections/index.js';
import type { Projection } from '../../projections/projection.js';
import { reactors } from '../../projections/reactors/all-reactors.js';
import { Reactors } from '../../projections/reactors/reactors.js';
import type { ProjectionStatus } from '../../projections/runner/live-projections.js';
import { ProjectionRunner } from '../../projections/runner/projection-runner.js';
import type { BuildProgress } from '../../projections/runner/rebuild-protocol.js';
import type { CommandRunner } from '../command-runner/command-runner.js';
import type { EngineSettings } from '../config/engine-settings.js';
import type { Engines } from '../config/engines.js';
import type { EventCodec } from '../event-codec/event-codec.js';
import type { EngineHealth } from '../health/health.js';
import { UnavailableError } from '../kernel/domain-error.js';
import type { Position } from '../kernel/position.js';
import type { Mailer } from '../mail/mailer.js';
import { processManagers } from '../process-managers/all-process-managers.js';
import { DeletedWords } from '../process-managers/deleted-words.js';
import { ProcessManagers } from '../process-managers/process-managers.js';
import { threadEntry } from '../threads/thread-entry.js';
import type { ReadSide } from './read-side.js';

/** A purge reads all documents: about a second a gigabyte. */
const LONGEST_PURGE_MS = 60_000;

/** Nobody else reads them. */
const LONGEST_REMOVAL_MS = 10_000;

/** One process that does everything. */
export class EmbeddedReadSide implements ReadSide {
  readonly isShared = false;
  readonly standing = null;
  readonly readModels: ProjectionRunner;
  readonly reactions: ProcessManagers;
  private readonly effects: Reactors;
  private readonly deletedWords: DeletedWords;

  constructor(engines: Engines, settings: EngineSettings, codec: EventCodec, runner: CommandRunner, mailer: Mailer) {
    const { eventStore, documentStore, contentKeys, fileStore } = engines;
    const log = new Logger('ProcessManagers');
    this.readModels = new ProjectionRunner({
      eventStore,
      documentStore,
      codec,
      projections,
      rebuild: { engines: settings, projectionsModule: threadEntry('projections/index.js') },
    });
    this.reactions = new ProcessManagers({
      eventStore,
      documentStore,
      codec,
      runner,
      readModels: this.readModels,
      managers: processManagers,
      report: (error) => log.error(error),
    });
    this.effects = new Reactors({
      eventStore,
      documentStore,
      codec,
      mailer,
      reactors,
      report: (error) => log.error(error),
    });
    this.deletedWords = new DeletedWords({
      eventStore,
      contentKeys,
      fileStore,
      documentStore,
      codec,
      purge: (position, held) => this.purge(position, held),
      report: (error) => new Logger('DeletedWords').warn(`deleted words are not gone yet: ${String(error)}`),
    });
  }

  async start(): Promise<void> {
    await this.readModels.start();
  }

  async startReactions(): Promise<void> {
    await this.reactions.start();
    await this.effects.start();
    await this.deletedWords.start();
  }

  async close(): Promise<void> {
    await this.deletedWords.close();
    await this.effects.close();
    await this.reactions.close();
    await this.readModels.close();
  }

  async wordsGone(position: Position, among: readonly Projection[]): Promise<void> {
    await this.deletedWords.waitFor(position, LONGEST_PURGE_MS);
    // A build that had read them before their keys were gone comes to their deletion, and its files are purged.
    const held = among.filter(({ holdsWords }) => holdsWords);
    if (await this.readModels.areRidOf(position, held, LONGEST_REMOVAL_MS)) return;
    throw new UnavailableError('it is deleted, and documents that are being built may still hold its words');
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

  settled(): Promise<void> {
    return this.readModels.settled();
  }

  rebuild(names: readonly string[] | undefined, onProgress: (progress: BuildProgress) => void): Promise<void> {
    return this.readModels.rebuild(names, onProgress);
  }

  private async purge(position: Position, held: readonly Projection[]): Promise<void> {
    await this.readModels.waitFor(held, position);
    if (held.some((one) => this.readModels.position(one) < position))
      throw new Error('documents with words have yet to come as far as the deletion');
    await this.readModels.purge(held);
    // Last: what was replaced meanwhile is removed, files and all, once what is in its place has been purged.
    if (!(await this.readModels.areRidOf(position, held, LONGEST_REMOVAL_MS, true)))
      throw new Error('documents with words have been replaced, and are still there');
  }
}
