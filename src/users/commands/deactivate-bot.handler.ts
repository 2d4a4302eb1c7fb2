import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DeactivateBot, decideDeactivateBot } from '../domain/deactivate-bot.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(DeactivateBot)
export class DeactivateBotHandler implements ICommandHandler<DeactivateBot, void> {
  constructor(private readonly stream: UsersStream) {}

  async execute(command: DeactivateBot): Promise<void> {
    await this.stream.decide(command, decideDeactivateBot, this.stream.keeper(command.by));
  }
}
