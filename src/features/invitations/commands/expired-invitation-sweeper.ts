import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { newEventId } from '../../../platform/kernel/new-event-id.js';
import { PeriodicTask } from '../../../platform/kernel/periodic-task.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { ExpireInvitations } from '../domain/end-invitations.js';
import { hasExpired } from '../queries/usable-link.js';

const HOUR_MS = 3_600_000;
const FIRST_AFTER_MS = 60_000;

/**
 * Destroys the keys of links whose time is over. Links end at their time without it. Several processes may sweep at the
 * same time: each link still expires once.
 */
@Injectable()
export class ExpiredInvitationSweeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Invitations');
  private readonly sweeping = new PeriodicTask({
    every: HOUR_MS,
    firstAfter: FIRST_AFTER_MS,
    ref: false,
    work: async () => {
      await this.sweep().catch((error: unknown) =>
        this.log.warn(`expired invitations could not be ended: ${String(error)}`),
      );
    },
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
    if (!(await hasExpired(this.readModels))) return;
    const by = { actorId: null, client: 'annals', correlationId: newEventId() };
    await this.commands.execute(new ExpireInvitations(by));
  }
}
