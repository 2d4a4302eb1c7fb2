import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Decisions } from '../../../platform/commands/decisions.js';
import { decideRegenerateApiKey, RegenerateApiKey } from '../domain/regenerate-api-key.js';
import { apiKeyHash, newApiKey } from './api-keys.js';
import { usersStream } from './users-stream.js';

@CommandHandler(RegenerateApiKey)
export class RegenerateApiKeyHandler implements ICommandHandler<RegenerateApiKey> {
  constructor(private readonly decisions: Decisions) {}

  /** @returns the key */
  async execute(command: RegenerateApiKey): Promise<string> {
    const key = newApiKey();
    await this.decisions.decide(usersStream, decideRegenerateApiKey, command, { keyHash: apiKeyHash(key) });
    return key;
  }
}
