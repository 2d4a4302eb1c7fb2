import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { refuse } from '../../kernel/domain-error.js';
import { botDomain, SITE } from '../../kernel/site.js';
import { CreateBot, decideCreateBot } from '../domain/create-bot.js';
import { apiKeyHash, newApiKey } from './api-keys.js';
import { UsersStream } from './users-stream.js';

export interface CreatedBot {
  readonly userId: number;
  readonly apiKey: string;
}

@CommandHandler(CreateBot)
export class CreateBotHandler implements ICommandHandler<CreateBot, CreatedBot> {
  constructor(
    private readonly stream: UsersStream,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute(command: CreateBot): Promise<CreatedBot> {
    const { stream } = this;
    const { id: ownerId } = stream.keeper(command.by);
    if (ownerId === null) refuse('BOT_OWNER_UNKNOWN');
    const apiKey = newApiKey();
    const [created] = await stream.decide(command, decideCreateBot, {
      ownerId,
      keyHash: apiKeyHash(apiKey),
      uniqueNames: stream.uniqueNames,
      domain: botDomain(this.site()),
      ...stream.botCreation(command.by),
    });
    if (!created) throw new Error('a bot was neither created nor refused');
    return { userId: created.data.userId, apiKey };
  }
}
