import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { clientEvents } from '../../../projections/client-events.projection.js';
import { CommandRunner } from '../../command-runner/command-runner.js';
import { ReadYourWrites } from '../../command-runner/read-your-writes.js';
import { Directory } from '../../directory/directory.js';
import { ROLES } from '../../kernel/role.js';
import { CreateUser, decideCreateUser } from '../domain/create-user.js';
import { USERS_STREAM } from '../domain/users.events.js';
import { users } from '../domain/users.state.js';
import { hashPassword } from './passwords.js';

@CommandHandler(CreateUser)
export class CreateUserHandler implements ICommandHandler<CreateUser, number> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly readYourWrites: ReadYourWrites,
  ) {}

  /** @returns the new user's id */
  async execute(command: CreateUser): Promise<number> {
    const mayCreate = this.mayCreate(command);
    const { password } = command.account;
    const passwordHash = mayCreate && password !== null ? await hashPassword(password) : null;
    const { events, position } = await this.runner.decide({
      stream: USERS_STREAM,
      decider: users,
      decide: decideCreateUser,
      command,
      context: { mayCreate, passwordHash },
      by: command.by,
    });
    await this.readYourWrites.waitForOrganization(position, [clientEvents]);
    const [created] = events;
    if (!created) throw new Error('an account was neither created nor refused');
    return created.data.userId;
  }

  /** The server itself, and owners, until permissions can be granted one by one. */
  private mayCreate({ by }: CreateUser): boolean {
    return by.actorId === null || this.directory.user(by.actorId)?.role === ROLES.owner;
  }
}
