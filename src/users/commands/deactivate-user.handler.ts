import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { ROLES } from '../../kernel/role.js';
import { DeactivateUser, decideDeactivateUser } from '../domain/deactivate-user.js';
import { USERS_STREAM } from '../domain/users.events.js';
import { users } from '../domain/users.state.js';

@CommandHandler(DeactivateUser)
export class DeactivateUserHandler implements ICommandHandler<DeactivateUser, void> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  async execute(command: DeactivateUser): Promise<void> {
    const { actorId } = command.by;
    const role = actorId === null ? ROLES.owner : this.directory.user(actorId)?.role;
    const { position } = await this.runner.decide({
      stream: USERS_STREAM,
      decider: users,
      decide: decideDeactivateUser,
      command,
      context: { callerIsAdministrator: role === ROLES.owner || role === ROLES.administrator },
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
  }
}
