import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { settingsNaming } from '../../../directory/settings-naming.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { DeactivateUserGroup, decideDeactivateUserGroup, requireUnnamed } from '../domain/deactivate-user-group.js';
import { ReturnNamedGroups } from '../domain/return-named-groups.js';
import { groupPermissions } from './group-actor.js';
import { userGroupsStream } from './user-groups-stream.js';

@CommandHandler(DeactivateUserGroup)
export class DeactivateUserGroupHandler implements ICommandHandler<DeactivateUserGroup> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    private readonly commands: CommandBus,
  ) {}

  async execute(command: DeactivateUserGroup): Promise<void> {
    const allowed = groupPermissions(command.groupId, command.by, this.directory);
    const facts = { mayManage: allowed('manage'), named: settingsNaming(command.groupId, this.directory) };
    await this.decisions.decide(userGroupsStream, decideDeactivateUserGroup, command, facts);

    // A permission that names the group was set during the decision: the group is in use, so it is reactivated.
    const named = settingsNaming(command.groupId, this.directory);
    if (named.realm.length === 0 && named.channels.length === 0) return;
    await this.commands.execute(new ReturnNamedGroups({ groupIds: [command.groupId], by: command.by }));
    requireUnnamed(named);
  }
}
