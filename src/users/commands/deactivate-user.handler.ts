import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DeactivateUser, decideDeactivateUser } from '../domain/deactivate-user.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(DeactivateUser)
export class DeactivateUserHandler implements ICommandHandler<DeactivateUser, void> {
  constructor(private readonly stream: UsersStream) {}

  async execute(command: DeactivateUser): Promise<void> {
    await this.stream.decide(command, decideDeactivateUser, this.stream.rank(command.by));
  }
}
