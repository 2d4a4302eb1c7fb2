import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { groupFacts } from '../../directory/group-facts.js';
import { may, requireMember } from '../../directory/permissions.js';
import { CreateUserGroup, decideCreateUserGroup } from '../domain/create-user-group.js';
import { USER_GROUPS_STREAM } from '../domain/user-groups.events.js';
import { userGroups } from '../domain/user-groups.state.js';
import { actorOf } from './group-actor.js';

@CommandHandler(CreateUserGroup)
export class CreateUserGroupHandler implements ICommandHandler<CreateUserGroup, number> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @returns the new group's id */
  async execute(command: CreateUserGroup): Promise<number> {
    const creator = actorOf(command.by, this.directory);
    if (creator !== null) requireMember(creator);
    const { events, position } = await this.runner.decide({
      stream: USER_GROUPS_STREAM,
      decider: userGroups,
      decide: decideCreateUserGroup,
      command,
      context: {
        mayCreate: may(creator, 'can_create_groups', this.directory),
        isActiveUser: groupFacts(this.directory).isActiveUser,
      },
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    const [created] = events;
    if (created?.type !== 'UserGroupCreated') throw new Error('a group was neither created nor refused');
    return created.data.groupId;
  }
}
