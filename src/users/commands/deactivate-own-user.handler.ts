import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DeactivateOwnUser, decideDeactivateOwnUser } from '../domain/deactivate-own-user.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(DeactivateOwnUser)
export class DeactivateOwnUserHandler implements ICommandHandler<DeactivateOwnUser, void> {
  constructor(private readonly stream: UsersStream) {}

  async execute(command: DeactivateOwnUser): Promise<void> {
    await this.stream.decide(command, decideDeactivateOwnUser, undefined);
  }
}
