import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { Decisions } from '../../../platform/commands/decisions.js';
import { decideRegenerateBotApiKey, RegenerateBotApiKey } from '../domain/regenerate-api-key.js';
import { apiKeyHash, newApiKey } from './api-keys.js';
import { keeperOf } from './caller-facts.js';
import { usersStream } from './users-stream.js';

@CommandHandler(RegenerateBotApiKey)
export class RegenerateBotApiKeyHandler implements ICommandHandler<RegenerateBotApiKey> {
  constructor(
    private readonly directory: Directory,
    private readonly decisions: Decisions,
  ) {}

  /** @returns the key */
  async execute(command: RegenerateBotApiKey): Promise<string> {
    const key = newApiKey();
    const facts = { keeper: keeperOf(command.by, this.directory), keyHash: apiKeyHash(key) };
    await this.decisions.decide(usersStream, decideRegenerateBotApiKey, command, facts);
    return key;
  }
}
