import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideReactivateUser, ReactivateUser } from '../domain/reactivate-user.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(ReactivateUser)
export class ReactivateUserHandler implements ICommandHandler<ReactivateUser, void> {
  constructor(private readonly stream: UsersStream) {}

  async execute(command: ReactivateUser): Promise<void> {
    const { stream } = this;
    const keeper = { id: command.by.actorId, ...stream.rank(command.by) };
    await stream.decide(command, decideReactivateUser, { keeper, ...stream.botCreation(command.by) });
  }
}
