import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { settingsNaming } from '../../directory/settings-naming.js';
import { DeactivateUserGroup, decideDeactivateUserGroup, requireUnnamed } from '../domain/deactivate-user-group.js';
import { ReturnNamedGroups } from '../domain/return-named-groups.js';
import { USER_GROUPS_STREAM } from '../domain/user-groups.events.js';
import { userGroups } from '../domain/user-groups.state.js';
import { groupPermissions } from './group-actor.js';

@CommandHandler(DeactivateUserGroup)
export class DeactivateUserGroupHandler implements ICommandHandler<DeactivateUserGroup, void> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
    private readonly commands: CommandBus,
  ) {}

  async execute(command: DeactivateUserGroup): Promise<void> {
    const allowed = groupPermissions(command.groupId, command.by, this.directory);
    const { position } = await this.runner.decide({
      stream: USER_GROUPS_STREAM,
      decider: userGroups,
      decide: decideDeactivateUserGroup,
      command,
      context: { mayManage: allowed('manage'), named: settingsNaming(command.groupId, this.directory) },
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);

    // A permission that came first, and was not seen: the group is in use, and stays.
    const named = settingsNaming(command.groupId, this.directory);
    if (named.realm.length === 0 && named.channels.length === 0) return;
    await this.commands.execute(new ReturnNamedGroups([command.groupId], command.by));
    requireUnnamed(named);
  }
}
