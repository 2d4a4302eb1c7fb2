import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { groupFacts } from '../../directory/group-facts.js';
import { decideUpdateUserGroup, UpdateUserGroup } from '../domain/update-user-group.js';
import { USER_GROUPS_STREAM } from '../domain/user-groups.events.js';
import { userGroups } from '../domain/user-groups.state.js';
import { groupPermissions } from './group-actor.js';

@CommandHandler(UpdateUserGroup)
export class UpdateUserGroupHandler implements ICommandHandler<UpdateUserGroup, void> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: UpdateUserGroup): Promise<void> {
    const allowed = groupPermissions(command.groupId, command.by, this.directory);
    const { position } = await this.runner.decide({
      stream: USER_GROUPS_STREAM,
      decider: userGroups,
      decide: decideUpdateUserGroup,
      command,
      context: { mayManage: allowed('manage'), isActiveUser: groupFacts(this.directory).isActiveUser },
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
  }
}
