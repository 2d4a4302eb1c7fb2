import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Sweeper } from '../../../platform/commands/sweeper.js';
import { HOUR_MS } from '../../../platform/kernel/durations.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { EndOldAccountLinks } from '../domain/use-account-link.js';
import { hasOldAccountLinks } from '../queries/account-links.queries.js';

const FIRST_AFTER_MS = 60_000;

/** Destroys the keys of links whose time is over. Such links cannot be used even before. Many processes may sweep at once. */
@Injectable()
export class AccountLinkSweeper extends Sweeper {
  constructor(
    private readonly commands: CommandBus,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {
    super({ name: 'Users', failure: 'old links could not be ended', every: HOUR_MS, firstAfter: FIRST_AFTER_MS });
  }

  async sweep(): Promise<void> {
    if (!(await hasOldAccountLinks(this.readModels))) return;
    const by = this.context();
    await this.commands.execute(new EndOldAccountLinks({ by }));
  }
}
