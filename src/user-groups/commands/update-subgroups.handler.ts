import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';

import { decideUpdateSubgroups, UpdateSubgroups } from '../domain/update-subgroups.js';
import { USER_GROUPS_STREAM } from '../domain/user-groups.events.js';
import { userGroups } from '../domain/user-groups.state.js';
import { groupPermissions } from './group-actor.js';

@CommandHandler(UpdateSubgroups)
export class UpdateSubgroupsHandler implements ICommandHandler<UpdateSubgroups, void> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: UpdateSubgroups): Promise<void> {
    const allowed = groupPermissions(command.groupId, command.by, this.directory);
    const { position } = await this.runner.decide({
      stream: USER_GROUPS_STREAM,
      decider: userGroups,
      decide: decideUpdateSubgroups,
      command,
      context: { mayAdd: allowed('add members'), mayRemove: allowed('remove members') },
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
  }
}
