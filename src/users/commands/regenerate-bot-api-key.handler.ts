import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideRegenerateBotApiKey, RegenerateBotApiKey } from '../domain/regenerate-api-key.js';
import { apiKeyHash, newApiKey } from './api-keys.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(RegenerateBotApiKey)
export class RegenerateBotApiKeyHandler implements ICommandHandler<RegenerateBotApiKey, string> {
  constructor(private readonly stream: UsersStream) {}

  /** @returns the key */
  async execute(command: RegenerateBotApiKey): Promise<string> {
    const key = newApiKey();
    const facts = { keeper: this.stream.keeper(command.by), keyHash: apiKeyHash(key) };
    await this.stream.decide(command, decideRegenerateBotApiKey, facts);
    return key;
  }
}
