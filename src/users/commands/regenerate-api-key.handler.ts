import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideRegenerateApiKey, RegenerateApiKey } from '../domain/regenerate-api-key.js';
import { apiKeyHash, newApiKey } from './api-keys.js';
import { UsersStream } from './users-stream.js';

@CommandHandler(RegenerateApiKey)
export class RegenerateApiKeyHandler implements ICommandHandler<RegenerateApiKey, string> {
  constructor(private readonly stream: UsersStream) {}

  /** @returns the key */
  async execute(command: RegenerateApiKey): Promise<string> {
    const key = newApiKey();
    await this.stream.decide(command, decideRegenerateApiKey, { keyHash: apiKeyHash(key) });
    return key;
  }
}
