import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { AccessKeys } from '../../../platform/commands/month-keys.js';
import { Command, refuse } from '../../../platform/kernel/deciding.js';
import { REBUILDS, RebuildNotBegun, type Rebuilds } from '../../../platform/read-models/rebuilds.js';
import { ACCESS_SETTINGS, type AccessSettings } from '../../accesses/accesses.settings.js';
import { recordOwnersAct } from '../../accesses/commands/record-operator-act.js';

export interface BegunRebuild {
  readonly projection: string;
  /** The documents that are read until the new ones are there; null: there are none. */
  readonly database: string | null;
}

/** Builds the documents of a projection anew, beside those that are read. */
export class BeginRebuild extends Command<{ name: string; caller: UserRecord }, BegunRebuild> {}

@CommandHandler(BeginRebuild)
export class BeginRebuildHandler implements ICommandHandler<BeginRebuild> {
  constructor(
    @Inject(REBUILDS) private readonly rebuilds: Rebuilds,
    @Inject(ACCESS_SETTINGS) private readonly settings: AccessSettings,
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly keys: AccessKeys,
  ) {}

  /** @throws DomainError OWNER_REQUIRED, PROJECTION_UNKNOWN, REBUILD_UNDER_WAY, REBUILD_NOT_BEGUN */
  async execute({ name, caller, by }: BeginRebuild): Promise<BegunRebuild> {
    const { rebuilds } = this;
    if (!may(caller, 'own', this.directory)) refuse('OWNER_REQUIRED');
    if (!rebuilds.names.includes(name)) refuse('PROJECTION_UNKNOWN', { name, known: rebuilds.names.join(', ') });
    if (rebuilds.isUnderWay(name)) refuse('REBUILD_UNDER_WAY', { name });
    if (this.settings.areRecorded)
      await recordOwnersAct(this.runner, this.keys, { command: 'rebuild', options: { projection: [name] }, by });
    try {
      return { projection: name, database: await rebuilds.begin(name) };
    } catch (error) {
      if (error instanceof RebuildNotBegun) return refuse('REBUILD_NOT_BEGUN', { reason: error.message });
      throw error;
    }
  }
}
