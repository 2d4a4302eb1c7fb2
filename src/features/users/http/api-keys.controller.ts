import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { RegenerateApiKey, RegenerateBotApiKey } from '../domain/regenerate-api-key.js';

/** Answers with new keys. Each key is shown only here, because only its hash is stored. */
@Controller()
export class ApiKeysController {
  constructor(private readonly commands: CommandBus) {}

  @Post('users/me/api_key/regenerate')
  async regenerateOwn(@Caller() caller: Caller): Promise<{ api_key: string }> {
    return { api_key: await this.commands.execute(new RegenerateApiKey(caller.user._id, commandContext(caller))) };
  }

  @Post('bots/:bot_id/api_key/regenerate')
  async regenerateBots(@Caller() caller: Caller, @PathId('bot_id') botId: number): Promise<{ api_key: string }> {
    return { api_key: await this.commands.execute(new RegenerateBotApiKey(botId, commandContext(caller))) };
  }
}
