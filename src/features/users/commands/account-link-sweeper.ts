import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { newEventId } from '../../../platform/kernel/new-event-id.js';
import { PeriodicTask } from '../../../platform/kernel/periodic-task.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { EndOldAccountLinks } from '../domain/use-account-link.js';
import { hasOldAccountLinks } from '../queries/get-account-link.handler.js';

const HOUR_MS = 3_600_000;
const FIRST_AFTER_MS = 60_000;

/** Destroys the keys of links whose time is over. Such links cannot be used even before. Several processes may sweep at once. */
@Injectable()
export class AccountLinkSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Users');
  private readonly sweeping = new PeriodicTask({
    every: HOUR_MS,
    firstAfter: FIRST_AFTER_MS,
    ref: false,
    work: () => this.sweep().catch((error: unknown) => this.log.warn(`old links could not be ended: ${String(error)}`)),
  });

  constructor(
    private readonly commands: CommandBus,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  onApplicationBootstrap(): void {
    this.sweeping.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweeping.stop();
  }

  async sweep(): Promise<void> {
    if (!(await hasOldAccountLinks(this.readModels))) return;
    const by = { actorId: null, client: 'annals', correlationId: newEventId() };
    await this.commands.execute(new EndOldAccountLinks(by));
  }
}
