import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { may } from '../../directory/permissions.js';
import { CreateUser, decideCreateUser } from '../domain/create-user.js';
import { hashPassword } from './passwords.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(CreateUser)
export class CreateUserHandler implements ICommandHandler<CreateUser, number> {
  constructor(
    private readonly directory: Directory,
    private readonly stream: UsersStream,
  ) {}

  /** @returns the new user's id */
  async execute(command: CreateUser): Promise<number> {
    const { directory, stream } = this;
    const { isAdministrator } = stream.rank(command.by);
    const mayCreate = may(stream.actor(command.by), 'can_create_users', directory);
    const { password } = command.account;
    // A hash is work: none for those who may not ask for it.
    const passwordHash = isAdministrator && mayCreate && password !== null ? await hashPassword(password) : null;
    const facts = {
      isAdministrator,
      mayCreate,
      passwordHash,
      uniqueNames: stream.uniqueNames,
      channelIds: this.firstChannels(),
    };
    const [created] = await stream.decide(command, decideCreateUser, facts);
    if (!created) throw new Error('an account was neither created nor refused');
    return created.data.userId;
  }

  private firstChannels(): number[] {
    const ids = this.directory.organization?.defaultChannelIds ?? [];
    return ids.filter((id) => this.directory.channel(id)?.isArchived === false);
  }
}
