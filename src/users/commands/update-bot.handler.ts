import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideUpdateBot, UpdateBot } from '../domain/update-bot.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(UpdateBot)
export class UpdateBotHandler implements ICommandHandler<UpdateBot, void> {
  constructor(private readonly stream: UsersStream) {}

  async execute(command: UpdateBot): Promise<void> {
    const { stream } = this;
    const facts = { keeper: stream.keeper(command.by), uniqueNames: stream.uniqueNames };
    await stream.decide(command, decideUpdateBot, facts);
  }
}
