import { Logger } from '@nestjs/common';
import { projections } from '../../../projections/index.js';
import type { DirectoryFollower } from '../../directory/directory-follower.js';
import { eventRegistry } from '../../events/event-registry.js';
import { type DeletedKeysFound, TRANSPARENCY_STREAM } from '../../events/transparency/transparency.events.js';
import { storeCheckpoint } from '../../platform/cluster/fence.js';
import type { CommandRunner } from '../../platform/commands/command-runner.js';
import { ErasedContent, type ErasedContentOptions, erasuresIn } from '../../platform/consumers/erased-content.js';
import type { OpenFollower } from '../../platform/consumers/follower.js';
import { ProcessManagers, type ProcessManagersOptions } from '../../platform/consumers/process-managers.js';
import { REACTORS_DATABASE, Reactors } from '../../platform/consumers/reactors.js';
import type { DocumentDatabase, DocumentStore } from '../../platform/documents/document-store.js';
import { inDatabase } from '../../platform/documents/in-database.js';
import type { Engines } from '../../platform/engines/engines.js';
import { newEventId } from '../../platform/kernel/ids.js';
import { START } from '../../platform/kernel/position.js';
import { Links } from '../../platform/links/links.js';
import type { EventCodec } from '../../platform/log/event-codec.js';
import { type Mailer, type OnRefused, refusedMailsGoTo } from '../../platform/mail/mailer.js';
import type { ReadModels } from '../../platform/read-models/read-models.js';
import {
  consequences,
  type FeatureFollowerParts,
  type FollowerServices,
  followers,
  reactors,
  refusedMails,
} from '../features.js';

export interface ConsumerParts extends FollowerServices {
  readonly engines: Engines;
  readonly codec: EventCodec;
  readonly commandRunner: CommandRunner;
  /** Opens the mailer anew for each run of the consumers. */
  readonly openMailer: (onRefused: OnRefused) => Mailer;
  /** The server's public URL, without a slash at its end. */
  readonly site: () => string;
  /** Whether new people are greeted. */
  readonly welcomesPeople: boolean;
  /** Longest time that an answer waits for consequences, milliseconds (D11). */
  readonly longestWait: number;
}

interface LogConsumersOptions {
  /** Read models for the process managers. */
  readonly readModels: ReadModels;
  readonly purge: ErasedContentOptions['purge'];
  readonly report: {
    readonly consequences: (error: unknown) => void;
    readonly effects: (error: unknown) => void;
    readonly erasedContent: (error: unknown) => void;
  };
  /** Set if several processes take turns. */
  readonly shared?: NonNullable<ProcessManagersOptions['shared']>;
}

/** Work on the log that one process at a time does, besides documents: consequences, effects, and erasing content. */
export class LogConsumers {
  readonly consequences: ProcessManagers;
  readonly erasedContent: ErasedContent;
  private readonly effects: Reactors;
  private readonly mailer: Mailer;
  private readonly followerParts: Omit<FeatureFollowerParts, 'directoryFollower'>;
  private readonly followers: OpenFollower[] = [];
  private isClosed = false;

  constructor(parts: ConsumerParts, options: LogConsumersOptions) {
    const { engines, codec, commandRunner, openMailer, welcomesPeople, longestWait, ...services } = parts;
    const { site } = services;
    const { eventStore, projectionStore: documentStore, contentKeys, fileStore } = engines;
    const { readModels, purge, report, shared } = options;
    const setting = { eventStore, documentStore, codec, ...(shared ? { shared } : {}) };
    this.consequences = new ProcessManagers({
      ...setting,
      runner: commandRunner,
      readModels,
      managers: consequences.filter(({ welcomes }) => !welcomes || welcomesPeople),
      longestWait,
      report: report.consequences,
    });
    this.mailer = openMailer(refusedMailsGoTo(refusedMails, commandRunner));
    const links = new Links(contentKeys);
    this.effects = new Reactors({ ...setting, mailer: this.mailer, links, site, reactors, report: report.effects });
    this.followerParts = {
      ...setting,
      ...services,
      readModels,
      runner: commandRunner,
      bus: engines.bus,
      report: report.effects,
    };
    this.erasedContent = new ErasedContent({
      onKeysFound: (count) => recordFound(count, commandRunner),
      ...setting,
      contentKeys,
      fileStore,
      erasures: erasuresIn(eventRegistry, projections),
      purge,
      report: report.erasedContent,
    });
  }

  /**
   * Starts effects and erasure once the consequences of earlier runs are stored.
   * @param directory is started, and may be closed before the consumers
   */
  async startInOrder(directory: DirectoryFollower): Promise<void> {
    await this.consequences.start();
    await this.startEffects(directory);
    await this.erasedContent.start();
  }

  /** Starts all of them at once: work that an earlier process left undone holds up only its own consumer. */
  async start(): Promise<void> {
    await Promise.all([this.consequences.start(), this.startEffects(null), this.erasedContent.start()]);
  }

  private async startEffects(directoryFollower: DirectoryFollower | null): Promise<void> {
    await this.mailer.start();
    await this.effects.start();
    for (const { open } of followers) {
      const follower = await open({ ...this.followerParts, directoryFollower });
      if (this.isClosed) return;
      if (follower === null) continue;
      this.followers.push(follower);
      await follower.start();
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.erasedContent.close();
    const isLast = ({ closesLast = false }: OpenFollower): boolean => closesLast;
    for (const follower of this.followers.filter((each) => !isLast(each))) await follower.close();
    await this.effects.close();
    await this.mailer.close();
    await this.consequences.close();
    for (const follower of this.followers.filter(isLast)) await follower.close();
  }
}

async function recordFound(keys: number, runner: CommandRunner): Promise<void> {
  const event: DeletedKeysFound = { type: 'DeletedKeysFound', data: { keys } };
  await runner.report(TRANSPARENCY_STREAM, event, { actorId: null, client: 'annals', correlationId: newEventId() });
  new Logger('Start').warn(
    `keys were there whose content had been deleted: ${keys}. They are destroyed, and this is recorded (DeletedKeysFound)`,
  );
}

const DATABASES = [REACTORS_DATABASE, ...followers.map(({ database }) => database)];

/**
 * Has mails and push notifications begin at the log's first event. Called before an organization is created: the first
 * worker may start after people have used it. Followers without a checkpoint begin at the log's end: documents were lost.
 */
export async function beginEffects(documentStore: DocumentStore): Promise<void> {
  for (const name of DATABASES) await inDatabase(documentStore, name, {}, begin);
}

/** A worker that starts at this moment stores its own checkpoint, here or in another process: then that one counts. */
async function begin(database: DocumentDatabase): Promise<void> {
  if ((await database.checkpoint()) !== null) return;
  try {
    await storeCheckpoint(database, START, undefined, undefined);
  } catch (error) {
    if ((await database.checkpoint()) === null) throw error;
  }
}
