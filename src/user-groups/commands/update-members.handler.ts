import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { groupFacts } from '../../directory/group-facts.js';
import { decideUpdateMembers, UpdateMembers } from '../domain/update-members.js';
import { USER_GROUPS_STREAM } from '../domain/user-groups.events.js';
import { userGroups } from '../domain/user-groups.state.js';
import { groupPermissions } from './group-actor.js';

@CommandHandler(UpdateMembers)
export class UpdateMembersHandler implements ICommandHandler<UpdateMembers, void> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: UpdateMembers): Promise<void> {
    const allowed = groupPermissions(command.groupId, command.by, this.directory);
    const { position } = await this.runner.decide({
      stream: USER_GROUPS_STREAM,
      decider: userGroups,
      decide: decideUpdateMembers,
      command,
      context: {
        mayAdd: allowed('add members'),
        mayRemove: allowed('remove members'),
        mayJoin: allowed('join'),
        mayLeave: allowed('leave'),
        isActiveUser: groupFacts(this.directory).isActiveUser,
      },
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
  }
}
