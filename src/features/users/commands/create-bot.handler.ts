import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { botDomain, SITE } from '../../../platform/kernel/site.js';
import { CreateBot, type CreatedBot, decideCreateBot } from '../domain/create-bot.js';
import { apiKeyHash, newApiKey, newWebhookSecrets } from './api-keys.js';
import { botCreationBy, keeperOf, uniqueNamesIn } from './caller-facts.js';
import { usersStream } from './users-stream.js';

@CommandHandler(CreateBot)
export class CreateBotHandler implements ICommandHandler<CreateBot> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
    @Inject(SITE) private readonly site: () => string,
  ) {}

  async execute(command: CreateBot): Promise<CreatedBot> {
    const { directory } = this;
    const { id: ownerId } = keeperOf(command.by, directory);
    if (ownerId === null) refuse('BOT_OWNER_UNKNOWN');
    const apiKey = newApiKey();
    const { events } = await this.decisions.decide(usersStream, decideCreateBot, command, {
      ownerId,
      keyHash: apiKeyHash(apiKey),
      uniqueNames: uniqueNamesIn(directory),
      domain: botDomain(this.site()),
      secrets: newWebhookSecrets(),
      ...botCreationBy(command.by, directory),
    });
    const [created] = events;
    if (!created) throw new Error('a bot was neither created nor refused');
    return { userId: created.data.userId, apiKey };
  }
}
