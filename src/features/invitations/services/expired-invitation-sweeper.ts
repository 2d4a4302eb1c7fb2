import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Sweeper } from '../../../platform/commands/sweeper.js';
import { HOUR_MS } from '../../../platform/kernel/durations.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { ExpireInvitations } from '../domain/manage-invitation.js';
import { hasExpired } from '../queries/invitations.queries.js';

const FIRST_AFTER_MS = 60_000;

/**
 * Destroys the keys of links whose time is over. Links end at their time without it. Several processes may sweep at the
 * same time: each link still expires once.
 */
@Injectable()
export class ExpiredInvitationSweeper extends Sweeper {
  constructor(
    private readonly commands: CommandBus,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {
    super({
      name: 'Invitations',
      failure: 'expired invitations could not be ended',
      every: HOUR_MS,
      firstAfter: FIRST_AFTER_MS,
    });
  }

  async sweep(): Promise<void> {
    if (!(await hasExpired(this.readModels))) return;
    const by = this.context();
    await this.commands.execute(new ExpireInvitations({ by }));
  }
}
